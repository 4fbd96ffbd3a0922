import { seededRandom } from "../../../exact/random.js";
import type { PlacementHeuristic } from "./heuristic.js";
import { type Draw, drawPlan } from "./random.js";
import { wholePlacement, wholeTables } from "./whole-tables.js";

/** How many plans AutoShard drew (figure 9). */
const SAMPLES = 1000;

/**
 * Random search (AutoShard, section 5.3): of 1,000 random plans the one with the best degree of balance, the smallest
 * device cost over the largest, by the problem's cost model where the paper measured. Equal ones (tables that are fewer than
 * the devices leave 0) go by the largest cost, then the first one wins. Plans that do not fit do not count.
 *
 * The first plan is that of `random` with the same seed.
 */
export const randomSearch: PlacementHeuristic = (problem, context) => {
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const stream = seededRandom(context.seed);
  let best: Scored | null = null;
  let drawn = 0;
  while (drawn < SAMPLES && !(drawn > 0 && context.shouldStop?.())) {
    drawn++;
    const draw = drawPlan(problem, whole.tables, stream);
    if (draw.full !== null) continue;
    const scored = score(draw);
    if (best === null || isBetter(scored, best)) best = scored;
  }
  if (best === null) return { kind: "none", reason: `none of ${drawn} random plans fits the memory of the devices` };
  return { kind: "plan", placement: wholePlacement(whole.tables, best.homes) };
};

interface Scored extends Pick<Draw, "homes"> {
  readonly balance: number;
  readonly largest: number;
}

function score({ homes, costs }: Draw): Scored {
  const largest = Math.max(...costs);
  return { homes, largest, balance: largest === 0 ? 1 : Math.min(...costs) / largest };
}

function isBetter(one: Scored, other: Scored): boolean {
  return one.balance > other.balance || (one.balance === other.balance && one.largest < other.largest);
}
