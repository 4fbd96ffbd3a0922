import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, StageGoal } from "../../../../models/table-placement/problem.js";
import { stagesOf } from "../../../../models/table-placement/stages.js";
import type { Rational } from "../../../exact/rational.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { exactOrNull } from "../../../plan-file/exact-text.js";
import { firstGoal } from "../../../plan-file/first-goal.js";
import { nearest } from "../../../plan-file/rounding.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { TimeShares } from "../../../search/time/time-shares.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { ownLimits, runOwn } from "../../own-method.js";
import type { CompareOptions, PlanOptions } from "../../plan-options.js";
import { checkReward, type RewardCheck } from "../methods/reward-check.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { comparedHeuristics, runHeuristic } from "./heuristic-runs.js";
import { evaluationOf } from "./learned/plan.js";
import { ownPlacement } from "./own.js";
import { preparePlacement, searchPlacement } from "./plan.js";
import type { PreparedPlacement } from "./prepared.js";

/** One method on one instance. */
export interface PlacementCompareRow {
  readonly instance: string;
  readonly method: string;
  /** What is compared; absent: the largest device cost. Of several goals it is the first. */
  readonly objective?: Exclude<StageGoal, "largest-cost">;
  /** How many goals the instance has, where they are several: the exact method's value is its least of the first. */
  readonly goals?: number;
  /** What the instance's objective comes to; `null` where there is no plan. */
  readonly value: number | null;
  /** The bound proved for the instance, the same in each of its rows; `null` where it is infeasible. */
  readonly bound: number | null;
  /** (value − bound) / bound: how far the plan is above what was proved; `null` also where the bound is below 0. */
  readonly gap: number | null;
  /** `none`: the method found no plan, which does not mean that there is none. */
  readonly status: PlacementCompareStatus;
  /** Why, where a method has no plan that counts. */
  readonly reason?: string;
  /** A published method's share of the time was over before it was: this is the best that it had by then. */
  readonly cutShort?: true;
  /** Of the costs; `null` where the instance does not say. */
  readonly unit: string | null;
  /** Wall-clock seconds of the method itself. */
  readonly seconds: number;
}

export type PlacementCompareStatus =
  | "proved"
  | "feasible"
  | "infeasible"
  | "unknown"
  | "heuristic"
  | "breaks-limits"
  | "none"
  | "not-applicable";

/** Every method on one instance, and what their plans show of AutoShard's reward. */
export interface PlacementComparison {
  /** The exact method first. */
  readonly rows: readonly PlacementCompareRow[];
  /** Under a learned cost: over the plans of all rows, random ones and the policy's; absent under others. */
  readonly reward?: InstanceRewardCheck;
}

/** How often the smallest over the largest device cost prefers the slower of two plans of an instance. */
export interface InstanceRewardCheck extends RewardCheck {
  readonly instance: string;
}

/** Of ten parts of the time limit, those of the exact method; the published ones share the rest, and what it leaves. */
const OPTIMAL_TENTHS = 6;

/**
 * Every method on one instance, the exact one first, then the published ones, all within one time limit. Throws as
 * `planTablePlacement` does.
 */
export async function compareTablePlacement(
  source: TablePlacementInstance | string,
  options: Omit<PlanOptions, "method"> = {},
): Promise<readonly PlacementCompareRow[]> {
  return (await comparePreparedPlacement(await preparePlacement(source, options.standardInput), options)).rows;
}

/** {@link compareTablePlacement} for an instance that is prepared already, with what else the plans show. */
export async function comparePreparedPlacement(
  prepared: PreparedPlacement,
  options: CompareOptions = {},
): Promise<PlacementComparison> {
  const { instance, model } = prepared;
  const { own = [], seed = 0 } = options;
  const limits = ownLimits(options, performance.now(), own.length);
  const methods = comparedHeuristics(model.problem);
  const weights = [OPTIMAL_TENTHS, ...methods.map(() => (10 - OPTIMAL_TENTHS) / methods.length)];
  const shares = new TimeShares(secondsLeft(options, prepared.readSeconds), weights);
  const without = new Set([...(options.without ?? []), "prices"]);
  const within = { ...options, without, timeLimitSeconds: shares.next(), spentSeconds: 0 };
  const searched = await searchPlacement({ ...prepared, readSeconds: 0 }, within);
  const { plan: optimal, verdict } = searched;
  const evaluate = evaluationOf(prepared) ?? evaluatePlacement;
  const first = firstGoal(optimal);
  const { goals } = instance;
  const [{ minimize }] = stagesOf(model.problem);
  const bound = verdict?.bound ?? null;
  // A share of a bound below 0, which there may be under learned costs, says nothing.
  const isShare = bound !== null && bound.sign() >= 0;
  const above = (value: Rational | null) => (value === null || !isShare ? null : aboveBound(value, bound));
  const shared = {
    instance: instance.name,
    ...(minimize === "largest-cost" ? {} : { objective: minimize }),
    ...(goals === null ? {} : { goals: goals.length }),
    bound: first.bound,
    unit: optimal.objective.unit,
  };
  const found = optimal.deviceCosts === null ? [] : [optimal.deviceCosts];
  const others = methods.map((method): PlacementCompareRow => {
    const started = performance.now();
    const watched = WatchedStop.after(shares.next(), options.shouldStop);
    const result = runHeuristic(method, model, { seed, shouldStop: watched.ask });
    const cut = watched.wasStopped ? { cutShort: true as const } : {};
    const seconds = Math.round(performance.now() - started) / 1000;
    if (result.kind !== "plan") {
      const { kind: status, reason } = result;
      return { ...shared, method, value: null, gap: null, status, reason, ...cut, seconds };
    }
    return { ...evaluated(result.placement, method, cut), method, seconds };
  });
  for (const method of own) {
    const started = performance.now();
    const given = { instance, problem: ownPlacement.given(prepared), seed };
    const decided = await runOwn(method, given, limits(), (written) =>
      evaluated(ownPlacement.decisionIn(written), method.name),
    );
    const seconds = Math.round(performance.now() - started) / 1000;
    const none = { ...shared, value: null, gap: null, status: "none" as const };
    const row = decided.kind === "plan" ? decided.result : { ...none, reason: decided.reason };
    others.push({ ...row, method: method.name, seconds });
  }
  const rows = [optimalRow(optimal), ...others];
  const { setCost } = model.problem;
  if (setCost === undefined) return { rows };
  const reward = checkReward(model.problem, setCost, found, { seed, instance: { tables: model.tables } });
  return { rows, reward: { instance: instance.name, ...reward } };

  function evaluated(
    placement: Placement,
    method: string,
    cut: { readonly cutShort?: true } = {},
  ): Omit<PlacementCompareRow, "method" | "seconds"> {
    const { objective: reached, deviceCosts, violations } = evaluate(model.problem, placement);
    const [violation] = violations;
    const value = nearest(reached);
    if (violation !== undefined) return { ...shared, value, gap: null, status: "breaks-limits", reason: violation };
    holdAgainst(
      [{ what: `the plan of ${method}`, plan: placement }],
      verdict === null ? [] : [{ bound, worth: () => reached, proof: { certificate: verdict.checked.certificate } }],
    );
    found.push(deviceCosts.map(nearest));
    const gap = above(reached);
    // A share of a search that was cut short would be said of the method.
    return { ...shared, value, gap: cut.cutShort && gap !== 0 ? null : gap, status: "heuristic", ...cut };
  }

  function optimalRow({ status, stages, timing }: TablePlacementPlan): PlacementCompareRow {
    const seconds = timing.solveSeconds + timing.proveSeconds;
    const gap = above(exactOrNull(first.exact.value));
    const own = stages ? (first.status as PlacementCompareStatus | null) : null;
    return { ...shared, method: "optimal", value: first.value, gap, status: own ?? status, seconds };
  }
}
