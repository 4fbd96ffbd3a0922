import type { ByLink } from "../../traffic/exchange.js";
import type { ExchangeProblem, ExchangeTower, PeerOrder } from "./exchange-problem.js";

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
