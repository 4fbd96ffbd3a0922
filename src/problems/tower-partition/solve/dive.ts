import type { SizeWindow } from "../../../program/grouping/grouping.js";
import type { Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Group, groupOf } from "./clusters.js";
import { generatePrices } from "./column-generation.js";

/** Groups that the fractional partition uses so much are taken together. */
const WHOLE = 0.99;

/** What a dive ends with. */
export interface Dive {
  /** A partition, which may break the load; `null` where the dive came to nothing. */
  readonly groups: readonly (readonly number[])[] | null;
  /** All groups met. */
  readonly met: readonly Group[];
}

/**
 * Builds a partition out of column generation: takes the group that the fractional partition uses most, generates prices
 * and groups for the items left (by local search alone), and so on.
 */
export function dive(
  numbers: DescentProblem,
  window: SizeWindow,
  known: readonly Group[],
  prices: Float64Array,
  work: Work,
  shouldStop: () => boolean,
): Dive {
  const met: Group[] = [];
  const taken: (readonly number[])[] = [];
  let left: readonly number[] = [...prices.keys()];
  let center = prices;
  let pool = known;
  while (taken.length < numbers.groups - 1 && !shouldStop()) {
    const part = restricted(numbers, left, numbers.groups - taken.length);
    const place = new Map(left.map((item, at) => [item, at]));
    const inside = pool.filter(({ items }) => items.every((item) => place.has(item)));
    const generated = generatePrices(part, { window, together: [], apart: [] }, null, {
      groups: inside.map(({ items, cost }) => ({ items: items.map((item) => place.get(item) as number), cost })),
      center,
      cutoff: Number.POSITIVE_INFINITY,
      ...{ work, shouldStop },
    });
    const whole = (items: readonly number[]) => items.map((at) => left[at] as number);
    pool = generated.groups.map(({ items, cost }) => ({ items: whole(items), cost }));
    met.push(...pool);
    const before = taken.length;
    for (const { group, times } of generated.usage) {
      if (taken.length > before && times < WHOLE) break;
      const rest = place.size - group.items.length;
      const groups = numbers.groups - taken.length - 1;
      const isOpen = group.items.every((at) => place.has(left[at] as number));
      if (!isOpen || rest < groups * window.least || rest > groups * window.most) continue;
      const items = whole(group.items);
      taken.push(items);
      for (const item of items) place.delete(item);
      if (times < WHOLE || taken.length === numbers.groups - 1) break;
    }
    if (taken.length === before) return { groups: null, met };
    const after = left.filter((item) => place.has(item));
    const { prices: ends } = generated;
    const old = left;
    center = Float64Array.from(after, (item) => ends[old.indexOf(item)] as number);
    left = after;
  }
  if (taken.length < numbers.groups - 1) return { groups: null, met };
  if (left.length < window.least || left.length > window.most) return { groups: null, met };
  if (numbers.admits?.(left) === false) return { groups: null, met };
  return { groups: [...taken, left], met: [...met, groupOf(numbers, left)] };
}

/** The problem of some of the items. */
function restricted(numbers: DescentProblem, items: readonly number[], groups: number): DescentProblem {
  const { pairs, items: all, load, admits } = numbers;
  const count = items.length;
  const own = new Float64Array(count * count);
  items.forEach((i, a) => {
    items.forEach((j, b) => {
      own[a * count + b] = pairs[i * all + j] as number;
    });
  });
  const weights = load === null ? null : Float64Array.from(items, (item) => load.weights[item] as number);
  return {
    ...numbers,
    items: count,
    groups,
    pairs: own,
    load: load === null || weights === null ? null : { weights, most: load.most },
    ...(admits && { admits: (group) => admits(group.map((at) => items[at] as number)) }),
  };
}
