import { type Random, seededRandom } from "../../exact/random.js";
import { descend } from "../../heuristics/tower-partitioner/descent/descend.js";
import { type DescentProblem, partitionValue } from "../../heuristics/tower-partitioner/descent/numbers.js";
import { randomStart } from "../../heuristics/tower-partitioner/descent/random-start.js";
import type { SizeWindow } from "../../program/grouping/grouping.js";

/** A numbering that no swap or move makes better. */
export interface Descended {
  readonly numbering: readonly number[];
  readonly value: number;
}

export interface DescentLimits {
  /** Descents from random numberings. */
  readonly restarts: number;
  /** Descents from the best one, some of its groups mixed up or some of its items exchanged, in turn: it ends when so many
   * in a row bring nothing. */
  readonly kicks: number;
  readonly seed: number;
  readonly shouldStop: () => boolean;
}

/** A descent brings something where it ends lower by more than this part. */
const LEAST_GAIN = 1e-9;

/** Exchanges in a kick, at least and at most. */
const SWAPS = { least: 3, most: 7 };

/** Groups whose items are mixed up in a kick, at most. */
const MOST_MIXED = 3;

/** Tries at a mixture that keeps to the load. */
const TRIES = 5;

/**
 * Numberings with sizes in a window, the best first: descents from random ones, then an iterated descent from the best of
 * these, which goes on from whatever is no worse. None where no start within the load is found.
 */
export function descents(
  numbers: DescentProblem,
  window: SizeWindow,
  { restarts, kicks, seed, shouldStop }: DescentLimits,
): readonly Descended[] {
  const random = seededRandom(seed);
  const within = { ...numbers, windows: [window] };
  const ends: Descended[] = [];
  const from = (start: ArrayLike<number>): Descended => {
    const numbering = descend(within, start, shouldStop);
    return { numbering, value: partitionValue(within, numbering) };
  };
  for (let start = 0; start < restarts && !shouldStop(); start++) {
    const numbering = randomStart(within, window, random);
    if (numbering === null) break;
    ends.push(from(numbering));
  }
  let best = ends.reduce<Descended | null>(
    (least, end) => (least === null || end.value < least.value ? end : least),
    null,
  );
  let idle = 0;
  for (let kick = 0; best !== null && idle < kicks && !shouldStop(); kick++, idle++) {
    const mixed = (kick % 2 === 0 ? mixGroups : swapItems)(within, best.numbering, random);
    if (mixed === null) break;
    const end = from(mixed);
    if (end.value > best.value) continue;
    if (end.value < best.value * (1 - LEAST_GAIN)) {
      ends.push(end);
      idle = 0;
    }
    best = end;
  }
  return ends.sort((a, b) => a.value - b.value);
}

/** The items of two or three groups dealt out anew, sizes as they were; `null` where no deal tried keeps to the load. */
function mixGroups(
  { groups, load }: DescentProblem,
  numbering: readonly number[],
  random: Random,
): readonly number[] | null {
  if (groups < 2) return null;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const chosen = new Set<number>();
    const count = Math.min(groups, 2 + random.integer(MOST_MIXED - 1));
    while (chosen.size < count) chosen.add(random.integer(groups));
    const items = [...numbering.keys()].filter((item) => chosen.has(numbering[item] as number));
    const dealt = items.map((item) => numbering[item] as number);
    for (let k = dealt.length - 1; k > 0; k--) {
      const other = random.integer(k + 1);
      [dealt[k], dealt[other]] = [dealt[other] as number, dealt[k] as number];
    }
    const mixed = numbering.slice();
    items.forEach((item, k) => {
      mixed[item] = dealt[k] as number;
    });
    if (isCarried(groups, load, mixed)) return mixed;
  }
  return null;
}

/** A few items of different groups exchanged at random; `null` where no try keeps to the load. */
function swapItems(
  { items, groups, load }: DescentProblem,
  numbering: readonly number[],
  random: Random,
): readonly number[] | null {
  if (groups < 2) return null;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const swapped = numbering.slice();
    for (let swaps = SWAPS.least + random.integer(SWAPS.most - SWAPS.least + 1); swaps > 0; swaps--) {
      const [i, j] = [random.integer(items), random.integer(items)];
      [swapped[i], swapped[j]] = [swapped[j] as number, swapped[i] as number];
    }
    if (isCarried(groups, load, swapped)) return swapped;
  }
  return null;
}

function isCarried(groups: number, load: DescentProblem["load"], numbering: readonly number[]): boolean {
  if (load === null) return true;
  const carried = new Float64Array(groups);
  numbering.forEach((group, item) => {
    carried[group] = (carried[group] as number) + (load.weights[item] as number);
  });
  return carried.every((weight) => weight <= load.most);
}
