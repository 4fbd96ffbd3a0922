import type { RowClasses } from "../../../access/row-classes.js";
import type { Rational } from "../../../exact/rational.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { nearest } from "../../../plan-file/rounding.js";
import { evaluateRuns, isWithinBudgets } from "./evaluate-runs.js";
import type { PlanBaseline } from "./plan-file.js";

/** A row-tiers instance with the classes of rows of each table. */
export interface RowTiersAccess {
  readonly instance: RowTiersInstance;
  readonly access: readonly RowClasses[];
}

/** A published method's runs, or why it does not apply to the instance. */
export type BaselineRuns =
  | { readonly method: string; readonly assignment: Assignment; readonly reason: null }
  | { readonly method: string; readonly assignment: null; readonly reason: string };

/** Evaluates a baseline beside the proved bound. Throws `RangeError` when its runs do not fit the instance. */
export function describeBaseline(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  budgetBytes: Rational,
  bound: Rational | null,
  { method, assignment, reason }: BaselineRuns,
): PlanBaseline {
  if (assignment === null) {
    const nothing = { value: null, bytesPerGpu: null, aboveBound: null, runs: null };
    return { method, status: "not-applicable", reason, ...nothing };
  }
  const evaluation = evaluateRuns(instance, access, assignment);
  const { objective, memoryBytes } = evaluation;
  const within = isWithinBudgets(instance, budgetBytes, evaluation);
  return {
    method,
    status: within ? "within-budget" : "over-budget",
    reason: null,
    value: nearest(objective),
    bytesPerGpu: nearest(memoryBytes),
    aboveBound: within && bound !== null ? aboveBound(objective, bound) : null,
    runs: assignment.map((runs) => runs.map(({ rows, tier }) => [rows, tier] as const)),
  };
}
