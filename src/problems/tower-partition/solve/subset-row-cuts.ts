import type { ClusterUse } from "./cluster-use.js";
import { hasTwo } from "./dual-values.js";

/** Three elements. */
export type SubsetRow = readonly [number, number, number];

/** A triple counts as violated by more than this. */
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
): readonly SubsetRow[] {
  const together = new Float64Array(elements * elements);
  const having: number[][] = Array.from({ length: elements }, () => []);
  usage.forEach(({ cluster, times }, u) => {
    for (const i of cluster.elements) {
      (having[i] as number[]).push(u);
      for (const j of cluster.elements) together[i * elements + j] = (together[i * elements + j] as number) + times;
    }
  });
  const found: { readonly subsetRow: SubsetRow; readonly excess: number }[] = [];
  for (let a = 0; a < elements; a++) {
    for (let b = a + 1; b < elements; b++) {
      const first = together[a * elements + b] as number;
      for (let c = b + 1; c < elements; c++) {
        const pairs = first + (together[a * elements + c] as number) + (together[b * elements + c] as number);
        if (pairs <= 1 + TOLERANCE) continue;
        const subsetRow: SubsetRow = [a, b, c];
        const touched = new Set([...(having[a] as number[]), ...(having[b] as number[])]);
        let sum = 0;
        for (const u of touched) {
          const { cluster, times } = usage[u] as ClusterUse;
          if (hasTwo(cluster.elements, subsetRow)) sum += times;
        }
        if (sum > 1 + TOLERANCE) found.push({ subsetRow, excess: sum - 1 });
      }
    }
  }
  found.sort((one, other) => other.excess - one.excess);
  return found.slice(0, limit).map(({ subsetRow }) => subsetRow);
}
