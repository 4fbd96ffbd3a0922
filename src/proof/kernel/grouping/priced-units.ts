import type { ClusterLimits } from "./cluster-limits.js";

/**
 * Clusters of one size and what they cost less their dual values, in integers held in doubles. U units (elements that
 * stay together) stand for the elements. With the greatest of all pairs of elements, of all dual values without their
 * signs, and all sets in the place of its own, twice the sum of a cluster is below 2⁵²: every sum that the walk forms is
 * exact.
 */
export interface PricedUnits {
  /** Elements that a cluster has. */
  readonly size: number;
  /** Elements of each unit. */
  readonly sizes: Int32Array;
  /** What a unit adds by itself: the pairs inside it, less its price. */
  readonly own: Float64Array;
  /** What two units add, not negative: U × U, symmetric, the diagonal unused. */
  readonly between: Float64Array;
  /** 1 where two units cannot be in one cluster: U × U. */
  readonly apart: Uint8Array;
  /** `null` where nothing limits. */
  readonly limits: ClusterLimits | null;
  readonly sets: readonly PricedSet[];
}

/** A set of elements, and what a cluster adds for every `divisor` of them that it has; not negative. */
export interface PricedSet {
  /** All different. */
  readonly units: readonly number[];
  /** How many elements of the set each of them has, from 1 to `divisor` − 1; `divisor` or more in all. */
  readonly counts: readonly number[];
  readonly divisor: number;
  readonly dual: number;
}

/** When to stop before the end. */
export interface WalkLimits {
  /** Sets of units looked at. */
  readonly maxNodes?: number;
  /** Asked now and then, with how many more were looked at; at the end too, where the answer does not matter. */
  readonly shouldStop?: (nodes: number) => boolean;
}

/**
 * Told of a cluster below the cutoff: `units[0 … count−1]` (only until it returns) and its sum. Returns the cutoff from
 * here on, which may be lower than before; −∞ ends the walk.
 */
export type VisitCluster = (units: Int32Array, count: number, reduced: number) => number;
