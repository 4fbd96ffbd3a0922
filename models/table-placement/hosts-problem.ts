import { Rational } from "../../src/exact/rational.js";
import { effectivePartition, groupsByNode, hasFixedSlots } from "./constraints.js";
import { type DirectProgram, directProgram, type PointedProgram } from "./direct-program.js";
import { evaluatePlacement } from "./evaluate.js";
import { coldPart } from "./hot-rows.js";
import { sharedNeeds } from "./option-site.js";
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
  const one = sharedNeeds();
  const cold = coldPart(option);
  const partition = effectivePartition(problem, cold);
  const isFixed = partition === "uniform" || partition === "multi_host" || hasFixedSlots(problem, cold);
  const shards = hostShards(problem, option).map((shards) => {
    const needs = shards.map((shard) => option.shards[shard] as ShardNeed);
    const isOnAll = shards.length >= problem.gpusPerNode && (isFixed || (shards[0] as number) >= cold.shards.length);
    return one(needOn(needs, problem.gpusPerNode, isOnAll));
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

/**
 * The direct program of {@link hostsProblem}, with a point for every placement on devices: its options and hosts, and its own largest
 * cost as z. No bound of the program is above what the best placement costs.
 */
export function hostsProgram(problem: PlacementProblem): ReturnType<typeof onHostsOf> {
  return onHostsOf(problem, directProgram(hostsProblem(problem)));
}

/**
 * The direct program of hosts as one of the problem's placements on devices. Its ceiling is what all tables together cost on a
 * host: its column of the largest cost ends there, and of a placement that costs more there is no point, for which `RangeError` is thrown.
 */
export function onHostsOf(
  problem: PlacementProblem,
  { program, structure: { largest, unit }, pointOf }: DirectProgram,
): PointedProgram & { readonly ceiling: Rational } {
  const { upper } = program.columns[largest] as DirectProgram["program"]["columns"][number];
  const ceiling = (upper as Rational).multiply(unit);
  return {
    program,
    name: "hosts",
    ceiling,
    pointOf: (placement) => {
      const point = [...pointOf(onHosts(problem, placement))];
      const value = evaluatePlacement(problem, placement).objective;
      if (value.compare(ceiling) > 0) throw new RangeError("the placement is above what the program of hosts has");
      point[largest] = value.divide(unit);
      return point;
    },
  };
}
