import type { Rational } from "../../../exact/rational.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { exactOrNull } from "../../../plan-file/exact-text.js";
import { firstGoal } from "../../../plan-file/first-goal.js";
import { nearest } from "../../../plan-file/rounding.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { ownLimits, runOwn } from "../../own-method.js";
import type { CompareOptions } from "../../plan-options.js";
import { evaluateRuns, isWithinBudgets, isWithinLimits } from "../plan-file/evaluate-runs.js";
import { heuristicRuns, ROW_TIERS_HEURISTICS } from "./heuristic-runs.js";
import { ownRows } from "./own.js";
import { type PreparedRowTiers, searchRowTiers } from "./plan.js";

/** One method on one instance. */
export interface CompareRow {
  readonly instance: string;
  readonly method: string;
  /** How many goals the instance has, where they are several: the exact method's value is its least of the first. */
  readonly goals?: number;
  /** Seconds of the objective; `null` where there is no plan. */
  readonly value: number | null;
  /** The bound proved for the instance, the same in each of its rows; `null` where it is infeasible. */
  readonly bound: number | null;
  /** (value − bound) / bound: how far the plan is above what was proved; `null` where it is over the budget. */
  readonly gap: number | null;
  readonly status: "proved" | "feasible" | "infeasible" | "heuristic" | "over-budget" | "not-applicable" | "none";
  /** Why, where a method does not apply, or one of somebody's own has no plan. */
  readonly reason?: string;
  readonly bytesPerGpu: number | null;
  readonly budgetBytesPerGpu: number;
  /** Wall-clock seconds of the method itself. */
  readonly seconds: number;
}

/** Every method on one instance: the exact one first, then the published ones. Throws as `planPrepared` does. */
export async function comparePrepared(
  prepared: PreparedRowTiers,
  options: CompareOptions = {},
): Promise<readonly CompareRow[]> {
  const { instance, access, before, model } = prepared;
  const { own = [], seed = 0 } = options;
  const limits = ownLimits(options, performance.now(), own.length);
  const { plan: optimal, verdict } = await searchRowTiers(prepared, options);
  // Seconds are compared; of another first goal there is no bound of them.
  const isOfSeconds = (instance.goals?.[0]?.minimize ?? "time") === "time";
  const value = optimal.time?.seconds ?? optimal.objective.value;
  const bound = isOfSeconds ? firstGoal(optimal).bound : null;
  const proved = isOfSeconds ? (verdict?.bound ?? null) : null;
  const several = instance.goals === undefined || !isOfSeconds ? {} : { goals: instance.goals.length };
  const shared = { instance: instance.name, ...several, bound, budgetBytesPerGpu: optimal.memory.budgetBytesPerGpu };
  const above = (exact: Rational | null): number | null =>
    exact === null || proved === null ? null : aboveBound(exact, proved);
  const seconds = optimal.timing.solveSeconds + optimal.timing.proveSeconds;
  const first = isOfSeconds ? optimal.stages?.[0] : undefined;
  const plan = {
    ...{ value, gap: above(exactOrNull(optimal.exact.value)), status: optimal.status },
    bytesPerGpu: optimal.memory.bytesPerGpu,
  };
  // Of several goals the plan that is best in the first; where no other was found it is the file's.
  const exact = first?.runs
    ? {
        ...evaluated(
          first.runs.map((runs) => runs.map(([rows, tier]) => ({ rows, tier }))),
          "optimal",
        ),
        status: first.status,
      }
    : plan;
  const rows: CompareRow[] = [{ ...shared, ...exact, method: "optimal", seconds }];
  for (const method of ROW_TIERS_HEURISTICS) {
    const started = performance.now();
    const { assignment, reason } = heuristicRuns(method, instance, access);
    const seconds = Math.round(performance.now() - started) / 1000;
    if (assignment === null) {
      rows.push({ ...shared, ...NOTHING, method, status: "not-applicable", reason, seconds });
      continue;
    }
    rows.push({ ...evaluated(assignment, method), method, seconds });
  }
  for (const method of own) {
    const started = performance.now();
    const given = { instance, problem: ownRows.given(prepared), seed };
    const decided = await runOwn(method, given, limits(), (written) =>
      evaluated(ownRows.decisionIn(written), method.name),
    );
    const seconds = Math.round(performance.now() - started) / 1000;
    const row =
      decided.kind === "plan"
        ? decided.result
        : { ...shared, ...NOTHING, status: "none" as const, reason: decided.reason };
    rows.push({ ...row, method: method.name, seconds });
  }
  return rows;

  function evaluated(assignment: Assignment, method: string): Omit<CompareRow, "method" | "seconds"> {
    const evaluation = evaluateRuns(instance, access, assignment, before);
    const { objective, memoryBytes } = evaluation;
    holdAgainst(
      [{ what: `the plan of ${method}`, plan: assignment }],
      verdict !== null && isOfSeconds && isWithinLimits(instance, model.budgetBytes, evaluation)
        ? [{ bound: proved, worth: () => objective, proof: { certificate: verdict.checked.certificate } }]
        : [],
    );
    const within = isWithinBudgets(instance, model.budgetBytes, evaluation);
    return {
      ...shared,
      value: nearest(objective),
      gap: within ? above(objective) : null,
      status: within ? "heuristic" : "over-budget",
      bytesPerGpu: nearest(memoryBytes),
    };
  }
}

const NOTHING = { value: null, gap: null, bytesPerGpu: null };
