import { MisplacedError, type OptionColumns, type ShardColumn } from "./option-site.js";
import type { PlacementChoice, StayLimit } from "./problem.js";
import type { ProgramDraft } from "./program-draft.js";

/** A column s[t, h] that may be 1 only where table t is as in its home h. */
export interface StayColumn {
  readonly column: number;
  /** The counts that the home has: it stays where all of them are these. */
  readonly counts: readonly (readonly [column: number, count: bigint])[];
}

/**
 * At most so many tables move: Σ s[t, h] ≥ tables − mostMoved, with count[d]·s[t, h] ≤ n[t, o, k, d] for every count of a
 * home. A table of one shard needs no s: its n is one.
 */
export function addStayRows(
  draft: ProgramDraft,
  { homes, mostMoved }: StayLimit,
  tables: readonly { readonly options: readonly OptionColumns[] }[],
): readonly StayColumn[] {
  const least = tables.length - mostMoved;
  if (least <= 0) return [];
  const added: StayColumn[] = [];
  const terms: (readonly [number, bigint])[] = [];
  tables.forEach(({ options }, t) => {
    for (const home of homes[t] ?? []) {
      const columns = options.find(({ option }) => option === home.option);
      const counts = columns === undefined ? null : countsOf(draft, columns, home);
      if (counts === null) continue;
      const [first] = counts;
      if (counts.length === 1 && first?.most === 1) {
        terms.push([first.column, 1n]);
        continue;
      }
      const column = draft.addCount(`s_${t}_${home.option}`);
      for (const { column: counted, count } of counts) {
        const stay = [column, -count] as const;
        draft.addRow(`stay_${t}_${home.option}_${counted}`, [[counted, 1n] as const, stay], 0n, null);
      }
      terms.push([column, 1n]);
      added.push({ column, counts: counts.map(({ column: counted, count }) => [counted, count]) });
    }
  });
  draft.addRow("stay", terms, BigInt(least), null);
  return added;
}

/** The counts of shards that stand for a home; `null` where it is no place that the shards may have. */
function countsOf(
  { columns: { length } }: ProgramDraft,
  { shards, write }: OptionColumns,
  { devices }: PlacementChoice,
): (ShardColumn & { readonly count: bigint })[] | null {
  const point: bigint[] = new Array(length).fill(0n);
  try {
    write(devices, point);
  } catch (error) {
    if (error instanceof MisplacedError) return null;
    throw error;
  }
  return shards.map((shard) => ({ ...shard, count: point[shard.column] as bigint })).filter(({ count }) => count > 0n);
}
