import type {
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { combinations } from "./brute-force-placement.js";
import { EXTREME_COSTS, nearMostBytes, withNeeds } from "./extreme-numbers.js";
import { randomPlacementProblem, withHotRows, withSsds } from "./random-placement.js";

/** So many placements are gone through. */
const MAX_COMBINATIONS = 10_000;

/** Costs of shards on every device, beside which cheap ones have no room. */
const ORDINARY = [0.1, 0.7, 0.9, 0.3, 0.2, 1.1, 0.05, 2.3, 0.07];

const PHASE_COUNT = 5;

/**
 * A small problem of every feature, now and then: all partitions, devices and nodes that are unlike, tables kept to devices, together
 * and apart, host memory of devices and pools, SSDs, hot rows, sizes of caches, phases, tables that are alike, costs that are
 * far apart, shards with a device each, and bytes near 2^53 in all. Few enough placements to try them all.
 */
export function drawnPlacement(seed: number): PlacementProblem {
  const random = seededRandom(seed);
  const oneIn = (n: number) => random.integer(n) === 0;
  for (;;) {
    const problem = oneIn(4) ? cheapBeside(random) : drawn(random, oneIn);
    const count = combinations(problem);
    if (count === 0 || count > MAX_COMBINATIONS || !hasPools(problem)) continue;
    // Of a stream of its own, so that the rest is what it is without.
    const distinct = withDistinctDevices(problem, seededRandom(seed + 1));
    return combinations(distinct) > 0 ? distinct : problem;
  }
}

/** In one of four, options whose shards have a device each. */
function withDistinctDevices(problem: PlacementProblem, random: Random): PlacementProblem {
  if (random.integer(4) > 0) return problem;
  const own = (option: PlacementOption): PlacementOption =>
    random.integer(3) > 0 ? { ...option, distinctDevices: true } : option;
  // Tables that share their options, as like ones do, go on sharing them.
  const known = new Map<readonly PlacementOption[], readonly PlacementOption[]>();
  const tables = problem.tables.map((table) => {
    const options = known.get(table.options) ?? table.options.map(own);
    known.set(table.options, options);
    return { ...table, options };
  });
  return { ...problem, tables };
}

/** A pool of no bytes is no instance's. */
function hasPools({ hostIsPooled, hostBytes, nodes, gpusPerNode }: PlacementProblem): boolean {
  if (!hostIsPooled || hostBytes === null) return true;
  return Array.from({ length: nodes }, (_, n) => hostBytes.slice(n * gpusPerNode, (n + 1) * gpusPerNode)).every((own) =>
    own.some((bytes) => bytes > 0),
  );
}

function drawn(random: Random, oneIn: (n: number) => boolean): PlacementProblem {
  // Bytes near 2^53 come last: what like tables need together would be beyond.
  let problem = randomPlacementProblem(random, { tables: 5, farApart: false });
  if (oneIn(3)) problem = withLikeTables(problem, random);
  if (oneIn(3)) problem = withSsds(problem, random);
  if (oneIn(3)) problem = withHotRows(problem, random);
  if (oneIn(6)) problem = someNeeds(problem, (need) => ({ ...need, ssdBytes: 0 }), random);
  if (oneIn(6)) problem = withCaches(problem, random);
  if (oneIn(3)) problem = someNeeds(problem, (need) => ({ ...need, cost: pick(random, EXTREME_COSTS) }), random);
  if (oneIn(5)) problem = withPhases(problem, random);
  // An odd byte here and there, which no sum of doubles may lose.
  return oneIn(5) ? nearMostBytes(problem, () => random.integer(3) - 1) : problem;
}

/** Options on every device whose costs take many digits together, beside options of hardly any cost that have no room. */
function cheapBeside(random: Random): PlacementProblem {
  const [nodes, gpusPerNode] = pick(random, [
    [1, 2],
    [1, 3],
    [2, 2],
  ] as const);
  const devices = nodes * gpusPerNode;
  const option = (shardingType: string, partitionBy: "uniform" | "device", count: number, need: ShardNeed) => ({
    ...{ shardingType, kernel: "fused", partitionBy },
    shards: new Array<ShardNeed>(count).fill(need),
  });
  const tables = Array.from({ length: 2 + random.integer(2) }, (_, t): PlacementTable => {
    const everywhere = { cost: pick(random, ORDINARY), hbmBytes: 1, hostBytes: 0 };
    const cheap = { cost: pick(random, [0, 0, 1e-18, 1e-300]), hbmBytes: pick(random, [50, 50, 9]), hostBytes: 0 };
    const other = { cost: pick(random, [1, 3, 0.5, 2, 0.75]), hbmBytes: 1 + random.integer(9), hostBytes: 0 };
    const options = [
      option("row_wise", "uniform", devices, everywhere),
      option("table_wise", "device", 1, cheap),
      ...(random.integer(2) === 0 ? [] : [option("column_wise", "device", 1, other)]),
    ];
    return { name: `t${t}`, options, devices: null };
  });
  const hbmBytes = new Array<number>(devices).fill(10);
  const none = { hostBytes: null, hostIsPooled: false, together: [], apart: [] };
  return { name: "cheap beside", nodes, gpusPerNode, hbmBytes, tables, ...none };
}

/** Three tables or more that all have the options of one, or now and then of one of two. */
function withLikeTables(problem: PlacementProblem, random: Random): PlacementProblem {
  const { tables: own } = problem;
  const kinds = own.slice(0, random.integer(4) === 0 ? 2 : 1);
  const tables = Array.from({ length: Math.max(3, own.length) }, (_, t) => ({
    ...{ name: `t${t}`, devices: random.integer(3) === 0 ? (own[t]?.devices ?? null) : null },
    options: pick(random, kinds).options,
  }));
  return { ...problem, tables };
}

/** Sizes of caches: the same option with other bytes and costs. */
function withCaches(problem: PlacementProblem, random: Random): PlacementProblem {
  const sized = (option: PlacementOption, loadFactor: number, isPublished: boolean): PlacementOption => ({
    ...option,
    cache: { loadFactor, missRate: 1 - loadFactor, isPublished },
  });
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.flatMap((option) => {
      if (random.integer(2) === 0) return [option];
      const smaller = new Map(
        option.shards.map((need) => [need, { ...need, hbmBytes: Math.floor(need.hbmBytes / 2) }]),
      );
      const shards = option.shards.map((need) => smaller.get(need) as ShardNeed);
      return [sized(option, 0.2, true), sized({ ...option, shards }, 0.1, false)];
    }),
  }));
  return { ...problem, tables };
}

function withPhases(problem: PlacementProblem, random: Random): PlacementProblem {
  const isExtreme = random.integer(3) === 0;
  const phase = () => (isExtreme ? pick(random, EXTREME_COSTS) : random.integer(12) / 4);
  const phased = (need: ShardNeed): ShardNeed => {
    const phases = Array.from({ length: PHASE_COUNT }, () => (random.integer(2) === 0 ? 0 : phase()));
    return { ...need, cost: phases.reduce((sum, cost) => sum + cost, 0), phases };
  };
  return { ...withNeeds(problem, phased), goal: "phases" };
}

/** Needs changed, one in four left as it is. */
function someNeeds(
  problem: PlacementProblem,
  change: (need: ShardNeed) => ShardNeed,
  random: Random,
): PlacementProblem {
  return withNeeds(problem, (need) => (random.integer(4) === 0 ? need : change(need)));
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}
