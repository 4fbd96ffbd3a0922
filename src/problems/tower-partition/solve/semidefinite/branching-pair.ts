import { pairIndex } from "../../../../program/grouping/grouping.js";
import { type ElementPair, type GroupingNode, unitsOf } from "../../../../proof/kernel/grouping/node.js";
import { settledPairs } from "../../../../proof/kernel/grouping/semidefinite.js";

/** Pairs of which the matrix says less, or more, are left alone: one of the children would be as the node itself. */
const LEAST = 0.15;
const MAX = 0.85;

/**
 * The pair to branch a node on, by a matrix M of its relaxation, F × F by rows: of those that M neither joins nor
 * parts, the one whose rows of M are furthest apart, Σ_k (M_ik − M_jk)². Joining these changes M most. Where M is sure
 * of all, the pair that it is least sure of; `null` where the node settles all pairs.
 */
export function branchingPair(matrix: Float64Array, elements: number, node: GroupingNode): ElementPair | null {
  const settled = settledPairs(unitsOf(elements, node));
  let best: ElementPair | null = null;
  let [isOpen, most] = [false, Number.NEGATIVE_INFINITY];
  for (let j = 0; j < elements; j++) {
    for (let i = 0; i < j; i++) {
      if (settled.has(pairIndex(i, j))) continue;
      const share = matrix[i * elements + j] as number;
      const isUnsure = share >= LEAST && share <= MAX;
      if (isOpen && !isUnsure) continue;
      const worth = isUnsure ? rowDistance(matrix, elements, i, j) : share * (1 - share);
      if (isUnsure === isOpen && worth <= most) continue;
      [best, isOpen, most] = [[i, j], isUnsure, worth];
    }
  }
  return best;
}

function rowDistance(matrix: Float64Array, elements: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < elements; k++) {
    sum += ((matrix[i * elements + k] as number) - (matrix[j * elements + k] as number)) ** 2;
  }
  return sum;
}
