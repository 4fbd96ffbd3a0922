import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../../models/table-placement/problem.js";
import { type Memory, memoriesOf } from "../memories.js";
import type { Unit } from "./movable-shards.js";

/**
 * A problem in flat arrays. Options are numbered through over all units and shards through over all options; a *slot* is
 * a place for one shard of a unit's present option, so that a unit has as many as its option of most shards.
 */
export interface Layout {
  readonly units: readonly Unit[];
  readonly deviceCount: number;
  readonly gpusPerNode: number;
  /** Of unit u: from optionStart[u] to optionStart[u + 1]. */
  readonly optionStart: Int32Array;
  readonly freedom: Uint8Array;
  /** Of option o: how many of its last shards are on every device, one each. */
  readonly copies: Int32Array;
  /** Of option o: from shardStart[o] to shardStart[o + 1]. */
  readonly shardStart: Int32Array;
  readonly cost: Float64Array;
  /** Cost of the dearest shard of option o: no largest cost with it is below. */
  readonly peak: Float64Array;
  readonly hbm: Float64Array;
  /** Of unit u: from slotStart[u] to slotStart[u + 1]. */
  readonly slotStart: Int32Array;
  readonly unitOfSlot: Int32Array;
  /** Devices (nodes) of option o. */
  readonly devices: readonly Int32Array[];
  readonly nodes: readonly Int32Array[];
  /** admitted[o][d] is 1 where a shard of the option may be on the device. */
  readonly admitted: readonly Uint8Array[];
  readonly hbmCapacity: Float64Array;
  /** Those that limit, of host memory and SSDs. */
  readonly further: readonly FurtherMemory[];
  /** Of unit u: the `apart` groups from apartStart[u] to apartStart[u + 1]. */
  readonly apartStart: Int32Array;
  readonly apart: Int32Array;
  readonly apartGroups: number;
  /** Groups from here on are of one unit's shards, which have a device each. */
  readonly ownGroups: number;
  /** Of option o: 1 where no device may have two of its shards, copies apart. */
  readonly isDistinct: Uint8Array;
  /** The least that all options of least cost add up to, per device: no largest cost is below it. */
  readonly average: number;
  /** Also the largest over units of their least largest shard. */
  readonly bound: number;
}

/** A memory beside the devices' own. */
export interface FurtherMemory {
  /** Of each shard. */
  readonly bytes: Float64Array;
  /** The part of it that a device draws on: its own, or its node's pool. */
  readonly poolOf: Int32Array;
  readonly capacity: Float64Array;
}

export function layoutOf(problem: PlacementProblem, units: readonly Unit[]): Layout {
  const options = units.flatMap(({ options: own }) => own);
  const shards = options.flatMap(({ shards: own }) => own);
  const devices = deviceCount(problem);
  const slotStart = starts(units.map(({ options: own }) => Math.max(...own.map(({ shards: { length } }) => length))));
  const unitOfSlot = new Int32Array(slotStart[units.length] as number);
  for (const unit of units.keys()) unitOfSlot.fill(unit, slotStart[unit], slotStart[unit + 1]);
  const { gpusPerNode } = problem;
  const { hbm, host, ssd } = memoriesOf(problem);
  const sets = new Map<string, { list: Int32Array; flags: Uint8Array }>();
  const setOf = (list: readonly number[]): { list: Int32Array; flags: Uint8Array } => {
    const key = list.join();
    let found = sets.get(key);
    if (found === undefined) {
      found = { list: Int32Array.from(list), flags: new Uint8Array(devices) };
      for (const device of list) found.flags[device] = 1;
      sets.set(key, found);
    }
    return found;
  };
  const cheapest = units.map(({ options: own }) =>
    Math.min(...own.map(({ shards: list }) => list.reduce((sum, { cost }) => sum + cost, 0))),
  );
  const largest = units.map(({ options: own }) =>
    Math.min(...own.map(({ shards: list }) => list.reduce((most, { cost }) => Math.max(most, cost), 0))),
  );
  const average = cheapest.reduce((sum, cost) => sum + cost, 0) / devices;
  return {
    units,
    deviceCount: devices,
    gpusPerNode,
    optionStart: starts(units.map(({ options: own }) => own.length)),
    freedom: Uint8Array.from(options, ({ freedom }) => freedom),
    copies: Int32Array.from(options, ({ copies }) => copies),
    shardStart: starts(options.map(({ shards: own }) => own.length)),
    peak: Float64Array.from(options, ({ shards: own }) => Math.max(...own.map(({ cost }) => cost))),
    cost: Float64Array.from(shards, ({ cost }) => cost),
    hbm: Float64Array.from(shards, ({ hbmBytes }) => hbmBytes),
    slotStart,
    unitOfSlot,
    devices: options.map((option) => setOf(option.devices).list),
    admitted: options.map((option) => setOf(option.devices).flags),
    nodes: options.map((option) => Int32Array.from(option.nodes)),
    hbmCapacity: hbm.capacity,
    further: [host, ssd].flatMap((memory) => (memory === null ? [] : furtherMemory(memory, shards, devices))),
    apartStart: starts(units.map(({ apart }) => apart.length)),
    apart: Int32Array.from(units.flatMap(({ apart }) => apart)),
    apartGroups: Math.max(problem.apart.length, ...units.flatMap(({ apart }) => apart.map((group) => group + 1))),
    ownGroups: problem.apart.length,
    isDistinct: Uint8Array.from(options, ({ isDistinct }) => Number(isDistinct)),
    average,
    bound: largest.reduce((most, cost) => Math.max(most, cost), average),
  };
}

/** None where no shard needs it. */
function furtherMemory({ bytesOf, capacity, size }: Memory, shards: readonly ShardNeed[], devices: number) {
  const bytes = Float64Array.from(shards, bytesOf);
  if (bytes.every((own) => own === 0)) return [];
  return [{ bytes, poolOf: Int32Array.from({ length: devices }, (_, d) => Math.floor(d / size)), capacity }];
}

/** Running sums from zero. */
function starts(lengths: readonly number[]): Int32Array {
  const sums = new Int32Array(lengths.length + 1);
  for (const [k, length] of lengths.entries()) sums[k + 1] = (sums[k] as number) + length;
  return sums;
}
