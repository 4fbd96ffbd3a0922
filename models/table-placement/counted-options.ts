import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { isPlaceable } from "./option-columns.js";
import { deviceCount, type PlacementOption, type PlacementProblem } from "./problem.js";

/** What an option needs of devices, in units of cost; falling within each list. */
export interface OptionNeeds {
  /** On every device. */
  readonly base: bigint;
  /** Of groups that fill a node, on each of its devices. */
  readonly filling: readonly bigint[];
  /** Of shards that may be on any device. */
  readonly free: readonly bigint[];
}

/** How an option of a table is counted. */
export interface Taken {
  /** Index into the options of the class. */
  readonly option: number;
  /** By free shard of that option, the table's shard that takes its place; by group, the first shard of the table's. */
  readonly free: readonly number[];
  readonly filling: readonly number[];
}

/** Tables whose options cost the same. */
export interface CountedClass {
  readonly tables: readonly number[];
  readonly options: readonly OptionNeeds[];
  /** By table, how each of its options is counted. */
  readonly taken: ReadonlyMap<number, ReadonlyMap<number, Taken>>;
  /** By table, its own option for each of {@link options}. */
  readonly own: ReadonlyMap<number, readonly number[]>;
}

/** An option as it is, with the shards that its needs are of. */
interface Seen {
  readonly option: number;
  readonly needs: OptionNeeds;
  readonly free: readonly number[];
  readonly filling: readonly number[];
}

/**
 * Tables by what their options cost, without options that no device has room for, and those that another one dominates: one that
 * has no more on every device, and whose groups and free shards, the dearest first, are no more and no dearer. `null` where an
 * option has copies of hot rows, or a table has no option left.
 */
export function countedClasses(
  problem: PlacementProblem,
  unitsOf: (cost: number) => bigint,
): readonly CountedClass[] | null {
  const allowed = new Array<boolean>(deviceCount(problem)).fill(true);
  const room = Math.max(...problem.hbmBytes);
  const fits = (option: PlacementOption) =>
    option.shards.every(({ hbmBytes }) => hbmBytes <= room) && isPlaceable(problem, option, allowed);
  interface Found {
    readonly tables: number[];
    readonly left: readonly Seen[];
    readonly taken: Map<number, ReadonlyMap<number, Taken>>;
    readonly own: Map<number, readonly number[]>;
  }
  const classes = new Map<string, Found>();
  for (const [t, { options }] of problem.tables.entries()) {
    if (options.some(({ hot }) => hot !== undefined)) return null;
    const seen = options.flatMap((option, o): Seen[] => (fits(option) ? [seenOf(problem, option, o, unitsOf)] : []));
    const left = seen.filter((own, k) => !seen.some((other, j) => j !== k && beats(other, own, j < k)));
    if (left.length === 0) return null;
    const key = left.map(({ needs: { base, filling, free } }) => `${base}|${filling.join()}|${free.join()}`).join(" ");
    const known: Found = classes.get(key) ?? { tables: [], left, taken: new Map(), own: new Map() };
    classes.set(key, known);
    known.tables.push(t);
    known.own.set(
      t,
      left.map(({ option }) => option),
    );
    known.taken.set(t, new Map(seen.map((own) => [own.option, takenBy(own, left)])));
  }
  return [...classes.values()].map(({ tables, left, taken, own }) => ({
    ...{ tables, taken, own },
    options: left.map(({ needs }) => needs),
  }));
}

/** What an option needs at least: of shards on every device the least counts, and of those of a group. */
function seenOf(
  problem: PlacementProblem,
  option: PlacementOption,
  index: number,
  unitsOf: (cost: number) => bigint,
): Seen {
  const { gpusPerNode } = problem;
  const units = option.shards.map(({ cost }) => unitsOf(cost));
  const least = (own: readonly bigint[]) => own.reduce((low, value) => (value < low ? value : low), own[0] as bigint);
  // Those that cost nothing are no more than none.
  const inOrder = (shards: number[], of: (shard: number) => bigint) =>
    shards.filter((shard) => of(shard) > 0n).sort((a, b) => (of(a) > of(b) ? -1 : of(a) < of(b) ? 1 : a - b));
  const partition = effectivePartition(problem, option);
  if (partition === "uniform") {
    // With fewer shards than devices some device has none.
    const base = units.length === deviceCount(problem) ? least(units) : 0n;
    return { option: index, needs: { base, filling: [], free: [] }, free: [], filling: [] };
  }
  if (partition === "multi_host" || hasFixedSlots(problem, option)) {
    const firsts = Array.from({ length: units.length / gpusPerNode }, (_, group) => group * gpusPerNode);
    const ofGroup = (first: number) => least(units.slice(first, first + gpusPerNode));
    const filling = inOrder(firsts, ofGroup);
    return { option: index, needs: { base: 0n, filling: filling.map(ofGroup), free: [] }, free: [], filling };
  }
  const free = inOrder(Array.from(units.keys()), (shard) => units[shard] as bigint);
  return {
    option: index,
    needs: { base: 0n, filling: [], free: free.map((k) => units[k] as bigint) },
    free,
    filling: [],
  };
}

/** Whether an option needs no more than another one: where both need the same, the first of them does. */
function beats({ needs: own }: Seen, { needs: other }: Seen, isFirst: boolean): boolean {
  const isNoMore = (a: readonly bigint[], b: readonly bigint[]) => a.every((value, k) => value <= (b[k] ?? -1n));
  const isBelow = (a: OptionNeeds, b: OptionNeeds) =>
    a.base <= b.base && isNoMore(a.filling, b.filling) && isNoMore(a.free, b.free);
  return isBelow(own, other) && (isFirst || !isBelow(other, own));
}

function takenBy(own: Seen, left: readonly Seen[]): Taken {
  const option = left.findIndex((other) => other === own || beats(other, own, true));
  const { needs } = left[option] as Seen;
  return { option, free: own.free.slice(0, needs.free.length), filling: own.filling.slice(0, needs.filling.length) };
}
