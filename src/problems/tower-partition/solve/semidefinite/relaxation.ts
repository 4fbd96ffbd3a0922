import { type Grouping, pairIndex } from "../../../../program/grouping/grouping.js";
import { type GroupingNode, unitsOf } from "../../../../proof/kernel/grouping/node.js";
import { settledPairs } from "../../../../proof/kernel/grouping/semidefinite.js";

/**
 * The semidefinite relaxation of a node of a grouping, its clusters of least … most elements, in doubles and scaled so
 * that its numbers are about 1. With n̄ = F/T, w_t = 1 (`whole`) or n̄/n_t (`bySize`), its matrix is M = Σ_t w_t ·
 * 1_t·1_tᵀ and
 *
 *   cost · M  is minimised,  M − 11ᵀ/T ⪰ 0,  M ≥ 0,  the diagonal, the sums of rows and the totals in their ranges,
 *
 * and the cuts that are found as it is solved (see cut.ts). Of the value of a partition, cost · M is the part 1/`unit`.
 */
export interface Relaxation {
  /** F. */
  readonly elements: number;
  readonly clusters: number;
  /** F × F by rows, symmetric, zero on the diagonal. */
  readonly cost: Float64Array;
  readonly unit: number;
  /** The largest pair, which is 1 in `cost`; 1 where all pairs are zero. */
  readonly largest: number;
  readonly diagonal: Range;
  readonly diagonalTotal: Range;
  readonly row: Range;
  readonly total: Range;
  /** Σ_t w_t is at most this. */
  readonly weight: number;
  /**
   * By position below the diagonal, of pairs that the node settles: the least that M is there; 0 where they are apart.
   */
  readonly settled: ReadonlyMap<number, number>;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * The relaxation of a node of a grouping; `null` where no sizes of its window add up to the elements, or its pairs
 * cannot be.
 */
export function relaxationOf(grouping: Grouping, node: GroupingNode): Relaxation | null {
  const { clusters, share } = grouping;
  const { least, most } = node.window;
  const n = grouping.elements.length;
  const units = unitsOf(n, node);
  if (clusters * least > n || clusters * most < n || units.contradictory) return null;
  const mean = n / clusters;
  const values = grouping.pairs.map((pair) => pair.toNumber());
  const largest = values.reduce((a, b) => Math.max(a, b), 0) || 1;
  // Σ_{i<j} pair · (1 or 1/n_t) = cost · M · unit.
  const unit = largest / (share === "whole" ? 2 : 2 * mean);
  const cost = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) {
      cost[i * n + j] = (values[pairIndex(i, j)] as number) / largest;
      cost[j * n + i] = cost[i * n + j] as number;
    }
  }
  const squares = { low: even(n, clusters, (size) => size * size), high: extreme(n, clusters, least, most, square) };
  const lowest = share === "whole" ? 1 : mean / most;
  const states = settledPairs(units);
  const settled = new Map<number, number>();
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) {
      const state = states.get(pairIndex(i, j));
      if (state !== undefined) settled.set(j * n + i, state === "apart" ? 0 : lowest);
    }
  }
  const shared = { elements: n, clusters, cost, unit, largest, settled, diagonalTotal: { low: n, high: n } };
  return share === "whole"
    ? {
        ...{ ...shared, weight: clusters, diagonal: { low: 1, high: 1 } },
        ...{ row: { low: least, high: most }, total: squares },
      }
    : {
        ...{ ...shared, weight: extreme(n, clusters, least, most, (size) => mean / size) },
        ...{ diagonal: { low: lowest, high: mean / least }, row: { low: mean, high: mean } },
        total: { low: mean * n, high: mean * n },
      };
}

const square = (size: number): number => size * size;

/** Σ of a convex function over sizes as even as can be: the least there is. */
function even(elements: number, clusters: number, of: (size: number) => number): number {
  const small = Math.floor(elements / clusters);
  const large = elements - small * clusters;
  return (clusters - large) * of(small) + large * of(small + 1);
}

/** Σ of a convex function over sizes at the ends of the window but for one: the most there is. */
function extreme(
  elements: number,
  clusters: number,
  least: number,
  most: number,
  of: (size: number) => number,
): number {
  if (least === most) return clusters * of(least);
  const spare = elements - clusters * least;
  const full = Math.floor(spare / (most - least));
  const rest = spare - full * (most - least);
  return full * of(most) + (full < clusters ? of(least + rest) + (clusters - full - 1) * of(least) : 0);
}
