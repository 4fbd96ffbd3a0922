import {
  deviceCount,
  type Placement,
  type PlacementProblem,
  type PlacementTable,
  type ShardNeed,
} from "../../../../models/table-placement/problem.js";
import { shardRunsOf } from "../../../../models/table-placement/shard-runs.js";
import { type PlacementHeuristic, unknownConstraint } from "./heuristic.js";
import { emptyRoom } from "./room.js";

/** sharding/planner.py, `max_search_iter`. */
const ROUNDS = 20;

/**
 * HugeCTR's table planner (NVIDIA Merlin, samples/dlrm/sharding/planner.py, `Planner`; EMBark builds on it): every table
 * whole at first; a round places the shards from the costliest down, each on the device with the least cost that has room
 * and no shard of that table yet; then the table with the costliest shard is cut into twice as many. A table with a shard
 * that fits nowhere is cut likewise; where it cannot be, the search ends. The best of 20 rounds wins, and of every table
 * spread over all devices, which comes first.
 *
 * Tables below HugeCTR's threshold are replicated before it starts; a problem for it leaves them out, with their memory
 * (instances/public/hugectr-dlrm-dcnv2-*). HugeCTR's shard costs hotness/k + c; here it is what the options say, so that any
 * cost model will do. Needs for every table an option with one shard for any device; cuts it only into numbers of shards
 * that there are options for. As there, no plan is looked for when the tables spread over all devices do not fit. Its order
 * of equal costs is an unstable sort's, which differs between processors; here they go by table and by device.
 */
export const hugectrGreedy: PlacementHeuristic = (problem, context) => {
  const unknown = unknownConstraint(problem);
  if (unknown) return unknown;
  const ways = problem.tables.map((table) => splitsOf(table, deviceCount(problem)));
  const without = problem.tables.find((_, table) => !ways[table]?.has(1));
  if (without) {
    const reason = `starts from whole tables, and ${without.name} has no option with one shard for any device`;
    return { kind: "not-applicable", reason };
  }
  const spread = spreadOverAll(problem, ways);
  if (spread === "too much") {
    return { kind: "none", reason: "it gives up when the tables do not fit spread evenly over all devices" };
  }
  let best = spread;
  for (const candidate of placeInRounds(problem, ways, context.shouldStop)) {
    if (best === null || candidate.largest < best.largest) best = candidate;
  }
  if (best === null) return { kind: "none", reason: "a shard that it could cut no further fitted on no device" };
  return { kind: "plan", placement: best.placement };
};

interface Candidate {
  readonly placement: Placement;
  readonly largest: number;
}

/** A table cut into so many equal shards. */
interface Split {
  /** Index of the option. */
  readonly option: number;
  /** What each of the shards needs: the most that one of them does, where they differ. */
  readonly need: ShardNeed;
}

/** By number of shards. */
type Splits = ReadonlyMap<number, Split>;

/**
 * The ways to cut a table: options whose shards go on any device each, and those with one shard on every device. Of several
 * with as many shards the one that costs least, the first of equal ones.
 */
function splitsOf({ options }: PlacementTable, devices: number): Splits {
  const splits = new Map<number, Split>();
  for (const [option, own] of options.entries()) {
    const { partitionBy, shards } = own;
    const count = shards.length;
    const isOnAll = partitionBy === "uniform" && count === devices;
    if (!isOnAll && (partitionBy !== "device" || count > devices)) continue;
    const most = (of: (shard: ShardNeed) => number) => Math.max(...shardRunsOf(own).map(({ need }) => of(need)));
    const need = {
      cost: most(({ cost }) => cost),
      hbmBytes: most(({ hbmBytes }) => hbmBytes),
      hostBytes: most(({ hostBytes }) => hostBytes),
      ssdBytes: most(({ ssdBytes = 0 }) => ssdBytes),
    };
    if (need.cost < (splits.get(count)?.need.cost ?? Number.POSITIVE_INFINITY)) splits.set(count, { option, need });
  }
  return splits;
}

/** Every table on every device; `null` where a table has no such option. */
function spreadOverAll(problem: PlacementProblem, ways: readonly Splits[]): Candidate | "too much" | null {
  const devices = Array.from({ length: deviceCount(problem) }, (_, device) => device);
  const room = emptyRoom(problem);
  const choices: Placement["choices"][number][] = [];
  let largest = 0;
  for (const splits of ways) {
    const split = splits.get(devices.length);
    if (split === undefined) return null;
    for (const device of devices) {
      if (!room.fits(device, split.need)) return "too much";
      room.take(device, split.need);
    }
    choices.push({ option: split.option, devices });
    largest += split.need.cost;
  }
  return { placement: { choices }, largest };
}

/** The plans of the rounds that place all shards (`ShardingState` is how many each table is cut into). */
function* placeInRounds(problem: PlacementProblem, ways: readonly Splits[], shouldStop?: () => boolean) {
  const counts = ways.map(() => 1);
  for (let round = 0; round < ROUNDS && !shouldStop?.(); round++) {
    const cut = ways.map((splits, table) => splits.get(counts[table] as number) as Split);
    const costOf = (table: number) => (cut[table] as Split).need.cost;
    // The table of each shard, from the costliest shard down, then by table.
    const order = counts
      .flatMap((count, table) => new Array<number>(count).fill(table))
      .sort((a, b) => costOf(b) - costOf(a) || a - b);
    const placed = placeAll(problem, cut, order);
    if (typeof placed !== "number") yield placed;
    const halved = (typeof placed === "number" ? [placed] : order).find((table) => {
      return ways[table]?.has(2 * (counts[table] as number));
    });
    if (halved === undefined) return;
    counts[halved] = 2 * (counts[halved] as number);
  }
}

/** `greedy_plan`: the plan, or the table with a shard that fits nowhere. */
function placeAll(problem: PlacementProblem, cut: readonly Split[], order: readonly number[]): Candidate | number {
  const room = emptyRoom(problem);
  const costs = new Array<number>(deviceCount(problem)).fill(0);
  const homes: number[][] = problem.tables.map(() => []);
  for (const table of order) {
    const { need } = cut[table] as Split;
    const own = homes[table] as number[];
    let best = -1;
    for (const [device, cost] of costs.entries()) {
      const isBetter = best === -1 || cost < (costs[best] as number);
      if (isBetter && !own.includes(device) && room.fits(device, need)) best = device;
    }
    if (best === -1) return table;
    room.take(best, need);
    costs[best] = (costs[best] as number) + need.cost;
    own.push(best);
  }
  const choices = homes.map((devices, table) => {
    const { option } = cut[table] as Split;
    const isUniform = problem.tables[table]?.options[option]?.partitionBy === "uniform";
    return { option, devices: isUniform ? devices.sort((a, b) => a - b) : devices };
  });
  return { placement: { choices }, largest: Math.max(...costs) };
}
