import { Rational } from "../../src/exact/rational.js";
import { effectivePartition, groupsByNode, hasFixedSlots } from "./constraints.js";
import { coldPart } from "./hot-rows.js";
import type { Placement, PlacementOption, PlacementProblem, PlacementTable, ShardNeed } from "./problem.js";

/**
 * Hosts in place of devices: a relaxation in which what a host's devices cost on average, and their memory together, is what counts. A
 * shard costs its part of a device of the host, and shards that fill a host, or belong inside one, are one shard. Every placement
 * gives one of this problem, with tables on the hosts of its devices and a largest cost that is no more.
 *
 * What ties devices of one host is left out (`apart`, `distinctDevices`), but for what the device with most of a shard costs. README.md beside this file has
 * the proof.
 */
export function hostsProblem(problem: PlacementProblem): PlacementProblem {
  const { nodes, gpusPerNode, hbmBytes, hostBytes, ssdBytes, apart: _apart, ...rest } = problem;
  const hosts = Array.from({ length: nodes }, (_, host) => host);
  const hostOf = (device: number) => Math.floor(device / gpusPerNode);
  const summed = (bytes: readonly number[]) =>
    hosts.map((host) => sumOf(bytes.slice(host * gpusPerNode, (host + 1) * gpusPerNode)));
  const tableOn = (table: PlacementTable): PlacementTable => ({
    ...table,
    devices: table.devices === null ? null : [...new Set(table.devices.map(hostOf))],
    options: table.options.map((option) => optionOn(problem, option)),
  });
  return {
    ...rest,
    ...{ nodes: 1, gpusPerNode: nodes, hostIsPooled: false, apart: [] },
    hbmBytes: summed(hbmBytes),
    hostBytes: hostBytes === null ? null : summed(hostBytes),
    ...(ssdBytes === undefined ? {} : { ssdBytes: summed(ssdBytes) }),
    tables: problem.tables.map(tableOn),
  };
}

/** The shards of an option that are one shard on a host, each a list of shards, the copies of hot rows last. */
export function hostShards(problem: PlacementProblem, option: PlacementOption): readonly (readonly number[])[] {
  const { gpusPerNode } = problem;
  const cold = coldPart(option);
  const all = Array.from({ length: option.shards.length }, (_, shard) => shard);
  const own = all.slice(0, cold.shards.length);
  return [...coldOnHosts(problem, cold, own), ...inRuns(all.slice(own.length), gpusPerNode)];
}

/** The placement on hosts that one on devices gives. */
export function onHosts(problem: PlacementProblem, { choices }: Placement): Placement {
  return {
    choices: choices.map(({ option, devices }, t) => {
      const own = problem.tables[t]?.options[option] as PlacementOption;
      const hostOf = ([first]: readonly number[]) =>
        Math.floor((devices[first as number] as number) / problem.gpusPerNode);
      return { option, devices: hostShards(problem, own).map(hostOf) };
    }),
  };
}

function coldOnHosts(problem: PlacementProblem, cold: PlacementOption, own: readonly number[]) {
  const { gpusPerNode } = problem;
  const partition = effectivePartition(problem, cold);
  if (partition === "device") return own.map((shard) => [shard]);
  if (partition === "uniform") return inRuns(own, gpusPerNode);
  if (partition === "host") return [own];
  const groups = inRuns(own, gpusPerNode);
  return groupsByNode(problem, own.length).map((same) => same.flatMap((group) => groups[group] as readonly number[]));
}

function inRuns(shards: readonly number[], length: number): (readonly number[])[] {
  const runs: (readonly number[])[] = [];
  for (let first = 0; first < shards.length; first += length) runs.push(shards.slice(first, first + length));
  return runs;
}

function optionOn(problem: PlacementProblem, option: PlacementOption): PlacementOption {
  const { hot, incoming: _incoming, distinctDevices: _distinct, ...rest } = option;
  const known = new Map<string, ShardNeed>();
  const cold = coldPart(option);
  const partition = effectivePartition(problem, cold);
  const isFixed = partition === "uniform" || partition === "multi_host" || hasFixedSlots(problem, cold);
  const shards = hostShards(problem, option).map((shards) => {
    const need = needOn(
      shards.map((shard) => option.shards[shard] as ShardNeed),
      problem.gpusPerNode,
      shards.length >= problem.gpusPerNode && (isFixed || (shards[0] as number) >= cold.shards.length),
    );
    const key = JSON.stringify(need);
    const same = known.get(key) ?? need;
    known.set(key, same);
    return same;
  });
  return {
    ...rest,
    partitionBy: partition === "uniform" ? "uniform" : "device",
    shards,
    ...(hot === undefined ? {} : { hot: { ...hot, copies: hot.copies / problem.gpusPerNode } }),
  };
}

/** What shards need of a host: their mean cost on its devices, rounded down, and all their bytes. `isOnAll`: every device has some. */
function needOn(needs: readonly ShardNeed[], devices: number, isOnAll: boolean): ShardNeed {
  const costs = needs.map((need) => need.cost);
  const cost = needs.reduce((sum, need) => sum.add(Rational.fromNumber(need.cost)), Rational.zero);
  const ssdBytes = sumOf(needs.map((need) => need.ssdBytes ?? 0));
  return {
    // In doubles, down: no host costs more than its devices do on average.
    cost: cost.divide(Rational.of(BigInt(devices))).toNumberDown(),
    hbmBytes: sumOf(needs.map((need) => need.hbmBytes)),
    hostBytes: sumOf(needs.map((need) => need.hostBytes)),
    ...(ssdBytes === 0 ? {} : { ssdBytes }),
    within: { least: isOnAll ? Math.min(...costs) : 0, most: Math.max(...costs) },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
