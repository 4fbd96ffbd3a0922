import { towerGrouping } from "../../../models/tower-partition/build.js";
import { boundedCliqueProgram } from "../../../models/tower-partition/clique-program.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import type { ProvedProgram } from "../proved-program.js";
import { towerPartitionReader } from "./instance/reader.js";
import { towerPartitionPlanSchema } from "./plan-file/plan-file.js";
import { numberingIn } from "./verify.js";

/**
 * What is proved of a partition into towers, or of there being none, on the compact program of models/tower-partition, which has the
 * same optimum: its certificate is about sets of features, which no file holds. Throws as `ProofReader` says.
 */
export async function provedTowers(source: PlanSource): Promise<ProvedProgram> {
  const { plan, instance } = await planWithInstance(towerPartitionReader, towerPartitionPlanSchema, source);
  const { request, towers } = requireProof(plan, source.file);
  const grouping = towerGrouping(instance, await towerInteraction(instance));
  const { program, pointOf } = boundedCliqueProgram(grouping, instance.file);
  const point = towers === null ? null : pointOf(numberingIn(towers, grouping));
  return { program, certificate: null, point, gap: request.gap };
}
