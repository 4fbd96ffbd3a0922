import type { GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Rational } from "../../../../exact/rational.js";
import { coefficientAt } from "../../../../program/program.js";
import type { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import { askSolver } from "../../../../search/exact-milp/claims.js";
import type { Work } from "../../../../search/work.js";
import { DeviceLimits } from "./device-limits.js";
import { Neighbourhood } from "./neighbourhood.js";

/** Devices of the first neighbourhood, and of the smallest. */
const FIRST_DEVICES = 8;
const FEWEST_DEVICES = 4;

/** What a neighbourhood may take in units of work, at first and then, and the share of it below which the next has more devices. */
const UNITS_EACH = [1500, 5000] as const;
const EASY = 0.2;

/** So many neighbourhoods one after the other without a better point: the next may take more; or what is broken costs more. */
const MOST_IN_VAIN = 12;
const IN_VAIN_AT_PRICE = 2;

/** How much the price rises. */
const DEARER = 3;

/** What is below this share of a limit is rounding. */
const ROUNDING = 1e-12;

export interface NeighbourSearchOptions {
  readonly incumbent: Incumbent;
  /** Where a shard may be beside where it is. */
  readonly isWorthwhile: (shard: ShardColumn) => boolean;
  /** A point that may break limits of devices; `null`, or where it breaks something else: the best known. */
  readonly from: readonly Rational[] | null;
  /** What is known of the value of all points: what the point breaks costs as much at first. */
  readonly bound: number;
  readonly seed: number;
  readonly secondsLeft: () => number;
  readonly isDone: () => boolean;
  readonly work: Work;
}

/**
 * Better points near a point (large neighbourhood search: Shaw 1998): some devices are opened, most of them such that shards come
 * to or that hold too much, and a general solver places anew what is there. While the point breaks limits of devices, breaking
 * them costs, and more so when neighbourhoods change nothing.
 */
export async function searchNeighbours(
  { program, blocks }: GoalProgram,
  { incumbent, isWorthwhile, from, bound, seed, secondsLeft, isDone, work }: NeighbourSearchOptions,
): Promise<void> {
  if (blocks === null) return;
  const limits = new DeviceLimits(program, blocks);
  const start = from !== null && limits.areAllThatBreaks(from) ? from : incumbent.point;
  if (start === null) return;
  const neighbourhood = new Neighbourhood(program, blocks, isWorthwhile);
  const random = seededRandom(seed);
  const all = blocks.capRows.length;
  const { form } = program.objective;
  const prices = new Map(form.columns.map((column, k) => [column, coefficientAt(form, k).toNumber()]));
  const priceOf = (at: readonly Rational[]) =>
    [...prices].reduce((sum, [column, price]) => sum + price * (at[column] as Rational).toNumber(), 0);
  const brokenAt = (at: readonly Rational[]) => limits.excess(at).map((share) => (share > ROUNDING ? share : 0));
  let point = start;
  let broken = brokenAt(point);
  let price = bound / (sumOf(broken) || 1);
  let count = Math.min(all, FIRST_DEVICES);
  let [vain, effort] = [0, 0];
  for (let units: number | undefined = UNITS_EACH[0]; units !== undefined && !isDone(); units = UNITS_EACH[effort]) {
    const isBroken = broken.some((share) => share > 0);
    const receiving = blocks.shards.filter(({ column }) => prices.has(column) && point[column]?.sign() !== 0);
    const devices = drawn(random, all, count, [
      [...broken.keys()].filter((device) => (broken[device] as number) > 0),
      [...new Set(receiving.map(({ device }) => device))],
    ]);
    const space = neighbourhood.around(point, devices);
    const open = space.openProgram();
    const asked = isBroken ? limits.elastic(open, point, price) : { program: open, values: [] };
    const values = [...space.view.columns.map((column) => (point[column] as Rational).toNumber()), ...asked.values];
    const before = work.done;
    const answer = await askSolver(
      "highs",
      asked.program,
      {
        ...{ units, timeLimitSeconds: secondsLeft(), seed },
        start: Float64Array.from(values),
      },
      work,
    );
    if (!("claim" in answer)) return;
    const { claim } = answer;
    const next = claim.point === undefined ? point : space.expand(claim.point);
    const left = brokenAt(next);
    const merit = (at: readonly Rational[], shares: Float64Array) => priceOf(at) + price * sumOf(shares);
    const isBetter = merit(next, left) < merit(point, broken);
    if (isBetter) {
      incumbent.offer(next);
      [point, broken] = [next, left];
    }
    vain = isBetter ? 0 : vain + 1;
    if (isBroken && vain >= IN_VAIN_AT_PRICE) [price, vain] = [DEARER * price, 0];
    if (vain >= MOST_IN_VAIN) [effort, vain] = [effort + 1, 0];
    if (claim.status !== "optimal") count = Math.max(FEWEST_DEVICES, count - 1);
    else if (work.done - before < EASY * units) count = Math.min(all, count + 1);
  }
}

function sumOf(shares: Float64Array): number {
  return shares.reduce((sum, share) => sum + share, 0);
}

/** So many of the devices: of each of the preferred sets up to half of those that are not drawn yet, then any. */
function drawn(
  random: Random,
  all: number,
  count: number,
  preferred: readonly (readonly number[])[],
): ReadonlySet<number> {
  const devices = new Set<number>();
  for (const some of preferred) {
    const half = devices.size + Math.ceil((count - devices.size) / 2);
    for (const device of shuffled(random, some)) if (devices.size < half) devices.add(device);
  }
  for (const device of shuffled(random, [...new Array(all).keys()])) if (devices.size < count) devices.add(device);
  return devices;
}

function shuffled(random: Random, items: readonly number[]): readonly number[] {
  const left = items.slice();
  for (let k = left.length - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    [left[k], left[other]] = [left[other] as number, left[k] as number];
  }
  return left;
}
