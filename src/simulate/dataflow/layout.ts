import type { ByLink, ExchangeStep } from "../../access/traffic/exchange.js";
import type { ExchangeFeature, ExchangeProblem, PeerOrder } from "./exchange-problem.js";

/** Who is where. */
export interface Layout {
  readonly ranks: number;
  readonly gpusPerHost: number;
  /** Ranks per tower: slots 0 to this. */
  readonly slots: number;
  readonly towers: number;
}

/** Throws `RangeError` where the problem does not fit together, with the first of {@link misfitsOf}. */
export function layoutOf(problem: ExchangeProblem): Layout {
  const [misfit] = misfitsOf(problem);
  if (misfit !== undefined) throw new RangeError(misfit);
  const { ranks, gpusPerHost, hostsPerTower, towers } = problem;
  return { ranks, gpusPerHost, slots: gpusPerHost * hostsPerTower, towers: towers.length };
}

/** What of a problem does not fit together, in words. */
export function* misfitsOf({ ranks, gpusPerHost, hostsPerTower, localBatch, towers }: ExchangeProblem) {
  yield* notPositive({ ranks, gpusPerHost, hostsPerTower, localBatch });
  const slots = gpusPerHost * hostsPerTower;
  if (ranks % slots !== 0) yield `${ranks} ranks do not fill towers of ${slots} ranks each`;
  if (towers.length !== ranks / slots) yield `${towers.length} towers are given, ${ranks} ranks make ${ranks / slots}`;
  for (const { features, outputDim = 1 } of towers) {
    yield* notPositive({ outputDim });
    for (const { dim, hotness, rows, sharding } of features) {
      yield* notPositive({ dim, hotness, rows });
      const shards = sharding.kind === "table" ? [sharding] : sharding.shards;
      const stray = shards.find(({ slot }) => !(Number.isInteger(slot) && slot >= 0 && slot < slots));
      if (stray !== undefined) yield `slot ${stray.slot} is none of the tower's ${slots}`;
      if (sharding.kind === "columns")
        yield* otherSum(
          "columns",
          dim,
          sharding.shards.map((shard) => shard.columns),
        );
      if (sharding.kind === "rows")
        yield* otherSum(
          "rows",
          rows,
          sharding.shards.map((shard) => shard.rows),
        );
    }
  }
}

function* notPositive(numbers: Readonly<Record<string, number>>): Generator<string> {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isSafeInteger(value) || value < 1) yield `${name} is ${value}, not a positive integer`;
  }
}

function* otherSum(name: string, whole: number, parts: readonly number[]): Generator<string> {
  for (const part of parts) yield* notPositive({ [`${name} of a shard`]: part });
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum !== whole) yield `shards have ${sum} ${name}, their table ${whole}`;
}

export function linkBetween({ gpusPerHost }: Layout, from: number, to: number): keyof ByLink<number> {
  if (from === to) return "sameRank";
  return Math.floor(from / gpusPerHost) === Math.floor(to / gpusPerHost) ? "insideHost" : "acrossHosts";
}

/** All ranks in peer order. Where the printed key is the same for several ranks they stay in the order of ranks. */
export function peerOrder(layout: Layout, order: PeerOrder): readonly number[] {
  const { ranks, gpusPerHost, slots, towers } = layout;
  const key = (rank: number): readonly [number, number] =>
    order === "slot" ? [rank % slots, Math.floor(rank / slots)] : [rank % towers, Math.floor(rank / gpusPerHost)];
  const keyed = Array.from({ length: ranks }, (_, rank) => ({ rank, key: key(rank) }));
  keyed.sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || a.rank - b.rank);
  return keyed.map(({ rank }) => rank);
}

/** Ranks of a tower, slot by slot. */
export function towerRanks({ slots }: Layout, tower: number): readonly number[] {
  return Array.from({ length: slots }, (_, slot) => tower * slots + slot);
}

/** Ranks that have the same slot, tower by tower. */
export function peersOf({ slots, towers }: Layout, slot: number): readonly number[] {
  return Array.from({ length: towers }, (_, tower) => tower * slots + slot);
}

/** A rectangle of a table, and the rank that holds it. */
export interface Shard {
  /** Among the features of all towers. */
  readonly feature: number;
  readonly owner: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly firstColumn: number;
  readonly columns: number;
}

/** By feature, each table's shards in the order given. */
export function shardsByFeature(problem: ExchangeProblem, { slots }: Layout): readonly (readonly Shard[])[] {
  let feature = -1;
  return problem.towers.flatMap(({ features }, tower) =>
    features.map((each) => {
      feature++;
      return rectangles(each).map(({ slot, ...rest }) => ({ feature, owner: tower * slots + slot, ...rest }));
    }),
  );
}

function rectangles({ dim, rows, sharding }: ExchangeFeature) {
  const whole = { firstRow: 0, rows, firstColumn: 0, columns: dim };
  if (sharding.kind === "table") return [{ ...whole, slot: sharding.slot }];
  if (sharding.kind === "columns") {
    let next = 0;
    return sharding.shards.map(({ slot, columns }) => {
      const firstColumn = next;
      next += columns;
      return { ...whole, slot, firstColumn, columns };
    });
  }
  let next = 0;
  return sharding.shards.map(({ slot, rows: count }) => {
    const firstRow = next;
    next += count;
    return { ...whole, slot, firstRow, rows: count };
  });
}

/** By rank, the shards that it holds, feature after feature. */
export function shardsByRank(
  byFeature: readonly (readonly Shard[])[],
  { ranks }: Layout,
): readonly (readonly Shard[])[] {
  const held: Shard[][] = Array.from({ length: ranks }, () => []);
  for (const shard of byFeature.flat()) held[shard.owner]?.push(shard);
  return held;
}

/** Which part of an iteration moves bytes. */
export interface StepName extends ExchangeStep {
  readonly exchange: "flat" | "sptt";
}

/** The bytes of a step, as they were moved. */
export interface StepBytes extends StepName {
  /** By rank. */
  readonly sent: readonly ByLink<number>[];
  readonly received: readonly ByLink<number>[];
  /** Of all ranks together. */
  readonly total: ByLink<number>;
}

/** What a rank sends in one block: an array, with the bytes that an item of it has on the wire. */
export interface Packet<T> {
  readonly content: T;
  readonly bytes: number;
}

type Link = keyof ByLink<number>;
type Counted = Record<Link, number>;

/** Moves blocks between ranks, and counts every byte of them. */
export class Wires {
  readonly #layout: Layout;
  readonly #steps = new Map<string, { name: StepName; sent: Counted[]; received: Counted[] }>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /**
   * An all-to-all in a group of ranks: `packets[i][j]` goes from the group's i-th rank to its j-th. What comes back is, for
   * each rank, what it got from each, by the sender's place in the group.
   */
  allToAll<T>(name: StepName, group: readonly number[], packets: readonly (readonly Packet<T>[])[]): T[][] {
    const counted = this.#counters(name);
    return group.map((to, j) =>
      group.map((from, i) => {
        const { content, bytes } = (packets[i] as readonly Packet<T>[])[j] as Packet<T>;
        const link = linkBetween(this.#layout, from, to);
        (counted.sent[from] as Counted)[link] += bytes;
        (counted.received[to] as Counted)[link] += bytes;
        return content;
      }),
    );
  }

  /** A move inside a rank's own memory. */
  moveLocally(name: StepName, rank: number, bytes: number): void {
    const counted = this.#counters(name);
    (counted.sent[rank] as Counted).sameRank += bytes;
    (counted.received[rank] as Counted).sameRank += bytes;
  }

  /** All steps so far, in the order in which they first ran. */
  steps(): readonly StepBytes[] {
    return [...this.#steps.values()].map(({ name, sent, received }) => ({ ...name, sent, received, total: sum(sent) }));
  }

  #counters(name: StepName) {
    const key = `${name.exchange} ${name.pass} ${name.step}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const none = () =>
      Array.from({ length: this.#layout.ranks }, () => ({ sameRank: 0, insideHost: 0, acrossHosts: 0 }));
    const counted = { name, sent: none(), received: none() };
    this.#steps.set(key, counted);
    return counted;
  }
}

function sum(ranks: readonly ByLink<number>[]): ByLink<number> {
  const of = (link: Link) => ranks.reduce((total, bytes) => total + bytes[link], 0);
  return { sameRank: of("sameRank"), insideHost: of("insideHost"), acrossHosts: of("acrossHosts") };
}
