import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../../cost/neural/set-cost.js";
import { type GreedyItem, greedyHomes } from "../greedy-homes.js";
import type { Shard } from "./shards.js";

/** The limits that are tried: shares of the mean sum of dimensions that a device may have. */
const MIN_CAP = 1;
const MAX_CAP = 1.5;
const CAPS = 11;

/** Shards on devices, one device per shard, with the largest predicted cost. */
export interface PlacedShards {
  readonly homes: readonly number[];
  readonly largest: number;
}

/**
 * NeuroShard's table-wise sharding (Zha et al., MLSys 2023, algorithm 2): the greedy algorithm by predicted cost of all of
 * a device's shards, once for each of eleven limits on the sum of dimensions of a device, from 1.0 to 1.5 times the mean; the
 * plan with the smallest largest cost, the first of equal ones. `null` where no limit leaves a plan.
 */
export function cappedGreedy(
  problem: PlacementProblem,
  setCost: SetCost,
  shards: readonly Shard[],
): PlacedShards | null {
  const devices = deviceCount(problem);
  const mean = shards.reduce((sum, { dim }) => sum + dim, 0) / devices;
  const items = shards.map(({ table, part, need }): GreedyItem => {
    const cost = setCost.parts[part]?.cost ?? 0;
    // NeuroShard orders by cost alone: equal ones go from the last to the first.
    return { name: problem.tables[table]?.name ?? "", need, cost, size: 0 };
  });
  let best: PlacedShards | null = null;
  for (let c = 0; c < CAPS; c++) {
    const cap = (MIN_CAP + (c * (MAX_CAP - MIN_CAP)) / (CAPS - 1)) * mean;
    const here: number[][] = Array.from({ length: devices }, () => []);
    const dims = new Array<number>(devices).fill(0);
    const placed = greedyHomes(problem, items, {
      mayTake: (device, s) => (dims[device] as number) + (shards[s] as Shard).dim <= cap,
      loadWith: (device, s) => {
        const { part, dim } = shards[s] as Shard;
        dims[device] = (dims[device] as number) + dim;
        here[device]?.push(part);
        return setCost.costOfSet(here[device] as number[]);
      },
    });
    if (placed.kind === "none") continue;
    const largest = Math.max(...placed.loads);
    if (best === null || largest < best.largest) best = { homes: placed.homes, largest };
  }
  return best;
}
