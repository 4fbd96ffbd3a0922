import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../exact/random.js";
import { emptyRoom } from "./room.js";
import { onWholeTables, partsOf, type WholeTable } from "./whole-tables.js";

/**
 * Random sharding (AutoShard, section 5.1, "rand"): each table on a device drawn evenly, whatever memory there is. One draw
 * per table, from the context's seed; a plan that does not fit is no plan.
 */
export const random = onWholeTables((tables, problem, { seed }) => {
  const { homes, full } = drawPlan(problem, tables, seededRandom(seed));
  if (full === null) return homes;
  return { kind: "none", reason: `the plan that it drew puts more on device ${full} than its memory holds` };
});

/** How many plans AutoShard drew (figure 9). */
const SAMPLES = 1000;

/**
 * Random search (AutoShard, section 5.3): of 1,000 random plans the one with the best degree of balance, the smallest
 * device cost over the largest, by the problem's cost model where the paper measured. Equal ones (tables that are fewer than
 * the devices leave 0) go by the largest cost, then the first one wins. Plans that do not fit do not count.
 *
 * The first plan is that of `random` with the same seed.
 */
export const randomSearch = onWholeTables((tables, problem, { seed, shouldStop }) => {
  const stream = seededRandom(seed);
  let best: { readonly homes: readonly number[]; readonly balance: number; readonly largest: number } | null = null;
  let drawn = 0;
  while (drawn < SAMPLES && !(drawn > 0 && shouldStop?.())) {
    drawn++;
    const { homes, costs, full } = drawPlan(problem, tables, stream);
    if (full !== null) continue;
    const largest = Math.max(...costs);
    const balance = largest === 0 ? 1 : Math.min(...costs) / largest;
    const isBetter = best === null || balance > best.balance || (balance === best.balance && largest < best.largest);
    if (isBetter) best = { homes, balance, largest };
  }
  return best?.homes ?? { kind: "none", reason: `none of ${drawn} random plans fits the memory of the devices` };
});

/** Whole tables on devices. */
export interface Draw {
  /** The device of each table. */
  readonly homes: readonly number[];
  /** The cost of each device. */
  readonly costs: readonly number[];
  /** The first device whose memory ran out; `null` where everything fits. */
  readonly full: number | null;
}

export function drawPlan(problem: PlacementProblem, tables: readonly WholeTable[], stream: Random): Draw {
  const devices = deviceCount(problem);
  const homes = tables.map(() => stream.integer(devices));
  return drawOf(problem, tables, homes);
}

/** What devices cost, in milliseconds under a learned cost, and whether all fits, from the device of each table. */
export function drawOf(problem: PlacementProblem, tables: readonly WholeTable[], homes: readonly number[]): Draw {
  const { setCost } = problem;
  const parts = setCost === undefined ? [] : partsOf(setCost, tables);
  const room = emptyRoom(problem);
  const costs = new Array<number>(deviceCount(problem)).fill(0);
  const here: number[][] = costs.map(() => []);
  let full: number | null = null;
  for (const [t, device] of homes.entries()) {
    const { need } = tables[t] as WholeTable;
    if (full === null && !room.fits(device, need)) full = device;
    room.take(device, need);
    costs[device] = (costs[device] as number) + need.cost;
    here[device]?.push(parts[t] as number);
  }
  return { homes, costs: setCost === undefined ? costs : here.map((own) => setCost.costOfSet(own)), full };
}
