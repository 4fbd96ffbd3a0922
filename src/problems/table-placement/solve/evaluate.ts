import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import { describedEvaluation, type Evaluation } from "../../evaluation.js";
import { evaluationOf } from "./learned/plan.js";
import type { PreparedPlacement } from "./prepared.js";

/** The option and the devices of each table. Throws `RangeError` for an option or a device that there is not. */
export function evaluateTables(prepared: PreparedPlacement, decision: Placement): Evaluation {
  const { objective, violations } = (evaluationOf(prepared) ?? evaluatePlacement)(prepared.model.problem, decision);
  return describedEvaluation(objective, violations);
}
