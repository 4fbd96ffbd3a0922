import type { CostData, MeasuredSet } from "../../cost/neural/cost-data.js";
import type { NetworkTable } from "../../cost/neural/features.js";
import type { Random } from "../../exact/random.js";

/** AutoShard draws the width of each table from these (section 5.1). */
const DIMS: readonly number[] = [16, 32];

/** For each table of measured costs the number of what it is a width of: tables that differ in the width alone share it. */
export function configurations({ tables }: CostData): readonly number[] {
  const known = new Map<string, number>();
  return tables.map(({ rows, poolingFactor, accessBins }) => {
    const key = JSON.stringify([rows, poolingFactor, accessBins]);
    const found = known.get(key) ?? known.size;
    known.set(key, found);
    return found;
  });
}

/** Tables by what they are widths of, each in one width out of those that AutoShard has. */
export function drawPool(data: CostData, random: Random): readonly NetworkTable[] {
  const widths: NetworkTable[][] = [];
  for (const [t, configuration] of configurations(data).entries()) {
    const table = data.tables[t] as NetworkTable;
    widths[configuration] ??= [];
    if (DIMS.includes(table.dim)) widths[configuration].push(table);
  }
  return widths.flatMap((tables) =>
    tables.length === 0 ? [] : [tables[random.integer(tables.length)] as NetworkTable],
  );
}

/** So many of some items, drawn without putting back, in the order drawn. */
export function drawSome<T>(items: readonly T[], count: number, random: Random): readonly T[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [drawn] = left.splice(random.integer(left.length), 1);
    return drawn as T;
  });
}

/** Measured sets by the share of their tables that nothing was learned of. */
export interface SeenAndUnseen {
  /** The data with the sets alone whose tables are all seen. */
  readonly seen: CostData;
  /** Sets with at least one table that is not. */
  readonly unseen: readonly MeasuredSet[];
  /** Mean share of such tables in them. */
  readonly unseenShare: number;
}

/**
 * Parts measured sets so that no table of `isUnseen`, a configuration's number, occurs in what is learned from, in whatever
 * width; `onlyUnseen` leaves out sets that mix both.
 */
export function partedByTables(
  data: CostData,
  isUnseen: (configuration: number, configurations: number) => boolean,
  onlyUnseen: boolean,
): SeenAndUnseen {
  const numbers = configurations(data);
  const count = new Set(numbers).size;
  const shareOf = ({ tables }: MeasuredSet) =>
    tables.filter((t) => isUnseen(numbers[t] as number, count)).length / tables.length;
  const seen = data.sets.filter((set) => shareOf(set) === 0);
  const unseen = data.sets.filter((set) => (onlyUnseen ? shareOf(set) === 1 : shareOf(set) > 0));
  const unseenShare = unseen.reduce((sum, set) => sum + shareOf(set), 0) / unseen.length;
  return { seen: { ...data, sets: seen }, unseen, unseenShare };
}
