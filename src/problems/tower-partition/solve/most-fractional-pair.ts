import type { ElementPair } from "../../../proof/kernel/grouping/node.js";
import type { ClusterUse } from "./master.js";

/** Shares so near to 0, or uses so near to 1, are no fractions. */
const TOLERANCE = 1e-6;

/**
 * The pair of elements that a fractional partition is least sure about: the one whose share of being together is
 * nearest to one half. `null` where every pair is together, or apart, for sure.
 */
export function mostFractionalPair(usage: readonly ClusterUse[]): ElementPair | null {
  const shares = new Map<string, { readonly pair: ElementPair; share: number }>();
  for (const { cluster, times } of usage) {
    if (times > 1 - TOLERANCE) continue;
    cluster.elements.forEach((j, b) => {
      for (const i of cluster.elements.slice(0, b)) {
        const known = shares.get(`${i},${j}`);
        if (known === undefined) shares.set(`${i},${j}`, { pair: [i, j], share: times });
        else known.share += times;
      }
    });
  }
  let best: ElementPair | null = null;
  let least = 0.5 - TOLERANCE;
  for (const { pair, share } of shares.values()) {
    const distance = Math.abs(share - 0.5);
    if (distance < least) [best, least] = [pair, distance];
  }
  return best;
}
