import type { ElementPair } from "../../../proof/kernel/grouping/node.js";
import type { ClusterUse } from "./master.js";

/**
 * Pairs of elements that a fractional partition is least sure about: those whose share of being together is nearest to
 * one half come first. Pairs that are together, or apart, for sure are left out; at most `limit`.
 */
export function mostFractionalPairs(usage: readonly ClusterUse[], limit: number): readonly ElementPair[] {
  const shares = new Map<string, { readonly pair: ElementPair; share: number }>();
  for (const { cluster, times } of usage) {
    if (times > 1 - 1e-6) continue;
    cluster.elements.forEach((j, b) => {
      for (let a = 0; a < b; a++) {
        const i = cluster.elements[a] as number;
        const known = shares.get(`${i},${j}`);
        if (known === undefined) shares.set(`${i},${j}`, { pair: [i, j], share: times });
        else known.share += times;
      }
    });
  }
  return [...shares.values()]
    .map(({ pair, share }) => ({ pair, distance: Math.abs(share - 0.5) }))
    .filter(({ distance }) => distance < 0.5 - 1e-6)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ pair }) => pair);
}
