import { type Random, seededRandom } from "../../../exact/random.js";
import type { SizeWindow } from "../../../program/grouping/grouping.js";
import { inPieces, type ShouldStop, UNITS } from "../../../search/work.js";
import { crossover } from "../methods/descent/crossover.js";
import { descend } from "../methods/descent/descend.js";
import { type DescentProblem, partitionValue } from "../methods/descent/limits.js";
import { randomStart } from "../methods/descent/random-start.js";
import { tabuSearch } from "../methods/descent/tabu.js";

/** A labeling that no swap or move makes better. */
export interface Descended {
  readonly labels: readonly number[];
  readonly value: number;
}

export interface DescentLimits {
  /** Descents from random labelings. */
  readonly restarts: number;
  /** Children of the best of these, and of one another: it ends when so many in a row are no better than the best. */
  readonly children: number;
  readonly seed: number;
  readonly shouldStop: ShouldStop;
}

/** A descent brings something where it ends lower by more than this part. */
const MIN_GAIN = 1e-9;

/** Labelings that have children: the best, all different. */
const POOL = 20;

/** The tabu search of a child: changes that bring nothing, and for how many an element stays away. */
const IDLE = 50;
const TENURE = 5;

/**
 * Labelings with sizes in a window, the best first: descents from random ones, then a memetic search: two of the best
 * have a child (see {@link crossover}), which is improved by descent and a short tabu search and takes the place of the
 * worst. None where no start within the load is found.
 */
export function descents(
  numbers: DescentProblem,
  window: SizeWindow,
  { restarts, children, seed, shouldStop }: DescentLimits,
): readonly Descended[] {
  const random = seededRandom(seed);
  const looking = inPieces(shouldStop, UNITS.pair);
  const within = { ...numbers, windows: [window] };
  const ends: Descended[] = [];
  const from = (start: ArrayLike<number>): Descended => {
    const labels = descend(within, start, looking);
    return { labels, value: partitionValue(within, labels) };
  };
  for (let start = 0; start < restarts && !shouldStop(); start++) {
    const labels = randomStart(within, window, random);
    if (labels === null) break;
    ends.push(from(labels));
  }
  const pool: Descended[] = [];
  for (const end of ends.sort(byValue)) takeIn(pool, end);
  for (let idle = 0; pool.length > 0 && idle < children && !shouldStop(); idle++) {
    // Of one alone there are no children.
    const start =
      pool.length === 1 ? randomStart(within, window, random) : crossover(within, window, twoOf(pool, random), random);
    if (start === null) continue;
    const descended = descend(within, start, looking);
    const labels = tabuSearch(within, descended, random, { idle: IDLE, tenure: TENURE, shouldStop: looking });
    const child = { labels, value: partitionValue(within, labels) };
    if (child.value < (pool[0] as Descended).value * (1 - MIN_GAIN)) {
      ends.push(child);
      idle = -1;
    }
    takeIn(pool, child);
  }
  return ends.sort(byValue);
}

const byValue = (a: Descended, b: Descended): number => a.value - b.value;

/** Puts a labeling where it belongs by its value, if there is none of that value; and drops the worst of too many. */
function takeIn(pool: Descended[], end: Descended): void {
  if (pool.some(({ value }) => Math.abs(value - end.value) <= MIN_GAIN * end.value)) return;
  const place = pool.findIndex(({ value }) => value > end.value);
  pool.splice(place === -1 ? pool.length : place, 0, end);
  if (pool.length > POOL) pool.pop();
}

function twoOf(pool: readonly Descended[], random: Random): [readonly number[], readonly number[]] {
  const one = random.integer(pool.length);
  const other = (one + 1 + random.integer(pool.length - 1)) % pool.length;
  return [(pool[one] as Descended).labels, (pool[other] as Descended).labels];
}
