import { type Random, seededRandom } from "../../../exact/random.js";
import type { SizeWindow } from "../../../program/grouping/grouping.js";
import { inPieces, type ShouldStop, UNITS } from "../../../search/work.js";
import { crossover } from "../methods/descent/crossover.js";
import { descend } from "../methods/descent/descend.js";
import { type DescentProblem, partitionValue } from "../methods/descent/limits.js";
import { randomStart } from "../methods/descent/random-start.js";
import { tabuSearch } from "../methods/descent/tabu.js";

/** A numbering that no swap or move makes better. */
export interface Descended {
  readonly numbering: readonly number[];
  readonly value: number;
}

export interface DescentLimits {
  /** Descents from random numberings. */
  readonly restarts: number;
  /** Children of the best of these, and of one another: it ends when so many in a row are no better than the best. */
  readonly children: number;
  readonly seed: number;
  readonly shouldStop: ShouldStop;
}

/** A descent brings something where it ends lower by more than this part. */
const MIN_GAIN = 1e-9;

/** Numberings that have children: the best, all different. */
const POOL = 20;

/** The tabu search of a child: changes that bring nothing, and for how many an item stays away. */
const IDLE = 50;
const TENURE = 5;

/**
 * Numberings with sizes in a window, the best first: descents from random ones, then a memetic search: two of the best have
 * a child (see {@link crossover}), which is improved by descent and a short tabu search and takes the place of the worst.
 * None where no start within the load is found.
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
    const numbering = descend(within, start, looking);
    return { numbering, value: partitionValue(within, numbering) };
  };
  for (let start = 0; start < restarts && !shouldStop(); start++) {
    const numbering = randomStart(within, window, random);
    if (numbering === null) break;
    ends.push(from(numbering));
  }
  const pool: Descended[] = [];
  for (const end of ends.sort(byValue)) takeIn(pool, end);
  for (let idle = 0; pool.length > 0 && idle < children && !shouldStop(); idle++) {
    // Of one alone there are no children.
    const start =
      pool.length === 1 ? randomStart(within, window, random) : crossover(within, window, twoOf(pool, random), random);
    if (start === null) continue;
    const descended = descend(within, start, looking);
    const numbering = tabuSearch(within, descended, random, { idle: IDLE, tenure: TENURE, shouldStop: looking });
    const child = { numbering, value: partitionValue(within, numbering) };
    if (child.value < (pool[0] as Descended).value * (1 - MIN_GAIN)) {
      ends.push(child);
      idle = -1;
    }
    takeIn(pool, child);
  }
  return ends.sort(byValue);
}

const byValue = (a: Descended, b: Descended): number => a.value - b.value;

/** Puts a numbering where it belongs by its value, if there is none of that value; and drops the worst of too many. */
function takeIn(pool: Descended[], end: Descended): void {
  if (pool.some(({ value }) => Math.abs(value - end.value) <= MIN_GAIN * end.value)) return;
  const place = pool.findIndex(({ value }) => value > end.value);
  pool.splice(place === -1 ? pool.length : place, 0, end);
  if (pool.length > POOL) pool.pop();
}

function twoOf(pool: readonly Descended[], random: Random): [readonly number[], readonly number[]] {
  const one = random.integer(pool.length);
  const other = (one + 1 + random.integer(pool.length - 1)) % pool.length;
  return [(pool[one] as Descended).numbering, (pool[other] as Descended).numbering];
}
