import { towerGrouping } from "../../../models/tower-partition/build.js";
import { boundedCliqueProgram } from "../../../models/tower-partition/clique-program.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import { type NamedProofs, oneProof, type ProvedProgram } from "../proved-program.js";
import { towerPartitionReader } from "./instance/reader.js";
import { towerPartitionPlanSchema } from "./plan-file/plan-file.js";
import { numberingIn } from "./verify.js";

/**
 * What is proved of a partition into towers, or of there being none, on the compact program of models/tower-partition, which has the
 * same optimum: its certificate is about sets of features, which no file holds. Throws as `ProofReader` says.
 */
export async function provedTowers(source: PlanSource): Promise<NamedProofs> {
  const { plan, instance } = await planWithInstance(towerPartitionReader, towerPartitionPlanSchema, source);
  const { request, towers } = requireProof(plan, source.file);
  const grouping = towerGrouping(instance, await towerInteraction(instance));
  return oneProof(
    compactProof(grouping, towers === null ? null : numberingIn(towers, grouping), instance.file, request.gap),
  );
}

/** What is proved of a partition, or that there is none, on the compact program. Throws `InputError`, naming the instance's file, where the compact program is too large. */
export function compactProof(
  grouping: Grouping,
  numbering: readonly number[] | null,
  file: string,
  gap: number,
): ProvedProgram {
  const { program, pointOf } = boundedCliqueProgram(grouping, file);
  return { program, certificate: null, point: numbering === null ? null : pointOf(numbering), gap };
}
