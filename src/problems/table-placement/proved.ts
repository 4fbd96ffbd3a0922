import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { neuralHead } from "../../../models/table-placement/learned/head.js";
import { provedFirst } from "../../../models/table-placement/proved-program.js";
import { Rational } from "../../exact/rational.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import type { ProvedProgram } from "../proved-program.js";
import { tablePlacementReader } from "./instance/reader.js";
import { tablePlacementPlanSchema } from "./plan-file/plan-file.js";

/**
 * What is proved of a table-placement plan, or of there being none: on the program that `--to mps` writes, of a large problem its
 * aggregated program; with a ceiling on what that has below it. A second goal's proof is not in it.
 *
 * Throws `InputError` when the text is no plan as it was written, is of another problem, was made for another instance, or has no
 * certificate; of a plan that does not verify as the parts do that check it.
 */
export async function provedPlacement(source: PlanSource): Promise<ProvedProgram> {
  const { plan, instance } = await planWithInstance(tablePlacementReader, tablePlacementPlanSchema, source);
  const { certificate, request } = requireProof(plan, source.file);
  const problem = placementProblem(instance);
  const choices = plan.tables.map(({ option, ranks }) => ({ option, devices: ranks }));
  const ceiling = plan.proof?.ceiling === undefined ? null : Rational.parse(plan.proof.ceiling);
  const placement = choices.length === 0 ? null : { choices };
  const head = problem.setCost === undefined ? null : neuralHead(instance, problem.setCost);
  const { program, pointOf } = provedFirst({ problem, head, ceiling, placement }, plan);
  return {
    program,
    certificate,
    point: placement === null ? null : pointOf(placement),
    gap: request.gap,
    ...(ceiling === null ? {} : { comment: `placements that cost more than ${ceiling} are left out of the program` }),
  };
}
