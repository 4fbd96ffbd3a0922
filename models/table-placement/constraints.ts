import { coldPart, withoutCopies } from "./hot-rows.js";
import {
  deviceCount,
  type Partition,
  type Placement,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
} from "./problem.js";

/** Where shards are that they may not be, in words; empty where every shard is in a place that it may have. */
export function constraintViolations(problem: PlacementProblem, placement: Placement): string[] {
  return [
    ...problem.tables.flatMap((table, t) => tableViolations(problem, table, placement.choices[t] as Choice)),
    ...problem.together.flatMap((group) => togetherViolations(problem, group, placement)),
    ...problem.apart.flatMap((group) => apartViolations(problem, group, placement)),
  ];
}

type Choice = Placement["choices"][number];

/** By device, whether a table's shards may be there. */
export function allowedDevices(
  problem: Pick<PlacementProblem, "nodes" | "gpusPerNode">,
  { devices }: Pick<PlacementTable, "devices">,
): boolean[] {
  const allowed = new Array<boolean>(deviceCount(problem)).fill(devices === null);
  for (const device of devices ?? []) allowed[device] = true;
  return allowed;
}

function tableViolations(problem: PlacementProblem, table: PlacementTable, choice: Choice): string[] {
  if (table.refused !== undefined) return [`table ${table.name}: ${table.refused}`];
  const option = table.options[choice.option] as PlacementOption;
  const violations = [
    ...straysOf(option, choice.devices),
    ...partitionViolation(problem, coldPart(option), withoutCopies(option, choice.devices)),
    ...sharedDevice(option, withoutCopies(option, choice.devices)),
  ].map((said) => `table ${table.name}: ${said}`);
  const allowed = table.devices === null ? null : new Set(table.devices);
  const other = allowed === null ? undefined : choice.devices.find((device) => !allowed.has(device));
  if (other !== undefined) {
    violations.push(`table ${table.name}: a shard is on device ${other}, which is none of the table's devices`);
  }
  return violations;
}

/** Copies of hot rows: one on every device, in their order. */
function straysOf({ hot, shards }: PlacementOption, devices: readonly number[]): string[] {
  if (hot === undefined) return [];
  const first = shards.length - hot.copies;
  const stray = devices.slice(first).findIndex((device, d) => device !== d);
  return stray === -1
    ? []
    : [`the copy of the hot rows for device ${stray} belongs there, it is on ${devices[first + stray]}`];
}

/** See {@link PlacementOption.distinctDevices}. */
function sharedDevice(
  { distinctDevices, shardingType, kernel }: PlacementOption,
  devices: readonly number[],
): string[] {
  const shared = distinctDevices ? repeatedDevice(devices) : undefined;
  if (shared === undefined) return [];
  return [`two shards of ${shardingType} ${kernel} are on device ${shared}, and belong on different ones`];
}

/** The first device that shards before it have too; undefined where each is on a device of its own. */
export function repeatedDevice(devices: readonly number[]): number | undefined {
  const seen = new Set<number>();
  return devices.find((device) => seen.size === seen.add(device).size);
}

/** See {@link PlacementOption.partitionBy}. */
function partitionViolation(
  problem: PlacementProblem,
  { partitionBy, shards, shardingType }: PlacementOption,
  devices: readonly number[],
): string[] {
  const { nodes, gpusPerNode } = problem;
  const nodeOf = (device: number) => Math.floor(device / gpusPerNode);
  const slotOf = (device: number) => device % gpusPerNode;
  const misplaced = (wanted: (shard: number) => number) => {
    const shard = devices.findIndex((device, k) => device !== wanted(k));
    return shard === -1
      ? []
      : [`shard ${shard} of ${shardingType} belongs on device ${wanted(shard)}, it is on ${devices[shard]}`];
  };
  if (partitionBy === "device") return [];
  if (partitionBy === "uniform") return misplaced((shard) => shard);
  if (partitionBy === "host") {
    const node = nodeOf(devices[0] as number);
    if (hasFixedSlots(problem, { shards, shardingType })) return misplaced((shard) => node * gpusPerNode + shard);
    return devices.every((device) => nodeOf(device) === node)
      ? []
      : [`the shards of ${shardingType} are on several nodes, and belong on one`];
  }
  const groups = shards.length / gpusPerNode;
  if (!Number.isInteger(groups)) return [`${shards.length} shards of ${shardingType} make no groups of ${gpusPerNode}`];
  const homes = Array.from({ length: groups }, (_, group) => nodeOf(devices[group * gpusPerNode] as number));
  const expected = (shard: number) => (homes[Math.floor(shard / gpusPerNode)] as number) * gpusPerNode + slotOf(shard);
  const violations = misplaced(expected);
  const first = homes.slice(0, nodes);
  if (new Set(first).size < first.length) {
    violations.push(`two groups of ${shardingType} are on one node, and belong on different ones`);
  }
  const stray = homes.findIndex((home, group) => home !== homes[group % nodes]);
  if (stray !== -1) {
    violations.push(
      `group ${stray} of ${shardingType} belongs on node ${homes[stray % nodes]}, as group ${stray % nodes} does, it is on ${homes[stray]}`,
    );
  }
  return violations;
}

/**
 * The groups of a `multi_host` option's shards (or of one with fixed slots on a node), by the node that they share: of more
 * groups than nodes some have the same.
 */
export function groupsByNode(
  { nodes, gpusPerNode }: Pick<PlacementProblem, "nodes" | "gpusPerNode">,
  shards: number,
): number[][] {
  const groups = Math.floor(shards / gpusPerNode);
  const first = Array.from({ length: Math.min(groups, nodes) }, (_, group) => group);
  return first.map((node) => Array.from({ length: Math.ceil((groups - node) / nodes) }, (_, k) => node + k * nodes));
}

/**
 * The simplest partition that allows an option the same places, copies of hot rows apart: one shard inside a node may be on any device, and a cluster of
 * one node leaves `host` and `multi_host` no choice of nodes.
 */
export function effectivePartition(
  problem: Pick<PlacementProblem, "nodes" | "gpusPerNode">,
  option: PlacementOption,
): Partition {
  const cold = coldPart(option);
  const { partitionBy, shards } = cold;
  if (partitionBy === "device" || partitionBy === "uniform") return partitionBy;
  const isFixed = partitionBy === "multi_host" || hasFixedSlots(problem, cold);
  if (problem.nodes === 1 && shards.length <= problem.gpusPerNode) return isFixed ? "uniform" : "device";
  return shards.length === 1 && !isFixed ? "device" : partitionBy;
}

/** Whether the shards of a `host` option without copies of hot rows have their own device each inside a node. */
export function hasFixedSlots(
  { gpusPerNode }: Pick<PlacementProblem, "gpusPerNode">,
  { shards, shardingType }: Pick<PlacementOption, "shards" | "shardingType">,
): boolean {
  return shardingType === "table_row_wise" && shards.length === gpusPerNode;
}

function togetherViolations({ tables }: PlacementProblem, group: readonly number[], { choices }: Placement): string[] {
  const [home] = (choices[group[0] as number] as Choice).devices;
  const stray = group.find((t) => (choices[t] as Choice).devices.some((device) => device !== home));
  if (stray === undefined) return [];
  const names = group.map((t) => tables[t]?.name).join(", ");
  return [`the tables ${names} belong together on one device, ${tables[stray]?.name} is not on device ${home}`];
}

function apartViolations({ tables }: PlacementProblem, group: readonly number[], { choices }: Placement): string[] {
  const holder = new Map<number, number>();
  for (const t of group) {
    for (const device of (choices[t] as Choice).devices) {
      const other = holder.get(device);
      if (other !== undefined && other !== t) {
        return [`the tables ${tables[other]?.name} and ${tables[t]?.name} belong apart, both are on device ${device}`];
      }
      holder.set(device, t);
    }
  }
  return [];
}
