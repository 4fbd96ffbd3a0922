import type { GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Rational } from "../../../../exact/rational.js";
import type { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import { askSolver } from "../../../../search/exact-milp/claims.js";
import type { Work } from "../../../../search/work.js";
import { Neighbourhood } from "./neighbourhood.js";

/** Devices of the first neighbourhood, and of the smallest. */
const FIRST_DEVICES = 8;
const FEWEST_DEVICES = 4;

/** What a neighbourhood may take, and what it takes where there could be more devices in the next. */
const UNITS_EACH = 1500;
const EASY = 0.2;

/** So many neighbourhoods one after the other without a better point end the search. */
const MOST_IN_VAIN = 24;

export interface NeighbourSearchOptions {
  readonly incumbent: Incumbent;
  /** Where a shard may be beside where it is. */
  readonly isWorthwhile: (shard: ShardColumn) => boolean;
  /** What devices are drawn by: what comes to them at a point. */
  readonly seed: number;
  readonly secondsLeft: () => number;
  readonly isDone: () => boolean;
  readonly work: Work;
}

/**
 * Better points near the best one: some devices are opened, most of them such that shards come to or leave, and a general
 * solver places anew what is there.
 */
export async function searchNeighbours(
  { program, blocks }: GoalProgram,
  { incumbent, isWorthwhile, seed, secondsLeft, isDone, work }: NeighbourSearchOptions,
): Promise<void> {
  if (blocks === null || incumbent.point === null) return;
  const neighbourhood = new Neighbourhood(program, blocks, isWorthwhile);
  const random = seededRandom(seed);
  const all = blocks.capRows.length;
  const prices = new Map(program.objective.form.columns.map((column, k) => [column, k]));
  let count = Math.min(all, FIRST_DEVICES);
  for (let vain = 0; vain < MOST_IN_VAIN && !isDone() && !work.ask(); ) {
    const point = incumbent.point as readonly Rational[];
    const busy = blocks.shards.filter(({ column }) => point[column]?.sign() !== 0 && prices.has(column));
    const devices = drawn(random, all, count, new Set(busy.map(({ device }) => device)));
    const space = neighbourhood.around(point, devices);
    const sub = space.openProgram();
    const start = Float64Array.from(space.view.columns, (column) => (point[column] as Rational).toNumber());
    const before = work.done;
    const limits = { units: UNITS_EACH, timeLimitSeconds: secondsLeft(), seed, start };
    const answer = await askSolver("highs", sub, limits, work);
    if (!("claim" in answer)) return;
    const { claim } = answer;
    const isBetter = claim.point !== undefined && incumbent.offer(space.expand(claim.point));
    (globalThis as any).LOG?.("  n", count, "cols", sub.columns.length, claim.status, "iter", claim.iterations, "units", (work.done-before).toFixed(0), incumbent.value!.toNumber()/1e6);
    vain = isBetter ? 0 : vain + 1;
    if (claim.status !== "optimal") count = Math.max(FEWEST_DEVICES, count - 1);
    else if (work.done - before < EASY * UNITS_EACH) count = Math.min(all, count + 1);
  }
}

/** So many of the devices, half of them of `preferred` as far as there are. */
function drawn(random: Random, all: number, count: number, preferred: ReadonlySet<number>): ReadonlySet<number> {
  const shuffled = (items: number[]) => {
    for (let k = items.length - 1; k > 0; k--) {
      const other = random.integer(k + 1);
      [items[k], items[other]] = [items[other] as number, items[k] as number];
    }
    return items;
  };
  const first = shuffled([...preferred]).slice(0, Math.ceil(count / 2));
  const others = shuffled(Array.from({ length: all }, (_, d) => d).filter((d) => !first.includes(d)));
  return new Set([...first, ...others].slice(0, count));
}
