import type { GroupLimits } from "./group-limits.js";
import type { IntegerLoad } from "./integer-load.js";

/**
 * Groups of one size and what they cost less their prices, in integers held in doubles. U units (items that stay together)
 * stand for the items. With the greatest of all pairs of items, of all prices without their signs, and all triples in the
 * place of its own, twice the sum of a group is below 2⁵²: every sum that the walk forms is exact.
 */
export interface PricedUnits {
  /** Items that a group has. */
  readonly size: number;
  /** Items of each unit. */
  readonly sizes: Int32Array;
  /** What a unit adds by itself: the pairs inside it, less its price. */
  readonly own: Float64Array;
  /** What two units add, not negative: U × U, symmetric, the diagonal unused. */
  readonly between: Float64Array;
  /** 1 where two units cannot be in one group: U × U. */
  readonly apart: Uint8Array;
  /** `null` where nothing limits. */
  readonly load: IntegerLoad | null;
  /** What limits groups beside that; `null` or left out where nothing does. */
  readonly limits?: GroupLimits | null;
  /** What a group pays that has two or all of three units. */
  readonly triples: readonly PricedTriple[];
}

/** Three different units and what a group adds, once, that has two or more of them; not negative. */
export interface PricedTriple {
  readonly units: readonly [number, number, number];
  readonly price: number;
}

/** When to stop before the end. */
export interface WalkLimits {
  /** Sets of units looked at. */
  readonly maxNodes?: number;
  /** Asked now and then, with how many more were looked at; at the end too, where the answer does not matter. */
  readonly shouldStop?: (nodes: number) => boolean;
}

/**
 * Told of a group below the cutoff: `units[0 … count−1]` (only until it returns) and its sum. Returns the cutoff from
 * here on, which may be lower than before; −∞ ends the walk.
 */
export type VisitGroup = (units: Int32Array, count: number, reduced: number) => number;
