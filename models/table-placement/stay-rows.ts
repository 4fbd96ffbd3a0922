import { MisplacedError, type OptionColumns, plainKey } from "./option-site.js";
import type { PlacementChoice, StayLimit } from "./problem.js";
import type { ProgramDraft } from "./program-draft.js";

/** A column s[t, h] that may be 1 only where table t is as in its home h. */
export interface StayColumn {
  readonly column: number;
  /** The sums of counts that the home has: it stays where all of them are these. */
  readonly counts: readonly HomeCount[];
}

/** How many alike shards a home has on a device, and the columns that count them. */
interface HomeCount {
  readonly columns: readonly number[];
  readonly count: bigint;
  /** The columns may count more than one. */
  readonly isOne: boolean;
}

/** Sets the columns that may be 1 in a point. */
export function writeStays(added: readonly StayColumn[], point: bigint[]): void {
  for (const { column, counts } of added) {
    const stays = counts.every(({ columns, count }) => {
      return columns.reduce((sum, counted) => sum + (point[counted] as bigint), 0n) === count;
    });
    if (stays) point[column] = 1n;
  }
}

/**
 * At most so many tables move: Σ s[t, h] ≥ tables with a home to leave − mostMoved, with count[d]·s[t, h] ≤ n[t, o, k, d] for
 * every count of a home, of alike shards together. A table of one shard needs no s: its n is one.
 */
export function addStayRows(
  draft: ProgramDraft,
  { homes, mostMoved }: StayLimit,
  tables: readonly { readonly options: readonly OptionColumns[] }[],
): readonly StayColumn[] {
  const least = homes.filter((own) => own !== null).length - mostMoved;
  if (least <= 0) return [];
  const { added, terms } = stayTerms(draft, homes, tables);
  draft.addRow("stay", terms, BigInt(least), null);
  return added;
}

/** Columns that say which tables stay, and Σ of those that may be 1: how many do. */
export function stayTerms(
  draft: ProgramDraft,
  homes: StayLimit["homes"],
  tables: readonly { readonly options: readonly OptionColumns[] }[],
): { readonly added: readonly StayColumn[]; readonly terms: readonly (readonly [column: number, one: bigint])[] } {
  const added: StayColumn[] = [];
  const terms: (readonly [number, bigint])[] = [];
  tables.forEach(({ options }, t) => {
    for (const home of homes[t] ?? []) {
      const columns = options.find(({ option }) => option === home.option);
      const counts = columns === undefined ? null : countsOf(draft, columns, home);
      if (counts === null) continue;
      const [first] = counts;
      if (counts.length === 1 && first?.isOne) {
        for (const column of first.columns) terms.push([column, 1n]);
        continue;
      }
      const column = draft.addCount(`s_${t}_${home.option}`);
      for (const { columns: counted, count } of counts) {
        const alike = counted.map((own) => [own, 1n] as const);
        draft.addRow(`stay_${t}_${home.option}_${counted[0]}`, [...alike, [column, -count]], 0n, null);
      }
      terms.push([column, 1n]);
      added.push({ column, counts });
    }
  });
  return { added, terms };
}

/** The counts of shards that stand for a home; `null` where it is no place that the shards may have. */
function countsOf(
  { columns: { length } }: ProgramDraft,
  { shards, write }: OptionColumns,
  { devices }: PlacementChoice,
): HomeCount[] | null {
  const point: bigint[] = new Array(length).fill(0n);
  try {
    write(devices, point);
  } catch (error) {
    if (error instanceof MisplacedError) return null;
    throw error;
  }
  const alike = new Map<string, { columns: number[]; count: bigint; isOne: boolean }>();
  for (const { column, device, need, most } of shards) {
    const key = `${device} ${plainKey(need)}`;
    const known = alike.get(key) ?? { columns: [], count: 0n, isOne: true };
    known.columns.push(column);
    known.count += point[column] as bigint;
    // Where shards have a device each, a home may have more on one than the column counts.
    known.isOne = known.columns.length === 1 && most === 1 && known.count <= 1n;
    alike.set(key, known);
  }
  return [...alike.values()].filter(({ count }) => count > 0n);
}
