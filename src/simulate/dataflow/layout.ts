import type { ByLink, ExchangeStep } from "../../traffic/exchange.js";
import type { ExchangeFeature, ExchangeProblem, ExchangeTower, PeerOrder } from "./exchange-problem.js";

/** Who is where. */
export interface Layout {
  readonly ranks: number;
  readonly gpusPerHost: number;
  /** Ranks per tower: slots 0 to this. */
  readonly slots: number;
  readonly towers: number;
}

/** Throws `RangeError` where the problem does not fit together, with what does not. */
export function layoutOf({ ranks, gpusPerHost, hostsPerTower, localBatch, towers }: ExchangeProblem): Layout {
  const positive = { ranks, gpusPerHost, hostsPerTower, localBatch };
  for (const [name, value] of Object.entries(positive)) requirePositive(name, value);
  const slots = gpusPerHost * hostsPerTower;
  if (ranks % slots !== 0) throw new RangeError(`${ranks} ranks do not fill towers of ${slots} ranks each`);
  if (towers.length !== ranks / slots) {
    throw new RangeError(`${towers.length} towers are given, ${ranks} ranks make ${ranks / slots}`);
  }
  for (const tower of towers) checkTower(tower, slots);
  return { ranks, gpusPerHost, slots, towers: towers.length };
}

function checkTower({ features, outputDim }: ExchangeTower, slots: number): void {
  if (outputDim !== undefined) requirePositive("outputDim", outputDim);
  for (const { dim, hotness, rows, sharding } of features) {
    for (const [name, value] of Object.entries({ dim, hotness, rows })) requirePositive(name, value);
    const shards = sharding.kind === "table" ? [sharding] : sharding.shards;
    for (const { slot } of shards) {
      if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
        throw new RangeError(`slot ${slot} is none of the tower's ${slots}`);
      }
    }
    if (sharding.kind === "columns") {
      requireSum(
        "columns",
        sharding.shards.map((shard) => shard.columns),
        dim,
      );
    }
    if (sharding.kind === "rows") {
      requireSum(
        "rows",
        sharding.shards.map((shard) => shard.rows),
        rows,
      );
    }
  }
}

function requirePositive(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} is ${value}, not a positive integer`);
}

function requireSum(name: string, parts: readonly number[], whole: number): void {
  for (const part of parts) requirePositive(`${name} of a shard`, part);
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum !== whole) throw new RangeError(`shards have ${sum} ${name}, their table ${whole}`);
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
