import {
  deviceCount,
  type Placement,
  type PlacementProblem,
  type PlacementTable,
  type ShardNeed,
} from "../../../../models/table-placement/problem.js";
import { type PlacementHeuristic, unknownConstraint } from "./heuristic.js";
import { SplitState } from "./hugectr/split-state.js";
import { type Split, splitsOf } from "./hugectr/splits.js";
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
  const splits = problem.tables.map((table) => splitsOf(table, deviceCount(problem)));
  const without = problem.tables.find((_, table) => !splits[table]?.has(1));
  if (without) return { kind: "not-applicable", reason: startsWhole(without) };
  const spread = spreadOverAll(problem, splits);
  if (spread === "too much") {
    return { kind: "none", reason: "it gives up when the tables do not fit spread evenly over all devices" };
  }
  const rounds = placeInRounds(problem, new SplitState(splits), context.shouldStop);
  const best = bestOf(spread === null ? rounds : [spread, ...rounds]);
  if (best === null) return { kind: "none", reason: "a shard that it could cut no further fitted on no device" };
  return { kind: "plan", placement: best.placement };
};

interface Candidate {
  readonly placement: Placement;
  readonly largest: number;
}

function startsWhole({ name }: PlacementTable): string {
  return `starts from whole tables, and ${name} has no option with one shard for any device`;
}

/** Every table on every device; `null` where a table has no such option. */
function spreadOverAll(
  problem: PlacementProblem,
  splits: readonly ReadonlyMap<number, Split>[],
): Candidate | "too much" | null {
  const devices = Array.from({ length: deviceCount(problem) }, (_, device) => device);
  const room = emptyRoom(problem);
  const choices: Placement["choices"][number][] = [];
  let largest = 0;
  for (const ways of splits) {
    const split = ways.get(devices.length);
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

function placeInRounds(problem: PlacementProblem, state: SplitState, shouldStop?: () => boolean): Candidate[] {
  const found: Candidate[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (shouldStop?.()) break;
    const placed = placeAll(problem, state);
    if (typeof placed !== "number") found.push(placed);
    if (!(typeof placed === "number" ? state.halve(placed) : state.halveCostliest())) break;
  }
  return found;
}

/** `greedy_plan`: the plan, or the table with a shard that fits nowhere. */
function placeAll(problem: PlacementProblem, state: SplitState): Candidate | number {
  const room = emptyRoom(problem);
  const costs = new Array<number>(deviceCount(problem)).fill(0);
  const homes: number[][] = problem.tables.map(() => []);
  for (const { table } of state.shards) {
    const { need } = state.split(table);
    const own = homes[table] as number[];
    let best = -1;
    for (const [device, cost] of costs.entries()) {
      const isBetter = best === -1 || cost < (costs[best] as number);
      if (isBetter && !own.includes(device) && room.fits(device, need)) best = device;
    }
    if (best === -1) return table;
    take(room, costs, best, need);
    own.push(best);
  }
  const choices = homes.map((devices, table) => {
    const { option } = state.split(table);
    const isUniform = problem.tables[table]?.options[option]?.partitionBy === "uniform";
    return { option, devices: isUniform ? devices.sort((a, b) => a - b) : devices };
  });
  return { placement: { choices }, largest: Math.max(...costs) };
}

function take(room: ReturnType<typeof emptyRoom>, costs: number[], device: number, need: ShardNeed): void {
  room.take(device, need);
  costs[device] = (costs[device] as number) + need.cost;
}

function bestOf(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates) if (best === null || candidate.largest < best.largest) best = candidate;
  return best;
}
