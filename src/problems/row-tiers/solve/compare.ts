import type { Rational } from "../../../exact/rational.js";
import { aboveBound } from "../../plan-file/above-bound.js";
import { nearest } from "../../plan-file/rounding.js";
import type { PlanOptions } from "../../plan-options.js";
import type { RowTiersInstance } from "../instance/instance.js";
import { evaluateRuns, isWithinBudgets } from "../plan-file/evaluate-runs.js";
import { heuristicRuns, ROW_TIERS_HEURISTICS } from "./heuristic-runs.js";
import { type PreparedRowTiers, prepareRowTiers, searchRowTiers } from "./plan.js";

/** One method on one instance. */
export interface CompareRow {
  readonly instance: string;
  readonly method: string;
  /** Seconds of the objective; `null` where there is no plan. */
  readonly value: number | null;
  /** The bound proved for the instance, the same in each of its rows; `null` where it is infeasible. */
  readonly bound: number | null;
  /** (value − bound) / bound: how far the plan is above what was proved; `null` where it is over the budget. */
  readonly gap: number | null;
  readonly status: "proved" | "feasible" | "infeasible" | "heuristic" | "over-budget" | "not-applicable";
  /** Why, where a method does not apply. */
  readonly reason?: string;
  readonly bytesPerGpu: number | null;
  readonly budgetBytesPerGpu: number;
  /** Wall-clock seconds of the method itself. */
  readonly seconds: number;
}

/** Every method on one instance: the exact one first, then the published ones. Throws as `planRowTiers` does. */
export async function compareRowTiers(
  source: RowTiersInstance | string,
  options: Omit<PlanOptions, "method"> = {},
): Promise<readonly CompareRow[]> {
  return comparePrepared(await prepareRowTiers(source, options.standardInput), options);
}

/** {@link compareRowTiers} for an instance that is prepared already. */
export async function comparePrepared(
  prepared: PreparedRowTiers,
  options: Omit<PlanOptions, "method"> = {},
): Promise<readonly CompareRow[]> {
  const { instance, access, model } = prepared;
  const { plan: optimal, verdict } = await searchRowTiers(prepared, options);
  const { value, bound } = optimal.objective;
  const proved = verdict?.bound ?? null;
  const shared = { instance: instance.name, bound, budgetBytesPerGpu: optimal.memory.budgetBytesPerGpu };
  const above = (exact: Rational | null): number | null =>
    exact === null || proved === null ? null : aboveBound(exact, proved);
  const rows: CompareRow[] = [
    {
      ...shared,
      method: "optimal",
      value,
      gap: above(verdict?.value ?? null),
      status: optimal.status,
      bytesPerGpu: optimal.memory.bytesPerGpu,
      seconds: optimal.timing.solveSeconds + optimal.timing.proveSeconds,
    },
  ];
  for (const method of ROW_TIERS_HEURISTICS) {
    const started = performance.now();
    const { assignment, reason } = heuristicRuns(method, instance, access);
    const seconds = Math.round(performance.now() - started) / 1000;
    if (assignment === null) {
      const nothing = { value: null, gap: null, bytesPerGpu: null };
      rows.push({ ...shared, ...nothing, method, status: "not-applicable", reason, seconds });
      continue;
    }
    const evaluation = evaluateRuns(instance, access, assignment);
    const { objective, memoryBytes } = evaluation;
    const within = isWithinBudgets(instance, model.budgetBytes, evaluation);
    rows.push({
      ...shared,
      method,
      value: nearest(objective),
      gap: within ? above(objective) : null,
      status: within ? "heuristic" : "over-budget",
      bytesPerGpu: nearest(memoryBytes),
      seconds,
    });
  }
  return rows;
}
