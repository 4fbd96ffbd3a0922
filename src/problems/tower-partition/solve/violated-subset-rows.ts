import { type ElementSet, timesIn } from "./dual-values.js";
import type { ClusterUse } from "./master.js";

/** A row counts as violated by more than this. */
const TOLERANCE = 1e-3;

/**
 * The 3-subset rows C that a fractional partition violates, Σ_S [|S ∩ C| ≥ 2]·x_S > 1, the most violated first, at most
 * `limit` of them. With m_ij the share of two elements together, the sum is m_ab + m_ac + m_bc less twice the share of
 * all three.
 */
export function violatedSubsetRows(
  elements: number,
  usage: readonly ClusterUse[],
  limit: number,
): readonly ElementSet[] {
  const together = new Float64Array(elements * elements);
  for (const { cluster, times } of usage) {
    for (const i of cluster.elements) {
      for (const j of cluster.elements) together[i * elements + j] = (together[i * elements + j] as number) + times;
    }
  }
  const share = (i: number, j: number) => together[i * elements + j] as number;
  const found: { readonly row: ElementSet; readonly excess: number }[] = [];
  for (let a = 0; a < elements; a++) {
    for (let b = a + 1; b < elements; b++) {
      for (let c = b + 1; c < elements; c++) {
        if (share(a, b) + share(a, c) + share(b, c) <= 1 + TOLERANCE) continue;
        const row: ElementSet = { elements: [a, b, c], divisor: 2 };
        const sum = usage.reduce((s, { cluster, times }) => s + times * timesIn(row, cluster.elements), 0);
        if (sum > 1 + TOLERANCE) found.push({ row, excess: sum - 1 });
      }
    }
  }
  return found
    .sort((a, b) => b.excess - a.excess)
    .slice(0, limit)
    .map(({ row }) => row);
}
