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
  /** Σ over the shards on each device, device by device: the measure's parts, and what else is added up. */
  readonly parts: Float64Array;
  /** Numbers for each device. */
  readonly width: number;
  readonly movedTables: number;
  readonly movedBytes: number;
}

/** A goal as local search sees it, in floating point: whatever it finds is evaluated exactly before it counts. */
export interface Measure {
  /** The numbers of a shard that add up on its device; as many for all shards. */
  partsOf(need: ShardNeed): readonly number[];
  value(sums: Sums): number;
  /** What no device may have more of. */
  readonly caps: readonly Cap[];
  /** How far, relatively, placements are above what else they may be at most; 0 where they are not. */
  excess(sums: Sums): number;
}

/** The most that a device may have of a part of its shards. */
export interface Cap {
  readonly part: number;
  readonly most: number;
}

/** Rounding in sums of doubles: a device that is above its cap by so little may well be at it. */
const ROUNDING = 1e-12;

/** A goal with no more of others than is held of them. */
export function goalMeasure(problem: PlacementProblem, goal: StageGoal, held: readonly Held[] = []): Measure {
  const first = problem.tables[0]?.options[0]?.shards[0];
  const goals = [...new Set([goal, ...held.map((one) => one.goal)])];
  const readers = goals.map((one) => partsOf(one));
  const counts = readers.map((read) => (first === undefined ? 0 : read(first).length));
  const fromOf = (at: number) => counts.slice(0, at).reduce((sum, count) => sum + count, 0);
  const reader = (one: StageGoal) => {
    const at = goals.indexOf(one);
    return readValue(problem, one, { from: fromOf(at), count: counts[at] as number });
  };
  // A largest cost is held device by device, so that each step towards it counts.
  const caps = held
    .filter((one) => one.goal === "largest-cost")
    .map(({ goal: one, most }) => ({ part: fromOf(goals.indexOf(one)), most: most.toNumber() * (1 + ROUNDING) }));
  const limits = held
    .filter((one) => one.goal !== "largest-cost")
    .map(({ goal: one, most }) => ({ reader: reader(one), cap: most.toNumber() }));
  return {
    partsOf: (need) => readers.flatMap((read) => read(need)),
    value: reader(goal),
    caps,
    excess: (sums) => {
      let excess = 0;
      for (const { reader, cap } of limits) {
        const [value, most] = [reader(sums), cap * (1 + ROUNDING)];
        if (value > most) excess += cap > 0 ? (value - most) / cap : 1;
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
}

function readValue(problem: PlacementProblem, goal: StageGoal, { from, count }: Parts): (sums: Sums) => number {
  const devices = deviceCount(problem);
  const { hostIsPooled, gpusPerNode } = problem;
  const size = goal === "largest-host" && hostIsPooled ? gpusPerNode : 1;
  switch (goal) {
    case "moved-bytes":
      return ({ movedBytes }) => movedBytes;
    case "moved-tables":
      return ({ movedTables }) => movedTables;
    case "sum":
      return ({ parts, width }) => {
        let total = 0;
        for (let k = from; k < parts.length; k += width) total += parts[k] as number;
        return total;
      };
    case "second-largest":
      return ({ parts, width }) => {
        let [largest, second] = [0, 0];
        for (let k = from; k < parts.length; k += width) {
          const cost = parts[k] as number;
          second = Math.max(second, Math.min(cost, largest));
          largest = Math.max(largest, cost);
        }
        return second;
      };
    default:
      return ({ parts, width }) => {
        let total = 0;
        for (let part = from; part < from + count; part++) {
          let largest = 0;
          for (let d = 0; d < devices; d += size) {
            let sum = 0;
            for (let own = d; own < d + size; own++) sum += parts[own * width + part] as number;
            largest = Math.max(largest, sum);
          }
          total += largest;
        }
        return total;
      };
  }
}
