import type { TowerLabels, TowerProblem } from "../../../../models/tower-partition/problem.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import { Rational } from "../../../exact/rational.js";
import type { Embedding, EmbeddingMethod } from "./embedding/embed.js";

/** What a method made of a problem. */
export type TowerHeuristicResult = TowerHeuristicPlan | NoTowers;

/** A feasible partition, towers numbered in the order of their first features. */
export interface TowerHeuristicPlan {
  readonly kind: "plan";
  readonly labels: TowerLabels;
  /** The coordinates that `tp` clustered, for the methods that begin with it. */
  readonly embedding?: Embedding;
}

/** No partition. */
export type NoTowers =
  /** The method found none. That says nothing about whether there is one. */
  | { readonly kind: "none"; readonly reason: string }
  /** The method needs something that the problem does not have; not an error. */
  | { readonly kind: "not-applicable"; readonly reason: string };

/** What a method may want besides the problem. */
export interface TowerContext {
  /** Of the random numbers: the same seed gives the same plan. */
  readonly seed: number;
  /** Asked often, with the pairs of features looked at since; once true, the best so far is the result. */
  readonly shouldStop?: (pairs?: number) => boolean;
  /**
   * Starts, of which the best counts; a positive integer. Default: 20 of K-means (`tp`), 30 of the descent (`swap`).
   */
  readonly restarts?: number;
  /** How `tp` finds coordinates; default `adam`, as published. */
  readonly embedding?: EmbeddingMethod;
  /** Of the coordinates; a positive integer, default 2: the plane, as published. */
  readonly dimensions?: number;
}

/**
 * One method. Its towers have sizes within one of the problem's windows and keep to its load exactly. Throws
 * `RangeError` for a context that asks for no restarts or no dimensions.
 */
export type TowerHeuristic = (problem: TowerProblem, context: TowerContext) => TowerHeuristicResult;

/** Where there is no window at all. */
export function noSizes({ towers, features }: TowerProblem): NoTowers {
  return { kind: "none", reason: `${features.length} features do not make ${towers} towers within the size ratio` };
}

export const noneWithinLoad: NoTowers = { kind: "none", reason: "no partition was found that keeps to the load" };

/** A count asked for; throws `RangeError` unless it is a positive integer. */
export function positive(name: "restarts" | "dimensions", count: number): number {
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new RangeError(`${name} must be a positive integer, not ${count}`);
}

/** Relative: far more than the rounding of a few thousand additions. */
const SLACK = 1e-12;

/** Whether no tower carries more than `load.most`, in exact arithmetic on the problem's doubles. */
export function keepsToLoad({ towers, load }: TowerProblem, labels: ArrayLike<number>): boolean {
  if (load === null) return true;
  const sums = Array.from({ length: towers }, () => new DoubleSum());
  for (const [feature, weight] of load.weights.entries()) sums[labels[feature] as number]?.add(weight);
  const most = Rational.fromNumber(load.most);
  return sums.every((sum) => sum.total().compare(most) <= 0);
}

/**
 * What a search in doubles finds, when it keeps to the load exactly. The search first has a load that is a trifle
 * larger, so that rounding hides nothing that fits to the last bit; where its answer then turns out not to fit, it runs
 * again with one that is a trifle smaller. `null` where neither finds anything.
 */
export function searchWithinLoad<T extends { readonly labels: ArrayLike<number> }>(
  problem: TowerProblem,
  search: (problem: TowerProblem) => T | null,
): T | null {
  if (problem.load === null) return search(problem);
  for (const slack of [SLACK, -SLACK]) {
    const load = { ...problem.load, most: problem.load.most * (1 + slack) };
    const found = search({ ...problem, load });
    if (found !== null && keepsToLoad(problem, found.labels)) return found;
  }
  return null;
}
