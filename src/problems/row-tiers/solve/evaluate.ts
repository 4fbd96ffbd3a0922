import type { Assignment } from "../../../instance/types/assignment.js";
import { evaluateLadder } from "../../../program/ladder/evaluate.js";
import { describedEvaluation, type Evaluation } from "../../evaluation.js";
import type { PreparedRowTiers } from "./plan.js";

/** Runs of rows of each table from the hottest to the coldest. Throws `AssignmentError` where they hold other rows. */
export function evaluateRows({ model }: PreparedRowTiers, decision: Assignment): Evaluation {
  const { objective, violations } = evaluateLadder(model.ladder, model.pointOf(decision));
  const words = violations.map(({ name, amount }) => `${name} is exceeded by ${amount.toNumber()}`);
  return describedEvaluation(objective, words);
}
