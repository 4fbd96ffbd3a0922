import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import { type Random, seededRandom } from "../../../exact/random.js";
import type { PlacementHeuristic } from "./heuristic.js";
import { partOfWhole } from "./learned.js";
import { emptyRoom } from "./room.js";
import { type WholeTable, wholePlacement, wholeTables } from "./whole-tables.js";

/**
 * Random sharding (AutoShard, section 5.1, "rand"): each table on a device drawn evenly, whatever memory there is. One draw
 * per table, from the context's seed; a plan that does not fit is no plan.
 */
export const random: PlacementHeuristic = (problem, context) => {
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const draw = drawPlan(problem, whole.tables, seededRandom(context.seed));
  if (draw.full === null) return { kind: "plan", placement: wholePlacement(whole.tables, draw.homes) };
  return { kind: "none", reason: `the plan that it drew puts more on device ${draw.full} than its memory holds` };
};

/** A random plan. */
export interface Draw {
  /** The device of each table. */
  readonly homes: readonly number[];
  /** The cost of each device. */
  readonly costs: readonly number[];
  /** The first device whose memory ran out; `null` where everything fits. */
  readonly full: number | null;
}

/** Milliseconds of each device under a learned cost, from the device of each table. */
export function predictedCosts(
  setCost: SetCost,
  tables: readonly WholeTable[],
  homes: readonly number[],
  devices: number,
): number[] {
  const here: number[][] = Array.from({ length: devices }, () => []);
  for (const [t, home] of homes.entries()) here[home]?.push(partOfWhole(setCost, tables[t] as WholeTable, t));
  return here.map((parts) => setCost.costOfSet(parts));
}

export function drawPlan(problem: PlacementProblem, tables: readonly WholeTable[], stream: Random): Draw {
  const devices = deviceCount(problem);
  const room = emptyRoom(problem);
  const costs = new Array<number>(devices).fill(0);
  let full: number | null = null;
  const homes = tables.map(({ need }) => {
    const device = stream.integer(devices);
    if (full === null && !room.fits(device, need)) full = device;
    room.take(device, need);
    costs[device] = (costs[device] as number) + need.cost;
    return device;
  });
  return {
    homes,
    costs: problem.setCost === undefined ? costs : predictedCosts(problem.setCost, tables, homes, devices),
    full,
  };
}
