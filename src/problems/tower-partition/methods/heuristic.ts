import type { TowerLabels, TowerProblem } from "../../../../models/tower-partition/problem.js";
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
