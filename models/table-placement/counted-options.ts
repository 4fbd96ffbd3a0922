import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { isPlaceable } from "./option-columns.js";
import { leastOf } from "./placement-draft.js";
import { deviceCount, type PlacementOption, type PlacementProblem } from "./problem.js";

/** What a shard needs of its device. */
export interface CountedNeed {
  /** Of cost. */
  readonly units: bigint;
  /** Of device memory; 0 where that is set aside. */
  readonly bytes: number;
}

/** What an option needs of devices; falling within each list. */
export interface OptionNeeds {
  /** On every device. */
  readonly base: CountedNeed;
  /** Of groups that fill a node, on each of its devices. */
  readonly filling: readonly CountedNeed[];
  /** Of shards that may be on any device. */
  readonly free: readonly CountedNeed[];
}

/** The kind of a need, as text. */
export function kindOf({ units, bytes }: CountedNeed): string {
  return `${units} ${bytes}`;
}

/** How an option of a table is counted. */
export interface Taken {
  /** Index into the options of the class. */
  readonly option: number;
  /** By free shard of that option, the table's shard that takes its place; by group, the first shard of the table's. */
  readonly free: readonly number[];
  readonly filling: readonly number[];
}

/** Tables whose options need the same. */
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
 * Tables by what their options cost, and with `hasMemory` by their bytes, without options that no device has room for, and those
 * that another one dominates: one that has no more on every device, and whose groups and free shards, the dearest first, are no more
 * and need no more. `null` where a table has no option left; copies of hot rows are not counted.
 */
export function countedClasses(
  problem: PlacementProblem,
  hasMemory: boolean,
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
  const needsOf = ({ shards }: PlacementOption) =>
    shards.map(({ cost, hbmBytes }) => ({ units: unitsOf(cost), bytes: hasMemory ? hbmBytes : 0 }));
  const classes = new Map<string, Found>();
  for (const [t, { options }] of problem.tables.entries()) {
    const seen = options.flatMap((option, o): Seen[] =>
      fits(option) ? [seenOf(problem, option, o, needsOf(option))] : [],
    );
    const left = seen.filter((own, k) => !seen.some((other, j) => j !== k && beats(other, own, j < k)));
    if (left.length === 0) return null;
    const textOf = (needs: readonly CountedNeed[]) => needs.map(kindOf).join();
    const key = left
      .map(({ needs: { base, filling, free } }) => [[base], filling, free].map(textOf).join("/"))
      .join("|");
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
  needs: readonly CountedNeed[],
): Seen {
  const { gpusPerNode } = problem;
  const least = (own: readonly CountedNeed[]): CountedNeed => ({
    units: leastOf(own.map(({ units }) => units)),
    bytes: Math.min(...own.map(({ bytes }) => bytes)),
  });
  // Those that need nothing are no more than none.
  const inOrder = (shards: readonly number[], of: (shard: number) => CountedNeed) =>
    shards
      .filter((shard) => of(shard).units > 0n || of(shard).bytes > 0)
      .sort((a, b) => compareNeeds(of(b), of(a)) || a - b);
  const needOf = (shard: number) => needs[shard] as CountedNeed;
  const ofGroup = (first: number) => least(needs.slice(first, first + gpusPerNode));
  let [base, filling, free]: [CountedNeed, number[], number[]] = [NOTHING, [], []];
  const partition = effectivePartition(problem, option);
  if (partition === "uniform") {
    // With fewer shards than devices some device has none.
    if (needs.length === deviceCount(problem)) base = least(needs);
  } else if (partition === "multi_host" || hasFixedSlots(problem, option)) {
    const firsts = Array.from({ length: needs.length / gpusPerNode }, (_, group) => group * gpusPerNode);
    filling = inOrder(firsts, ofGroup);
  } else free = inOrder([...needs.keys()], needOf);
  const own = { base, filling: filling.map(ofGroup), free: free.map(needOf) };
  return { option: index, needs: own, free, filling };
}

const NOTHING: CountedNeed = { units: 0n, bytes: 0 };

export function compareNeeds(a: CountedNeed, b: CountedNeed): number {
  return a.units < b.units ? -1 : a.units > b.units ? 1 : a.bytes - b.bytes;
}

/** Whether an option needs no more than another one: where both need the same, the first of them does. */
function beats({ needs: own }: Seen, { needs: other }: Seen, isFirst: boolean): boolean {
  const isWithin = (a: CountedNeed, b: CountedNeed) => a.units <= b.units && a.bytes <= b.bytes;
  const areWithin = (a: readonly CountedNeed[], b: readonly CountedNeed[]) =>
    a.length <= b.length && a.every((need, k) => isWithin(need, b[k] as CountedNeed));
  const isBelow = (a: OptionNeeds, b: OptionNeeds) =>
    isWithin(a.base, b.base) && areWithin(a.filling, b.filling) && areWithin(a.free, b.free);
  return isBelow(own, other) && (isFirst || !isBelow(other, own));
}

function takenBy(own: Seen, left: readonly Seen[]): Taken {
  const option = left.findIndex((other) => other === own || beats(other, own, true));
  const { needs } = left[option] as Seen;
  return { option, free: own.free.slice(0, needs.free.length), filling: own.filling.slice(0, needs.filling.length) };
}
