import type { Evaluation } from "../../problems/evaluation.js";
import type { Instance } from "../../problems/planning/instances.js";
import { prepareInstance } from "../../problems/planning/plan.js";
import type { RegisteredAs } from "../../problems/planning/registry.js";
import { instanceOf } from "./plan.js";

/** What the plans of an instance decide; where its problem is not known, what would be a decision of every problem: nothing. */
export type DecisionOf<Source extends Instance> = Deciding<Source> extends (decision: infer D) => void ? D : never;

type Deciding<Source extends Instance> = Source extends Instance
  ? (decision: RegisteredAs<Source["problem"]>["decision"]) => void
  : never;

/**
 * Evaluates somebody's own decision as a plan would be, in exact arithmetic: for row tiers the runs of rows of each
 * table from the hottest to the coldest, for table placement the option and the devices of each table, for tower
 * partition the tower of each feature (of a choice with tables the partition alone is looked at).
 *
 * ```ts
 * const { value, violations } = await evaluate(instance, { choices: tables.map(() => ({ option: 0, devices: [0] })) });
 * ```
 *
 * Throws `RangeError`, or `AssignmentError` for rows, when it can be no decision for the instance, and `InputError` as
 * `plan` does.
 */
export async function evaluate<Source extends Instance>(
  instance: Source,
  decision: DecisionOf<Source>,
): Promise<Evaluation> {
  const { problem, ready } = await prepareInstance(await instanceOf(instance));
  return (await problem.solving()).evaluate(ready, decision);
}
