import {
  deviceCount,
  goalParts,
  type PlacementProblem,
  type SecondGoal,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";

/** A goal as local search sees it, in floating point: whatever it finds is evaluated exactly before it counts. */
export interface Measure {
  /** The numbers of a shard that add up on its device; as many for all shards. */
  partsOf(need: ShardNeed): readonly number[];
  /** What the sums of all devices come to, device by device. */
  value(sums: Float64Array): number;
  /** How far, relatively, they are above what they may be at most; 0 where they are not. */
  excess(sums: Float64Array): number;
}

/** Rounding in sums of doubles: a device that is above its cap by so little may well be at it. */
const ROUNDING = 1e-12;

/** The first goal: the largest sum, or Σ over the phases of the largest. */
export function firstMeasure(problem: PlacementProblem): Measure {
  const first = problem.tables[0]?.options[0]?.shards[0];
  const parts = first === undefined ? 1 : goalParts(problem, first).length;
  return {
    partsOf: (need) => goalParts(problem, need),
    value: (sums) => {
      let total = 0;
      for (let part = 0; part < parts; part++) {
        let largest = 0;
        for (let k = part; k < sums.length; k += parts) largest = Math.max(largest, sums[k] as number);
        total += largest;
      }
      return total;
    },
    excess: () => 0,
  };
}

/** The second goal, with no device above the cap. */
export function secondMeasure(problem: PlacementProblem, goal: SecondGoal, cap: number): Measure {
  const devices = deviceCount(problem);
  return {
    partsOf: ({ cost }) => [cost],
    value: (sums) => {
      if (goal === "sum") return sums.reduce((total, cost) => total + cost, 0);
      let [largest, second] = [0, 0];
      for (let d = 0; d < devices; d++) {
        const cost = sums[d] as number;
        second = Math.max(second, Math.min(cost, largest));
        largest = Math.max(largest, cost);
      }
      return second;
    },
    excess: (sums) => {
      let excess = 0;
      for (let d = 0; d < devices; d++) {
        const above = (sums[d] as number) - cap * (1 + ROUNDING);
        if (above > 0) excess += cap > 0 ? above / cap : 1;
      }
      return excess;
    },
  };
}
