import {
  deviceCount,
  goalParts,
  type PlacementProblem,
  type ShardNeed,
  type StageGoal,
} from "../../../../../models/table-placement/problem.js";
import type { Held } from "../../../../../models/table-placement/stages.js";

/** What a placement comes to, as the measure sees it. */
export interface Sums {
  /** Σ of the parts of the shards on each device, device by device. */
  readonly parts: Float64Array;
  readonly movedTables: number;
  readonly movedBytes: number;
}

/** A goal as local search sees it, in floating point: whatever it finds is evaluated exactly before it counts. */
export interface Measure {
  /** The numbers of a shard that add up on its device; as many for all shards. */
  partsOf(need: ShardNeed): readonly number[];
  value(sums: Sums): number;
  /** How far, relatively, placements are above what they may be at most; 0 where they are not. */
  excess(sums: Sums): number;
  /** Whether a device alone is above what it may be at most. */
  isOver(sums: Sums, device: number): boolean;
}

/** Rounding in sums of doubles: a device that is above its cap by so little may well be at it. */
const ROUNDING = 1e-12;

/** A goal with no more of others than is held of them. */
export function goalMeasure(problem: PlacementProblem, goal: StageGoal, held: readonly Held[] = []): Measure {
  const first = problem.tables[0]?.options[0]?.shards[0];
  const goals = [...new Set([goal, ...held.map((one) => one.goal)])];
  const readers = goals.map((one) => partsOf(one));
  const counts = readers.map((read) => (first === undefined ? 0 : read(first).length));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const values = goals.map((one, k): ((sums: Sums) => number) => {
    const from = counts.slice(0, k).reduce((sum, count) => sum + count, 0);
    return readValue(problem, one, { from, count: counts[k] as number, all });
  });
  const limits = held.map(({ goal: one, most }) => ({
    goal: one,
    cap: most.toNumber(),
    at: goals.indexOf(one),
  }));
  // Asked for again with every move.
  const known = new Map<ShardNeed, readonly number[]>();
  const fromOf = (at: number) => counts.slice(0, at).reduce((sum, count) => sum + count, 0);
  return {
    partsOf: (need) => {
      const parts = known.get(need) ?? readers.flatMap((read) => read(need));
      known.set(need, parts);
      return parts;
    },
    value: values[0] as (sums: Sums) => number,
    isOver: ({ parts }, device) =>
      limits.some(
        ({ goal: one, cap, at }) =>
          one === "largest-cost" && (parts[device * all + fromOf(at)] as number) > cap * (1 + ROUNDING),
      ),
    excess: (sums) => {
      let excess = 0;
      for (const { goal: one, cap, at } of limits) {
        const most = cap * (1 + ROUNDING);
        const over = (value: number) => (value > most ? (cap > 0 ? (value - most) / cap : 1) : 0);
        if (one !== "largest-cost") excess += over((values[at] as (sums: Sums) => number)(sums));
        // Device by device, so that each step towards the cap counts.
        else for (let k = fromOf(at); k < sums.parts.length; k += all) excess += over(sums.parts[k] as number);
      }
      return excess;
    },
  };
}

type Reader = (need: ShardNeed) => readonly number[];

/** The numbers that add up on a device for a goal; none for moves. */
function partsOf(goal: StageGoal): Reader {
  switch (goal) {
    case "phases":
      return (need) => goalParts({ goal }, need);
    case "largest-hbm":
      return ({ hbmBytes }) => [hbmBytes];
    case "largest-host":
      return ({ hostBytes }) => [hostBytes];
    case "moved-bytes":
    case "moved-tables":
      return () => [];
    default:
      return ({ cost }) => [cost];
  }
}

/** Where a goal's parts are among those of a device. */
interface Parts {
  readonly from: number;
  readonly count: number;
  readonly all: number;
}

function readValue(problem: PlacementProblem, goal: StageGoal, { from, count, all }: Parts): (sums: Sums) => number {
  const devices = deviceCount(problem);
  const { hostIsPooled, gpusPerNode } = problem;
  const size = goal === "largest-host" && hostIsPooled ? gpusPerNode : 1;
  switch (goal) {
    case "moved-bytes":
      return ({ movedBytes }) => movedBytes;
    case "moved-tables":
      return ({ movedTables }) => movedTables;
    case "sum":
      return ({ parts }) => {
        let total = 0;
        for (let k = from; k < parts.length; k += all) total += parts[k] as number;
        return total;
      };
    case "second-largest":
      return ({ parts }) => {
        let [largest, second] = [0, 0];
        for (let k = from; k < parts.length; k += all) {
          const cost = parts[k] as number;
          second = Math.max(second, Math.min(cost, largest));
          largest = Math.max(largest, cost);
        }
        return second;
      };
    default:
      return ({ parts }) => {
        let total = 0;
        for (let part = from; part < from + count; part++) {
          let largest = 0;
          for (let d = 0; d < devices; d += size) {
            let sum = 0;
            for (let own = d; own < d + size; own++) sum += parts[own * all + part] as number;
            largest = Math.max(largest, sum);
          }
          total += largest;
        }
        return total;
      };
  }
}
