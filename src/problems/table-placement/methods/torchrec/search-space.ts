import {
  deviceCount,
  type Partition,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import type { PlacementContext } from "../heuristic.js";

/** What TorchRec's enumerator hands to its proposers, with everything they ask for again and again worked out once. */
export interface SearchSpace {
  readonly problem: PlacementProblem;
  readonly devices: number;
  /** The ranks of each host, all of them, and all by local rank, then host: the order in which ranks with equal time are tried. */
  readonly hosts: readonly (readonly number[])[];
  readonly byRank: readonly number[];
  readonly byLocalRank: readonly number[];
  /** Options by table, in the problem's order, which decides ties as the order of TorchRec's search space does. */
  readonly tables: readonly (readonly SpaceOption[])[];
}

export interface SpaceOption {
  readonly table: number;
  /** Index into the table's options. */
  readonly option: number;
  readonly shardingType: string;
  readonly kernel: string;
  readonly partitionBy: Partition;
  readonly distinctDevices: boolean;
  readonly shards: readonly SpaceShard[];
  /** Largest cost of a shard, and Σ over the shards: the scores that proposers sort by. */
  readonly largestCost: number;
  readonly totalCost: number;
  readonly totalHbm: number;
  readonly totalHost: number;
  readonly totalSsd: number;
  readonly largestHbm: number;
  readonly largestHost: number;
  /** Place among all options of all tables from the most memory (HBM, then host, then SSD) down; equal ones share it. */
  readonly byStorage: number;
  /** Place from the largest total cost down; equal ones share it. */
  readonly byPerf: number;
}

export interface SpaceShard extends ShardNeed {
  /** What the cost is the sum of, in order of summation. */
  readonly phases: readonly number[];
}

export function searchSpace(problem: PlacementProblem, { phases }: Pick<PlacementContext, "phases">): SearchSpace {
  const drafts = problem.tables.map(({ options }, table) =>
    options.map((option, index) =>
      measured(table, index, option, (shard, cost) => phases?.(table, index, shard) ?? [cost]),
    ),
  );
  const all = drafts.flat();
  const byStorage = places(
    all,
    (a, b) => b.totalHbm - a.totalHbm || b.totalHost - a.totalHost || b.totalSsd - a.totalSsd,
  );
  const byPerf = places(all, (a, b) => b.totalCost - a.totalCost);
  const ranked = (draft: Draft): SpaceOption => ({
    ...draft,
    byStorage: byStorage.get(draft) as number,
    byPerf: byPerf.get(draft) as number,
  });
  const { nodes, gpusPerNode } = problem;
  const rank = (host: number, local: number) => host * gpusPerNode + local;
  const hosts = Array.from({ length: nodes }, (_, host) =>
    Array.from({ length: gpusPerNode }, (_, local) => rank(host, local)),
  );
  const byLocalRank = Array.from({ length: gpusPerNode }, (_, local) =>
    hosts.map((_, host) => rank(host, local)),
  ).flat();
  const ranks = { hosts, byRank: hosts.flat(), byLocalRank };
  return { problem, devices: deviceCount(problem), ...ranks, tables: drafts.map((options) => options.map(ranked)) };
}

type Draft = Omit<SpaceOption, "byStorage" | "byPerf">;

function measured(
  table: number,
  option: number,
  { shardingType, kernel, partitionBy, distinctDevices, shards }: PlacementOption,
  phasesOf: (shard: number, cost: number) => readonly number[],
): Draft {
  const total = (of: (shard: ShardNeed) => number) => shards.reduce((sum, shard) => sum + of(shard), 0);
  const largest = (of: (shard: ShardNeed) => number) => shards.reduce((most, shard) => Math.max(most, of(shard)), 0);
  return {
    ...{ table, option, shardingType, kernel, partitionBy, distinctDevices: distinctDevices === true },
    shards: spaceShards(shards, phasesOf),
    largestCost: largest(({ cost }) => cost),
    totalCost: total(({ cost }) => cost),
    totalHbm: total(({ hbmBytes }) => hbmBytes),
    totalHost: total(({ hostBytes }) => hostBytes),
    totalSsd: total(({ ssdBytes = 0 }) => ssdBytes),
    largestHbm: largest(({ hbmBytes }) => hbmBytes),
    largestHost: largest(({ hostBytes }) => hostBytes),
  };
}

/** Equal neighbours are one object, for the sake of the processor's caches. */
function spaceShards(
  shards: readonly ShardNeed[],
  phasesOf: (shard: number, cost: number) => readonly number[],
): SpaceShard[] {
  let last: SpaceShard | null = null;
  return shards.map((shard, index) => {
    const phases = phasesOf(index, shard.cost);
    const isSame =
      last !== null &&
      last.cost === shard.cost &&
      last.hbmBytes === shard.hbmBytes &&
      last.hostBytes === shard.hostBytes &&
      last.ssdBytes === shard.ssdBytes &&
      phases.every((phase, k) => phase === last?.phases[k]);
    if (!isSame) last = { ...shard, phases };
    return last as SpaceShard;
  });
}

function places(all: readonly Draft[], compare: (a: Draft, b: Draft) => number): Map<Draft, number> {
  const places = new Map<Draft, number>();
  let place = -1;
  let last: Draft | null = null;
  for (const draft of [...all].sort(compare)) {
    if (last === null || compare(last, draft) !== 0) place++;
    places.set(draft, place);
    last = draft;
  }
  return places;
}
