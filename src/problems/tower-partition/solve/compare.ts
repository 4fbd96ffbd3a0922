import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import type { TowerLabels } from "../../../../models/tower-partition/problem.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { nearest } from "../../../plan-file/rounding.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { TimeShares } from "../../../search/time/time-shares.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { ownLimits, runOwn } from "../../own-method.js";
import type { CompareOptions } from "../../plan-options.js";
import type { Searched } from "../../searched.js";
import type { EmbeddingMethod } from "../methods/embedding/embed.js";
import type { TowerHeuristicResult } from "../methods/heuristic.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../methods/index.js";
import { type CaptureScale, capturedShare, randomValue } from "../plan-file/captured-share.js";
import type { TowerPartitionPlan, TowerStatus } from "../plan-file/plan-file.js";
import { towerLoads } from "../plan-file/tower-loads.js";
import { type EmbeddingAnalysis, embeddingAnalysis } from "./embedding-analysis.js";
import { ownTowers } from "./own.js";
import { type PreparedTowers, requireTowerNumber, searchTowers } from "./plan.js";

/** One method on one instance. */
export interface TowerCompareRow {
  readonly instance: string;
  readonly method: string;
  /** What the instance's objective comes to; `null` where there is no plan. */
  readonly value: number | null;
  /** The bound proved for the instance, the same in each of its rows; `null` where it is infeasible. */
  readonly bound: number | null;
  /** (value − bound) / bound: how far the plan is above what was proved. */
  readonly gap: number | null;
  /** (random − value) / (random − optimum): see `RandomTowers`. */
  readonly capturedShare: number | null;
  /** `none`: the method found no plan, which does not mean that there is none. */
  readonly status: TowerStatus | "none" | "not-applicable" | "breaks-limits";
  /** Why, where a method has no plan that counts. */
  readonly reason?: string;
  /** Features of each tower, and their load where the instance gives one. */
  readonly sizes: readonly number[] | null;
  readonly loads: readonly number[] | null;
  /** A heuristic's share of the time was over before it was: this is the best that it had by then. */
  readonly cutShort?: true;
  /** Wall-clock seconds of the method itself. */
  readonly seconds: number;
}

/** All methods on one instance, and where the published one loses. */
export interface TowerComparison {
  readonly rows: readonly TowerCompareRow[];
  /** For each embedding that `tp` knows in the plane; none where it found no partition. */
  readonly embeddings: readonly EmbeddingAnalysis[];
}

/** The rows below the optimum: `tp` with either embedding in the plane, then the others. */
const COMPARED: readonly {
  readonly label: string;
  readonly name: TowerHeuristicName;
  readonly embedding?: EmbeddingMethod;
}[] = [
  { label: "tp", name: "tp", embedding: "adam" },
  { label: "tp-smacof", name: "tp", embedding: "smacof" },
  { label: "strided", name: "strided" },
  { label: "swap", name: "swap" },
  { label: "tp-swap", name: "tp-swap" },
];

/**
 * Of ten parts of the time limit, those of the exact method, of each method beside it, and of the search in each plane.
 */
const TENTHS = { optimal: 5, method: 3 / COMPARED.length, plane: 1 } as const;

/**
 * Every method on one instance, the exact one first, and for `tp` how much of its distance to the optimum is owed to
 * the plane and how much to K-means in it.
 *
 * All of it within one time limit: the exact method gets up to half of it, the exact search in each plane a tenth, the
 * five other methods three tenths together. What one leaves over is shared among those after it in these proportions; a
 * row says where its share was too short. Throws as `planPreparedTowers` does.
 */
export async function comparePreparedTowers(
  prepared: PreparedTowers,
  options: CompareOptions = {},
): Promise<TowerComparison> {
  requireTowerNumber(prepared.instance, "compare");
  // The partition alone: the methods know nothing of tables.
  const { joint: _, ...instance } = prepared.instance;
  const { grouping, problem } = prepared;
  const { own = [], seed = 0 } = options;
  const limits = ownLimits(options, performance.now(), own.length);
  const shares = new TimeShares(secondsLeft(options, prepared.readSeconds), [
    TENTHS.optimal,
    ...COMPARED.flatMap(({ embedding }) => (embedding ? [TENTHS.method, TENTHS.plane] : [TENTHS.method])),
  ]);
  const within = { ...options, timeLimitSeconds: shares.next(), spentSeconds: 0 };
  const searched = await searchTowers({ ...prepared, instance, readSeconds: 0 }, within);
  const { plan: optimal, verdict, labels: best } = searched;
  const bound = verdict?.bound ?? null;
  const scale: CaptureScale = {
    random: randomValue(grouping),
    optimum: verdict?.status === "proved" ? verdict.value : bound,
  };
  const rows: TowerCompareRow[] = [optimalRow(searched)];
  const embeddings: EmbeddingAnalysis[] = [];
  for (const { label, name, embedding } of COMPARED) {
    const started = performance.now();
    const { result, cutShort } = runWithin(shares.next(), name, embedding);
    const seconds = Math.round(performance.now() - started) / 1000;
    const shared = { instance: instance.name, method: label, bound: optimal.objective.bound, seconds };
    rows.push({ ...describe(result, label), ...shared, ...(cutShort ? { cutShort } : {}) });
    if (embedding === undefined) continue;
    const timeLimitSeconds = shares.next();
    if (result.kind !== "plan" || optimal.objective.value === null || options.shouldStop?.() === true) continue;
    const found = { result, best, scale };
    embeddings.push(await embeddingAnalysis(prepared, embedding, found, { ...options, timeLimitSeconds }));
  }
  for (const method of own) {
    const started = performance.now();
    const given = { instance: prepared.instance, problem: ownTowers.given(prepared), seed };
    const decided = await runOwn(method, given, limits(), (written) =>
      evaluated(ownTowers.decisionIn(written), method.name),
    );
    const seconds = Math.round(performance.now() - started) / 1000;
    const described = decided.kind === "plan" ? decided.result : nothing("none", decided.reason);
    rows.push({ ...described, instance: instance.name, method: method.name, bound: optimal.objective.bound, seconds });
  }
  return { rows, embeddings };

  function runWithin(seconds: number, name: TowerHeuristicName, embedding: EmbeddingMethod | undefined) {
    const watched = WatchedStop.after(seconds, options.shouldStop);
    const how = { seed, shouldStop: watched.ask, ...(embedding && { embedding }) };
    return { result: TOWER_HEURISTICS[name](problem, how), cutShort: watched.wasStopped };
  }

  function describe(result: TowerHeuristicResult, method: string): Described {
    return result.kind === "plan" ? evaluated(result.labels, method) : nothing(result.kind, result.reason);
  }

  function evaluated(labels: TowerLabels, method: string): Described {
    const { value, sizes, towers, violations } = evaluateTowers(grouping, labels);
    const [violation] = violations;
    const shown = { value: nearest(value), sizes, loads: towerLoads(instance, towers)?.map(nearest) ?? null };
    if (violation !== undefined) {
      return { ...shown, gap: null, capturedShare: null, status: "breaks-limits", reason: violation };
    }
    holdAgainst(
      [{ what: `the plan of ${method}`, plan: labels }],
      verdict === null ? [] : [{ bound, worth: () => value, proof: { certificate: verdict.checked.certificate } }],
    );
    return {
      ...shown,
      gap: bound === null ? null : aboveBound(value, bound),
      capturedShare: capturedShare(value, scale),
      status: "heuristic",
    };
  }
}

type Described = Omit<TowerCompareRow, "instance" | "method" | "bound" | "seconds">;

function nothing(status: "none" | "not-applicable", reason: string): Described {
  return { value: null, gap: null, capturedShare: null, status, reason, sizes: null, loads: null };
}

function optimalRow({ plan, verdict }: Searched<TowerPartitionPlan>): TowerCompareRow {
  const { objective, status, timing, instance, sizes, loads, random } = plan;
  return {
    instance: instance.name,
    method: "optimal",
    value: objective.value,
    bound: objective.bound,
    gap: verdict?.value && verdict.bound ? aboveBound(verdict.value, verdict.bound) : null,
    capturedShare: random?.capturedShare ?? null,
    status,
    sizes,
    loads,
    seconds: timing.solveSeconds + timing.proveSeconds,
  };
}
