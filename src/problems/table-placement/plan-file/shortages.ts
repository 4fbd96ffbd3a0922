import { coldPart, hotCopies } from "../../../../models/table-placement/hot-rows.js";
import {
  deviceCount,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
  type ShardNeed,
} from "../../../../models/table-placement/problem.js";
import { runsOfShards, type ShardRun, shardRunsOf } from "../../../../models/table-placement/shard-runs.js";
import type { PlacementInfeasibility } from "./plan-file.js";

/** A reason why nothing fits that can be said in a sentence. Bytes are integers. */
export interface Shortage {
  readonly kind: PlacementInfeasibility["kind"];
  readonly memory: PlacementInfeasibility["memory"];
  /** Indices of the tables that are too much. */
  readonly tables: readonly number[];
  /** `null` where it is not of bytes. */
  readonly bytesNeeded: number | null;
  readonly bytesAvailable: number | null;
  /** What every device must have more for this reason to go. */
  readonly extraPerDevice: number;
  readonly explanation: string;
}

/** The tables of which no option has a place, whatever the memory; `null` where there is none. */
export function refusedTables({ tables }: PlacementProblem): Shortage | null {
  const refused = tables.flatMap(({ name, refused: why }, t) => (why === undefined ? [] : [{ name, why, t }]));
  if (refused.length === 0) return null;
  return {
    ...{ kind: "rule", memory: "device", bytesNeeded: null, bytesAvailable: null, extraPerDevice: 0 },
    tables: refused.map(({ t }) => t),
    explanation: refused.map(({ name, why }) => `table ${name}: ${why}`).join("; "),
  };
}

/** Tables of which every option has a shard that is larger than any device it may use. */
export function singleTables(problem: PlacementProblem): Shortage[] {
  return problem.tables.flatMap((table, t): Shortage[] => {
    if (table.refused !== undefined) return [];
    const [first, ...others] = table.options.map((option) => misfitOf(problem, table, option));
    const least = others.reduce((best, misfit) => (short(misfit) < short(best) ? misfit : best), first as Misfit);
    if (short(least) === 0) return [];
    const { memory, needed, available } = least;
    const name = JSON.stringify(table.name);
    const options = table.options.length === 1 ? "" : `; of its ${table.options.length} options this one lacks least`;
    return [
      {
        kind: "table",
        memory,
        tables: [t],
        bytesNeeded: needed,
        bytesAvailable: available,
        extraPerDevice: needed - available,
        explanation: `table ${name} has a shard of ${needed} bytes of ${memory} memory, the device with most room that it may use has ${available}${options}`,
      },
    ];
  });
}

/** The shard of an option that lacks most on the best device for it alone, and how much. */
interface Misfit {
  readonly memory: "device" | "host" | "SSD";
  readonly needed: number;
  readonly available: number;
}

function short({ needed, available }: Misfit): number {
  return Math.max(0, needed - available);
}

function misfitOf(problem: PlacementProblem, table: PlacementTable, option: PlacementOption): Misfit {
  const { hostBytes, hbmBytes, ssdBytes } = problem;
  const rooms = {
    device: (d: number) => hbmBytes[d] as number,
    host: (d: number) => (hostBytes === null ? Infinity : hostRoom(problem, hostBytes, d)),
    SSD: (d: number) => (ssdBytes === undefined ? Infinity : (ssdBytes[d] as number)),
  };
  const allowed = table.devices ?? [...hbmBytes.keys()];
  let worst: Misfit = { memory: "device", needed: 0, available: 0 };
  // Shards that may go anywhere have the device with most room; those with a device of their own, the least of theirs.
  const consider = (runs: readonly ShardRun[], isFree: boolean) => {
    for (const { need, from, count } of runs) {
      const needs = { device: need.hbmBytes, host: need.hostBytes, SSD: need.ssdBytes ?? 0 };
      for (const memory of ["device", "host", "SSD"] as const) {
        const needed = needs[memory];
        if (needed <= short(worst)) continue;
        const available = isFree ? largest(allowed.map(rooms[memory])) : leastRoom(rooms[memory], from, count);
        if (short({ memory, needed, available }) > short(worst)) worst = { memory, needed, available };
      }
    }
  };
  consider(shardRunsOf(coldPart(option)), option.partitionBy !== "uniform");
  consider(runsOfShards(hotCopies(option)), false);
  return worst;
}

function leastRoom(roomOf: (device: number) => number, from: number, count: number): number {
  let least = Infinity;
  for (let device = from; device < from + count; device++) least = Math.min(least, roomOf(device));
  return least;
}

/** Host memory that a shard on a device could use with nothing else there. */
function hostRoom({ hostIsPooled, gpusPerNode }: PlacementProblem, host: readonly number[], device: number): number {
  if (!hostIsPooled) return host[device] as number;
  const first = device - (device % gpusPerNode);
  return sum(host.slice(first, first + gpusPerNode));
}

/** Tables that need more in all than all devices have, however they are sharded. */
export function totals(problem: PlacementProblem): Shortage[] {
  const { tables, hbmBytes, hostBytes, ssdBytes } = problem;
  const devices = deviceCount(problem);
  const least = (bytes: (shard: ShardNeed) => number) =>
    tables.map(({ options }) =>
      Math.min(...options.map((option) => sum(shardRunsOf(option).map(({ need, count }) => count * bytes(need))))),
    );
  const hbm = sum(hbmBytes);
  const host = hostBytes === null ? Infinity : sum(hostBytes);
  const kinds = [
    { memory: "device", needs: least((shard) => shard.hbmBytes), available: hbm },
    { memory: "host", needs: least((shard) => shard.hostBytes), available: host },
    {
      memory: "device and host",
      needs: least((shard) => shard.hbmBytes + shard.hostBytes),
      available: hbm + host,
    },
    {
      memory: "SSD",
      needs: least((shard) => shard.ssdBytes ?? 0),
      available: ssdBytes === undefined ? Infinity : sum(ssdBytes),
    },
  ] as const;
  return kinds.flatMap(({ memory, needs, available }): Shortage[] => {
    const total = sum(needs);
    if (!(total > available) || !Number.isSafeInteger(available)) return [];
    const conflict: number[] = [];
    let needed = 0;
    for (const t of byFalling(needs)) {
      conflict.push(t);
      needed += needs[t] as number;
      if (needed > available) break;
    }
    return [
      {
        kind: "total",
        memory,
        tables: conflict,
        bytesNeeded: total,
        bytesAvailable: available,
        extraPerDevice: Math.ceil((total - available) / devices),
        explanation: `with the option of each table that needs the least, all tables need ${total} bytes of ${memory} memory; the ${devices} devices have ${available}; the fewest tables that are already too much are ${conflict.length} (${needed} bytes)`,
      },
    ];
  });
}

/**
 * Too many large shards: of k · devices + 1 tables some device gets k + 1, and already the k + 1 smallest of them are
 * more than the largest device holds. Each table counts with a shard that it has whatever its option.
 */
export function crowding(problem: PlacementProblem): Shortage[] {
  const devices = deviceCount(problem);
  const capacity = largest(problem.hbmBytes);
  const needs = problem.tables.map(({ options }) =>
    Math.min(...options.map(({ shards }) => largest(shards.map(({ hbmBytes }) => hbmBytes)))),
  );
  const order = byFalling(needs);
  for (let k = 1; k * devices + 1 <= order.length; k++) {
    const tables = order.slice(0, k * devices + 1);
    const smallest = tables.slice(-(k + 1));
    const needed = sum(smallest.map((t) => needs[t] as number));
    if (needed <= capacity) continue;
    return [
      {
        kind: "crowding",
        memory: "device",
        tables,
        bytesNeeded: needed,
        bytesAvailable: capacity,
        extraPerDevice: needed - capacity,
        explanation: `of ${tables.length} tables some device gets at least ${k + 1}, because there are ${devices} devices, and the smallest ${k + 1} of them need ${needed} bytes together; the largest device has ${capacity}`,
      },
    ];
  }
  return [];
}

/** Indices by falling value, ties by index. */
function byFalling(values: readonly number[]): number[] {
  return [...values.keys()].sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
