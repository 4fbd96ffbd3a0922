import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { Placement } from "../../models/table-placement/problem.js";
import { evaluateTowers } from "../../models/tower-partition/evaluate.js";
import type { TowerLabels } from "../../models/tower-partition/problem.js";
import type { Rational } from "../exact/rational.js";
import type { Instance } from "../problems/instances.js";
import type { RowTiersInstance } from "../problems/row-tiers/instance/instance.js";
import type { Assignment } from "../problems/row-tiers/plan-file/assignment.js";
import { prepareRowTiers } from "../problems/row-tiers/solve/plan.js";
import type { TablePlacementInstance } from "../problems/table-placement/instance/instance.js";
import { evaluationOf } from "../problems/table-placement/solve/learned/plan.js";
import { preparePlacement } from "../problems/table-placement/solve/plan.js";
import type { TowerPartitionInstance } from "../problems/tower-partition/instance/instance.js";
import { prepareTowers } from "../problems/tower-partition/solve/plan.js";
import { evaluateLadder } from "../program/ladder/evaluate.js";
import { instanceOf } from "./plan.js";

/** What a decision comes to by the instance's objective. */
export interface Evaluation {
  /** The nearest double of the objective, in the plan file's unit: comparable with a plan's value and bound. */
  readonly value: number;
  /** The same as an integer or a fraction. */
  readonly exact: string;
  /** What the decision breaks, in words, with zero tolerance; empty where it is a plan. */
  readonly violations: readonly string[];
}

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
export function evaluate(instance: RowTiersInstance, decision: Assignment): Promise<Evaluation>;
export function evaluate(instance: TablePlacementInstance, decision: Placement): Promise<Evaluation>;
export function evaluate(instance: TowerPartitionInstance, decision: TowerLabels): Promise<Evaluation>;
export async function evaluate(instance: Instance, decision: Decision): Promise<Evaluation> {
  const opened = await instanceOf(instance);
  return (EVALUATORS[opened.problem] as (instance: Instance, decision: Decision) => Promise<Evaluation>)(
    opened,
    decision,
  );
}

type Decision = Assignment | Placement | TowerLabels;

const EVALUATORS = {
  "row-tiers": evaluateRows,
  "table-placement": evaluateTables,
  "tower-partition": evaluateFeatures,
} as const;

async function evaluateRows(instance: RowTiersInstance, decision: Assignment): Promise<Evaluation> {
  const { model } = await prepareRowTiers(instance);
  const { objective, violations } = evaluateLadder(model.ladder, model.pointOf(decision));
  const words = violations.map(({ name, amount }) => `${name} is exceeded by ${amount.toNumber()}`);
  return described(objective, words);
}

async function evaluateTables(instance: TablePlacementInstance, decision: Placement): Promise<Evaluation> {
  const prepared = await preparePlacement(instance);
  const { objective, violations } = (evaluationOf(prepared) ?? evaluatePlacement)(prepared.model.problem, decision);
  return described(objective, violations);
}

async function evaluateFeatures(instance: TowerPartitionInstance, decision: TowerLabels): Promise<Evaluation> {
  const { grouping } = await prepareTowers(instance);
  const { value, violations } = evaluateTowers(grouping, decision);
  return described(value, violations);
}

function described(value: Rational, violations: readonly string[]): Evaluation {
  return { value: value.toNumber(), exact: value.toString(), violations };
}
