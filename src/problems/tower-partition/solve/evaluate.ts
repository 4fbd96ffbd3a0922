import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { TowerLabels } from "../../../../models/tower-partition/problem.js";
import { describedEvaluation, type Evaluation } from "../../evaluation.js";
import type { PreparedTowers } from "./plan.js";

/** The tower of each feature. Throws `RangeError` for a feature without one. */
export function evaluateFeatures({ grouping }: PreparedTowers, decision: TowerLabels): Evaluation {
  const { value, violations } = evaluateTowers(grouping, decision);
  return describedEvaluation(value, violations);
}
