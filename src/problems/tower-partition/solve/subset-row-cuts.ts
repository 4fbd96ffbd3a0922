import { hasTwo } from "./dual-values.js";
import type { ClusterUse } from "./group-use.js";

/** Three items. */
export type Triple = readonly [number, number, number];

/** A triple counts as violated by more than this. */
const TOLERANCE = 1e-3;

/**
 * The triples C that a fractional partition violates, Σ_S [|S ∩ C| ≥ 2]·x_S > 1, the most violated first, at most `limit` of
 * them. With m_ij the share of two items together, the sum is m_ab + m_ac + m_bc less twice the share of all three.
 */
export function violatedTriples(items: number, usage: readonly ClusterUse[], limit: number): readonly Triple[] {
  const together = new Float64Array(items * items);
  const having: number[][] = Array.from({ length: items }, () => []);
  usage.forEach(({ group, times }, u) => {
    for (const i of group.items) {
      (having[i] as number[]).push(u);
      for (const j of group.items) together[i * items + j] = (together[i * items + j] as number) + times;
    }
  });
  const found: { readonly triple: Triple; readonly excess: number }[] = [];
  for (let a = 0; a < items; a++) {
    for (let b = a + 1; b < items; b++) {
      const first = together[a * items + b] as number;
      for (let c = b + 1; c < items; c++) {
        const pairs = first + (together[a * items + c] as number) + (together[b * items + c] as number);
        if (pairs <= 1 + TOLERANCE) continue;
        const triple: Triple = [a, b, c];
        const touched = new Set([...(having[a] as number[]), ...(having[b] as number[])]);
        let sum = 0;
        for (const u of touched) {
          const { group, times } = usage[u] as ClusterUse;
          if (hasTwo(group.items, triple)) sum += times;
        }
        if (sum > 1 + TOLERANCE) found.push({ triple, excess: sum - 1 });
      }
    }
  }
  found.sort((one, other) => other.excess - one.excess);
  return found.slice(0, limit).map(({ triple }) => triple);
}
