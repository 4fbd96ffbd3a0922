import { groupsByNode } from "../../../../../models/table-placement/constraints.js";
import { grouped } from "../../../../../models/table-placement/grouped.js";
import { coldPart, hotCopies } from "../../../../../models/table-placement/hot-rows.js";
import {
  deviceCount,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";

/** How the shards of a unit's option may move. */
export const FREE = 0;
/** Any device of one node for each shard. */
export const NODE = 1;
/** Shard i on device i. */
export const UNIFORM = 2;
/**
 * Groups of gpusPerNode shards on different nodes, shard i of a group on its node's i-th device. Groups that share a node,
 * because there are more than nodes, are one group here, of shards that are the sums of theirs.
 */
export const GROUPS = 3;
export type Freedom = typeof FREE | typeof NODE | typeof UNIFORM | typeof GROUPS;

/** What the search decides as one: a table, or tables that must share a device. */
export interface Unit {
  readonly tables: readonly number[];
  readonly options: readonly UnitOption[];
  /** Indices of the `apart` groups that any of its tables is in; shards that have a device each are such a group of their own. */
  readonly apart: readonly number[];
}

export interface UnitOption {
  /** The option of each of the unit's tables. */
  readonly choice: readonly number[];
  readonly freedom: Freedom;
  /** Several tables (or groups of shards) that share a device have one shard here, the sum of theirs. */
  readonly shards: readonly ShardNeed[];
  /** So many of the last shards are copies of hot rows, one on every device. */
  readonly copies: number;
  /** No device may have two of the other shards. */
  readonly isDistinct: boolean;
  /** Devices that a shard may use (`FREE`). */
  readonly devices: readonly number[];
  /** Nodes that a group (`GROUPS`) or the whole option (`NODE`) may use. */
  readonly nodes: readonly number[];
}

/** Bundles of tables keep this many combinations of options at most. */
const LARGEST_BUNDLE = 128;

/**
 * The units of a problem, or `null` where one has no option that its devices admit, or where tables must be together and
 * apart at once. Options that another one dominates shard by shard under the same freedom are left out: what is found
 * without them is no worse.
 */
export function unitsOf(problem: PlacementProblem): readonly Unit[] | null {
  const units: Unit[] = [];
  let groups = problem.apart.length;
  for (const tables of bundles(problem)) {
    const apart = problem.apart.flatMap((group, index) => tables.flatMap((t) => (group.includes(t) ? [index] : [])));
    if (new Set(apart).size < apart.length) return null;
    const [only] = tables as [number];
    const options =
      tables.length === 1
        ? optionsOf(problem, only)
        : bundleOptions(problem, tables).filter((option) => fitsAlone(problem, option));
    if (options.length === 0) return null;
    if (options.some(({ isDistinct }) => isDistinct)) apart.push(groups++);
    units.push({ tables, options, apart });
  }
  return units;
}

/** Tables joined by `together`, each group in rising order, in the order of their first tables. */
function bundles(problem: PlacementProblem): number[][] {
  const first = problem.tables.map((_, index) => index);
  const root = (table: number): number => {
    let at = table;
    while (first[at] !== at) at = first[at] as number;
    return at;
  };
  for (const group of problem.together) {
    for (const table of group) {
      const [a, b] = [root(group[0] as number), root(table)];
      first[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return [...grouped(first.keys(), root).values()];
}

function optionsOf(problem: PlacementProblem, table: number): UnitOption[] {
  const admitted = (problem.tables[table] as PlacementProblem["tables"][number]).options.flatMap((_, index) => {
    const option = optionIn(problem, table, index);
    return option === null ? [] : [option];
  });
  return undominated(admitted.filter((option) => fitsAlone(problem, option)));
}

/** Whether every shard finds a device that would hold it if it were alone there. */
function fitsAlone(problem: PlacementProblem, { devices, shards }: UnitOption): boolean {
  const largest = devices.reduce((most, device) => Math.max(most, problem.hbmBytes[device] as number), 0);
  return shards.every(({ hbmBytes }) => hbmBytes <= largest);
}

/** One option of one table as its devices admit it, `null` where they do not (or there is none of that index). */
export function optionIn(problem: PlacementProblem, table: number, index: number): UnitOption | null {
  const { options, devices } = problem.tables[table] as PlacementProblem["tables"][number];
  const option = options[index];
  if (option === undefined) return null;
  const cold = coldPartIn(problem, table, index, coldPart(option));
  const copies = hotCopies(option);
  if (cold === null || copies.length === 0) return cold;
  if (devices !== null && copies.some((_, device) => !devices.includes(device))) return null;
  return { ...cold, shards: [...cold.shards, ...copies], copies: copies.length };
}

function coldPartIn(
  problem: PlacementProblem,
  table: number,
  index: number,
  option: PlacementOption,
): UnitOption | null {
  const { nodes, gpusPerNode } = problem;
  const { devices: given } = problem.tables[table] as PlacementProblem["tables"][number];
  const { partitionBy, shardingType, shards } = option;
  const all = Array.from({ length: deviceCount(problem) }, (_, device) => device);
  const devices = given === null ? all : all.filter((device) => given.includes(device));
  const has = new Set(devices);
  const isDistinct = option.distinctDevices === true && shards.length > 1;
  const base = { choice: [index], shards, copies: 0, isDistinct: false, devices, nodes: [] as number[] };
  const isWhole = (node: number, count: number): boolean =>
    Array.from({ length: count }, (_, i) => node * gpusPerNode + i).every((device) => has.has(device));
  const allNodes = Array.from({ length: nodes }, (_, node) => node);
  if (partitionBy === "uniform") {
    return shards.every((_, shard) => has.has(shard)) ? { ...base, freedom: UNIFORM } : null;
  }
  if (partitionBy === "multi_host" || (shardingType === "table_row_wise" && shards.length === gpusPerNode)) {
    if (partitionBy === "multi_host" || partitionBy === "host") {
      const whole = allNodes.filter((node) => isWhole(node, gpusPerNode));
      const groups = shards.length / gpusPerNode;
      if (!Number.isInteger(groups) || whole.length < (isDistinct ? groups : Math.min(groups, nodes))) return null;
      return { ...base, shards: sharedByNode(problem, shards), freedom: GROUPS, nodes: whole };
    }
  }
  if (devices.length === 0) return null;
  const least = isDistinct ? shards.length : 1;
  if (partitionBy === "device" || shards.length === 1) {
    return devices.length < least ? null : { ...base, isDistinct, freedom: FREE };
  }
  const homes = allNodes.filter((node) => devices.filter((d) => Math.floor(d / gpusPerNode) === node).length >= least);
  return homes.length === 0 ? null : { ...base, isDistinct, freedom: NODE, nodes: homes };
}

/** The shards of the first groups, each with those of the groups that share its node. */
function sharedByNode(problem: PlacementProblem, shards: readonly ShardNeed[]): readonly ShardNeed[] {
  const { gpusPerNode } = problem;
  const byNode = groupsByNode(problem, shards.length);
  if (byNode.every(({ length }) => length === 1)) return shards;
  return byNode.flatMap((groups) =>
    Array.from({ length: gpusPerNode }, (_, slot) =>
      sumOf(groups.map((group) => shards[group * gpusPerNode + slot] as ShardNeed)),
    ),
  );
}

function sumOf(shards: readonly ShardNeed[]): ShardNeed {
  return {
    cost: shards.reduce((sum, { cost }) => sum + cost, 0),
    hbmBytes: shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0),
    hostBytes: shards.reduce((sum, { hostBytes }) => sum + hostBytes, 0),
    ssdBytes: shards.reduce((sum, { ssdBytes = 0 }) => sum + ssdBytes, 0),
  };
}

/** The ways in which all shards of several tables share one device, as options of one shard each. */
function bundleOptions(problem: PlacementProblem, tables: readonly number[]): UnitOption[] {
  let combined: UnitOption[] | null = null;
  for (const table of tables) {
    const ways = optionsOf(problem, table).flatMap((option) => onOneDevice(problem, option));
    if (combined === null) combined = ways;
    else combined = undominated(combined.flatMap((a) => ways.flatMap((b) => joined(a, b))));
    // A sample over the whole range, so that cheap and small combinations both stay.
    if (combined.length > LARGEST_BUNDLE) {
      const sorted = [...combined].sort((a, b) => costOf(a) - costOf(b));
      const step = sorted.length / LARGEST_BUNDLE;
      combined = Array.from({ length: LARGEST_BUNDLE }, (_, k) => sorted[Math.floor(k * step)] as UnitOption);
    }
  }
  return combined ?? [];
}

function onOneDevice(problem: PlacementProblem, option: UnitOption): UnitOption[] {
  const { freedom, shards, copies, isDistinct } = option;
  // What is on every device is on no one alone.
  if (copies > 0 || isDistinct) return [];
  if (shards.length > 1 && freedom !== FREE && freedom !== NODE) return [];
  // A group of one shard stands for a node of one device.
  const devices =
    freedom === UNIFORM
      ? [0]
      : freedom === GROUPS
        ? option.nodes.map((node) => node * problem.gpusPerNode)
        : option.devices;
  return [{ choice: option.choice, freedom: FREE, shards: [sumOf(shards)], copies, isDistinct, devices, nodes: [] }];
}

function joined(a: UnitOption, b: UnitOption): UnitOption[] {
  const [x, y] = [a.shards[0] as ShardNeed, b.shards[0] as ShardNeed];
  const devices = a.devices.filter((device) => b.devices.includes(device));
  if (devices.length === 0) return [];
  const choice = [...a.choice, ...b.choice];
  return [{ choice, freedom: FREE, shards: [sumOf([x, y])], copies: 0, isDistinct: false, devices, nodes: [] }];
}

function costOf({ shards }: UnitOption): number {
  return shards.reduce((sum, { cost }) => sum + cost, 0);
}

function undominated(options: readonly UnitOption[]): UnitOption[] {
  return options.filter(
    (option, k) =>
      !options.some((other, j) => j !== k && dominates(other, option) && (j < k || !dominates(option, other))),
  );
}

/** Whether `a` may stand wherever `b` stands and needs no more there. */
export function dominates(a: UnitOption, b: UnitOption): boolean {
  if (a.shards.length !== b.shards.length || a.copies !== b.copies || (a.isDistinct && !b.isDistinct)) return false;
  if (a.freedom !== b.freedom && !(a.freedom === FREE && b.freedom === NODE)) return false;
  if (a.devices.length < b.devices.length || !b.devices.every((device) => a.devices.includes(device))) return false;
  return a.shards.every((x, i) => {
    const y = b.shards[i] as ShardNeed;
    const isNoLarger = x.hbmBytes <= y.hbmBytes && x.hostBytes <= y.hostBytes;
    return x.cost <= y.cost && isNoLarger && (x.ssdBytes ?? 0) <= (y.ssdBytes ?? 0);
  });
}
