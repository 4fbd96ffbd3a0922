import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { TowerLabels } from "../../../../models/tower-partition/problem.js";
import { describedEvaluation, type Evaluation } from "../../evaluation.js";
import { copyOf, indicesIn, type OwnDeciding } from "../../own-method.js";
import type { PreparedTowers } from "./plan.js";

/** Methods of one's own for tower partition. */
export const ownTowers: OwnDeciding<PreparedTowers, TowerLabels> = {
  given: ({ problem }) => copyOf(problem),
  decisionIn: (written) => indicesIn(written, "a tower for each feature, such as [0, 3, 1]"),
};

/** The tower of each feature. Throws `RangeError` for a feature without one. */
export function evaluateFeatures({ grouping }: PreparedTowers, decision: TowerLabels): Evaluation {
  const { value, violations } = evaluateTowers(grouping, decision);
  return describedEvaluation(value, violations);
}
