import type { Proposal } from "./proposers.js";
import type { SearchSpace, SpaceOption, SpaceShard } from "./search-space.js";

/** The ranks of the shards of each table, by the problem's tables; `null` where TorchRec raises a `PlannerError`. */
export type Ranks = readonly (readonly number[])[];
export type Partitioner = (space: SearchSpace, proposal: Proposal) => Ranks | null;

export interface GreedyPartitionerOptions {
  /** What the largest of is placed first; TorchRec's default is storage. */
  readonly sortBy: "storage" | "perf";
  /** A limit on the HBM of every rank, beside its own. */
  readonly hbmCap?: number;
}

/**
 * planner/partitioners.py, `GreedyPerfPartitioner.partition`: uniform options first, shard i on rank i; then the others
 * from the largest down, each option's shards on the ranks with the least accumulated time among those with room.
 *
 * One departure: tables have no dependency that would place several as one.
 */
export function greedyPerfPartitioner({ sortBy, hbmCap }: GreedyPartitionerOptions): Partitioner {
  const place = sortBy === "storage" ? ("byStorage" as const) : ("byPerf" as const);
  return (space, proposal) => {
    const loads = rankLoads(space, hbmCap);
    const { hosts, byRank, byLocalRank } = space;
    const ranks: (readonly number[])[] = [];
    for (const option of proposal) {
      if (option.partitionBy !== "uniform") continue;
      const placed = placeInOrder(loads, option.shards, byRank);
      if (placed === null) return null;
      ranks[option.table] = placed;
    }
    for (const option of largestFirst(proposal, place)) {
      const placed =
        option.partitionBy === "device"
          ? placeAnywhere(loads, option, byLocalRank)
          : option.partitionBy === "host"
            ? placeInHost(loads, option, hosts)
            : placeOnHosts(loads, option, hosts);
      if (placed === null) return null;
      ranks[option.table] = placed;
    }
    return ranks;
  };
}

/** The options that are not uniform in a stable falling order. */
function largestFirst(proposal: Proposal, place: "byStorage" | "byPerf"): SpaceOption[] {
  // Place and position in one number each: a typed array sorts fastest.
  const keys = new Float64Array(proposal.length);
  let number = 0;
  for (let position = 0; position < proposal.length; position++) {
    const option = proposal[position] as SpaceOption;
    if (option.partitionBy !== "uniform") keys[number++] = option[place] * proposal.length + position;
  }
  const sorted: SpaceOption[] = [];
  for (const key of keys.subarray(0, number).sort()) sorted.push(proposal[key % proposal.length] as SpaceOption);
  return sorted;
}

/** `_uniform_partition`: shard i on the i-th of the ranks. Places nothing where one does not fit. */
function placeInOrder(
  loads: RankLoads,
  shards: readonly SpaceShard[],
  ranks: readonly number[],
): readonly number[] | null {
  if (shards.length !== ranks.length) return null;
  for (let i = 0; i < shards.length; i++) {
    if (!loads.fits(ranks[i] as number, shards[i] as SpaceShard)) return null;
  }
  for (let i = 0; i < shards.length; i++) loads.place(ranks[i] as number, shards[i] as SpaceShard);
  return ranks;
}

/**
 * `_device_partition`: each shard on the rank with the least time that has room, the first of equal ones; shards of a
 * column-wise key-value table on different ones (`_column_wise_device_partition`), and all that have a device each. Leaves what it placed where one fails.
 */
function placeAnywhere(loads: RankLoads, option: SpaceOption, ranks: readonly number[]): number[] | null {
  const isColumns = option.kernel === "key_value" && option.shardingType === "column_wise";
  const isApart = option.distinctDevices || isColumns;
  const placed: number[] = [];
  for (const shard of option.shards) {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const rank of ranks) {
      const total = loads.totals[rank] as number;
      if (total < least && loads.fits(rank, shard) && !(isApart && placed.includes(rank))) {
        best = rank;
        least = total;
      }
    }
    if (best === -1) return null;
    loads.place(best, shard);
    placed.push(best);
  }
  return placed;
}

/** `_cohost_partition`: all shards on one host, tried from the least time up. */
function placeInHost(
  loads: RankLoads,
  option: SpaceOption,
  hosts: readonly (readonly number[])[],
): readonly number[] | null {
  for (const host of leastTimeFirst(loads, hosts)) {
    const isLess = (bytes: number, left: readonly number[]) => bytes <= sumOf(left, host);
    if (!isLess(option.totalHbm, loads.hbmLeft) || !isLess(option.totalHost, loads.hostLeft)) continue;
    if (!isLess(option.totalSsd, loads.ssdLeft)) continue;
    if (option.shardingType === "table_row_wise") {
      const placed = placeInOrder(loads, option.shards, host);
      if (placed !== null) return placed;
      continue;
    }
    const undo = loads.save();
    const placed = placeAnywhere(loads, option, host);
    if (placed !== null) return placed;
    undo();
  }
  return null;
}

/**
 * `_multi_hosts_partition`: groups of one host's size on as many neighbours in the order of time, the first that fit; of more
 * groups than hosts on all of them, round and round. Leaves what it placed where those do not fit.
 */
function placeOnHosts(
  loads: RankLoads,
  option: SpaceOption,
  hosts: readonly (readonly number[])[],
): readonly number[] | null {
  const size = hosts[0]?.length as number;
  const groups = option.shards.length / size;
  if (!Number.isInteger(groups)) return null;
  const sorted = leastTimeFirst(loads, hosts);
  if (groups > sorted.length) {
    if (option.distinctDevices) return null;
    const around = Array.from(
      { length: groups },
      (_, group) => sorted[group % sorted.length] as readonly number[],
    ).flat();
    const fits = option.shards.every((shard, k) => {
      const rank = around[k] as number;
      if (!loads.fits(rank, shard)) return false;
      loads.place(rank, shard);
      return true;
    });
    return fits ? around : null;
  }
  for (let first = 0; first + groups <= sorted.length; first++) {
    const placed = placeInOrder(loads, option.shards, sorted.slice(first, first + groups).flat());
    if (placed !== null) return placed;
  }
  return null;
}

/** `_sort_devices_by_perf`, stable. */
function leastTimeFirst(loads: RankLoads, hosts: readonly (readonly number[])[]): (readonly number[])[] {
  return hosts
    .map((host) => ({ host, total: sumOf(loads.totals, host) }))
    .sort((a, b) => a.total - b.total)
    .map(({ host }) => host);
}

function sumOf(values: readonly number[], ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (values[rank] as number), 0);
}

interface MemoryBalancedOptions {
  /** Greedy partitions that are tried beside the first. */
  readonly maxSearchCount: number;
  /** How much worse than the first plan, relatively, a plan may be that needs less HBM. */
  readonly tolerance: number;
}

/** The search ends when its bounds are this close. */
const TEN_MEBIBYTES = 10 * 2 ** 20;

/**
 * planner/partitioners.py, `MemoryBalancedPartitioner`: the greedy partitioner by falling time; then a bisection on a cap of
 * every rank's HBM, between what it cannot be less than (the average, the largest shard) and what the first plan uses, for
 * the least cap whose plan is within the tolerance.
 *
 * A cap never lifts a rank's own limit; TorchRec's does where ranks differ.
 */
export function memoryBalancedPartitioner({ maxSearchCount, tolerance }: MemoryBalancedOptions): Partitioner {
  return (space, proposal) => {
    const first = greedyPerfPartitioner({ sortBy: "perf" })(space, proposal);
    if (first === null) return null;
    const limit = rate(space, proposal, first) * (1 + tolerance);
    let best = first;
    let { least, most } = bounds(space, proposal, first);
    for (let count = 0; count < maxSearchCount && least + TEN_MEBIBYTES < most; count++) {
      const hbmCap = Math.floor((most + least) / 2);
      const ranks = greedyPerfPartitioner({ sortBy: "perf", hbmCap })(space, proposal);
      if (ranks === null || rate(space, proposal, ranks) > limit) {
        least = hbmCap;
      } else {
        best = ranks;
        most = hbmCap;
      }
    }
    return best;
  };
}

function bounds({ devices }: SearchSpace, proposal: Proposal, ranks: Ranks): { least: number; most: number } {
  const used = new Array<number>(devices).fill(0);
  for (const { table, shards } of proposal) {
    for (const [k, rank] of (ranks[table] as readonly number[]).entries()) {
      used[rank] = (used[rank] as number) + (shards[k] as SpaceShard).hbmBytes;
    }
  }
  const total = proposal.reduce((sum, { totalHbm }: SpaceOption) => sum + totalHbm, 0);
  const largestShard = proposal.reduce((most, { largestHbm }) => Math.max(most, largestHbm), 0);
  return { least: Math.max(Math.trunc(total / devices), largestShard), most: Math.max(...used) };
}

/** planner/perf_models.py, `NoopPerfModel.rate`: the largest sum of costs on a rank, added up in the proposal's order. */
export function rate({ devices }: SearchSpace, proposal: Proposal, ranks: Ranks): number {
  const sums = new Array<number>(devices).fill(0);
  for (const { table, shards } of proposal) {
    const own = ranks[table] as readonly number[];
    for (let k = 0; k < own.length; k++) {
      const rank = own[k] as number;
      sums[rank] = (sums[rank] as number) + (shards[k] as SpaceShard).cost;
    }
  }
  return Math.max(...sums);
}

/**
 * The ranks of a topology while shards are placed, empty at first: what memory is left, and how much time has come together.
 * TorchRec counts host memory by the rank: of a pool each has its part. `hbmCap` limits the HBM of every rank.
 */
function rankLoads({ problem, devices, tables }: SearchSpace, hbmCap = Number.POSITIVE_INFINITY) {
  const phases = tables[0]?.[0]?.shards[0]?.phases.length ?? 1;
  // Plain lists: thousands of them are made for small problems, and of typed ones each takes a call of the run time.
  const list = (value: number) => new Array<number>(devices).fill(value);
  const hbmLeft = problem.hbmBytes.map((bytes) => Math.min(bytes, hbmCap));
  const hostLeft = problem.hostBytes?.slice() ?? list(Number.POSITIVE_INFINITY);
  const ssdLeft = problem.ssdBytes?.slice() ?? list(Number.POSITIVE_INFINITY);
  const totals = list(0);
  /** The phases of a rank one after the other. */
  const sums = new Array<number>(devices * phases).fill(0);
  return {
    hbmLeft,
    hostLeft,
    ssdLeft,
    /** The accumulated cost of each rank: each phase summed over the shards, the phases then added in order. */
    totals,
    fits: (rank: number, { hbmBytes, hostBytes, ssdBytes = 0 }: SpaceShard): boolean =>
      hbmBytes <= (hbmLeft[rank] as number) &&
      hostBytes <= (hostLeft[rank] as number) &&
      ssdBytes <= (ssdLeft[rank] as number),
    place: (rank: number, shard: SpaceShard): void => {
      hbmLeft[rank] = (hbmLeft[rank] as number) - shard.hbmBytes;
      hostLeft[rank] = (hostLeft[rank] as number) - shard.hostBytes;
      ssdLeft[rank] = (ssdLeft[rank] as number) - (shard.ssdBytes ?? 0);
      let total = 0;
      for (let phase = 0, at = rank * phases; phase < phases; phase++, at++) {
        const sum = (sums[at] as number) + (shard.phases[phase] as number);
        sums[at] = sum;
        total += sum;
      }
      totals[rank] = total;
    },
    /** What undoes all placing since. */
    save: (): (() => void) => {
      const lists = [hbmLeft, hostLeft, ssdLeft, totals, sums].map((list) => ({ list, values: list.slice() }));
      return () => {
        for (const { list, values } of lists) for (let k = 0; k < list.length; k++) list[k] = values[k] as number;
      };
    },
  };
}

type RankLoads = ReturnType<typeof rankLoads>;
