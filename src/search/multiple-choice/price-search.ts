import { type ChoiceProblem, fits } from "./choice-problem.js";

/** The linear relaxation of a multiple-choice knapsack, solved by finding the price of memory at which the capacity is met. */
export type PricedFilling =
  | { readonly status: "infeasible" }
  | {
      readonly status: "optimal";
      /** Cost per unit of memory, not negative. */
      readonly price: number;
      /** Two slots of one group between which a unit is indifferent at `price`, `null` where the price is zero. */
      readonly indifferent: readonly [number, number] | null;
      /** Whole-numbered, within the capacity, cheapest at a price just above `price`. */
      readonly under: Float64Array;
      /** Whole-numbered, over the capacity, cheapest just below `price`; `null` where the price is zero. */
      readonly over: Float64Array | null;
      /** Optimal for the relaxation: at most one group is fractional. */
      readonly mixed: Float64Array;
      /** `mixed` with its fractional group rounded towards `under`: within the capacity. */
      readonly rounded: Float64Array;
    };

/**
 * min cost·x over lower ≤ x ≤ upper with every group at its total and memory·x ≤ capacity.
 *
 * At a price λ for memory every group fills its slots in rising order of cost + λ·memory; the memory of that filling
 * falls in λ and changes only where two slots of a group meet. The prices where they meet are sorted and searched for
 * the first one beyond which the capacity is kept; there, the fillings on both sides are mixed until the capacity is
 * used up. Costs O(slots · log slots).
 */
export function solveByPrice(
  problem: ChoiceProblem,
  cost: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
): PricedFilling {
  const prices = meetingPrices(problem, cost, lower, upper);
  const filling = (interval: number): Float64Array | null => {
    const below = interval === 0 ? 0 : (prices[interval - 1] as number);
    const above = interval === prices.length ? below * 2 + 1 : (prices[interval] as number);
    return fillAt(problem, cost, lower, upper, (below + above) / 2);
  };
  const cheapest = filling(0);
  if (cheapest === null) return { status: "infeasible" };
  if (fits(problem, cheapest)) {
    return {
      status: "optimal",
      price: 0,
      indifferent: null,
      under: cheapest,
      over: null,
      mixed: cheapest,
      rounded: cheapest,
    };
  }
  let from = 0;
  let to = prices.length;
  let under = filling(to) as Float64Array;
  if (!fits(problem, under)) return { status: "infeasible" };
  let over = cheapest;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    const tried = filling(middle) as Float64Array;
    if (fits(problem, tried)) {
      to = middle;
      under = tried;
    } else {
      from = middle;
      over = tried;
    }
  }
  const price = prices[to - 1] as number;
  // Prices that differ by rounding only are one price: tables of different widths meet at it together.
  under = fillAt(problem, cost, lower, upper, price * (1 + SAME_PRICE)) ?? under;
  over = fillAt(problem, cost, lower, upper, price * (1 - SAME_PRICE)) ?? over;
  return { status: "optimal", price, under, over, ...mix(problem, cost, under, over) };
}

const SAME_PRICE = 1e-11;

/** The prices, rising and without repeats, at which two open slots of a group cost the same. */
function meetingPrices(
  { groupCount, starts, memory }: ChoiceProblem,
  cost: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
): Float64Array {
  const found: number[] = [];
  for (let g = 0; g < groupCount; g++) {
    const end = starts[g + 1] as number;
    for (let a = starts[g] as number; a < end; a++) {
      if (lower[a] === upper[a]) continue;
      for (let b = a + 1; b < end; b++) {
        if (lower[b] === upper[b]) continue;
        const price = ((cost[a] as number) - (cost[b] as number)) / ((memory[b] as number) - (memory[a] as number));
        if (price > 0 && price < Number.POSITIVE_INFINITY) found.push(price);
      }
    }
  }
  const sorted = Float64Array.from(found).sort();
  let kept = 0;
  for (let k = 0; k < sorted.length; k++) {
    if (kept === 0 || sorted[k] !== sorted[kept - 1]) sorted[kept++] = sorted[k] as number;
  }
  return sorted.subarray(0, kept);
}

/** Every group filled in rising order of cost + price·memory; `null` when a group's bounds do not allow its total. */
export function fillAt(
  { groupCount, starts, totals, memory }: ChoiceProblem,
  cost: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  price: number,
): Float64Array | null {
  const filling = Float64Array.from(lower);
  const order = new Int32Array(largestGroup(starts));
  for (let g = 0; g < groupCount; g++) {
    const start = starts[g] as number;
    const end = starts[g + 1] as number;
    let left = totals[g] as number;
    for (let k = start; k < end; k++) {
      left -= lower[k] as number;
      // Insertion sort: groups have a handful of slots.
      let position = k - start;
      const key = (cost[k] as number) + price * (memory[k] as number);
      for (; position > 0; position--) {
        const other = order[position - 1] as number;
        const otherKey = (cost[other] as number) + price * (memory[other] as number);
        if (otherKey < key || (otherKey === key && (memory[other] as number) <= (memory[k] as number))) break;
        order[position] = other;
      }
      order[position] = k;
    }
    if (left < 0) return null;
    for (let position = 0; left > 0 && position < end - start; position++) {
      const k = order[position] as number;
      const taken = Math.min(left, (upper[k] as number) - (lower[k] as number));
      filling[k] = (filling[k] as number) + taken;
      left -= taken;
    }
    if (left > 0) return null;
  }
  return filling;
}

function largestGroup(starts: Int32Array): number {
  let largest = 0;
  for (let g = 1; g < starts.length; g++)
    largest = Math.max(largest, (starts[g] as number) - (starts[g - 1] as number));
  return largest;
}

/** A group that fills differently on the two sides of the price. */
interface Turn {
  readonly giver: number;
  readonly taker: number;
  readonly units: number;
  /** Memory of one unit moved from giver to taker. */
  readonly step: number;
}

function mix(problem: ChoiceProblem, cost: Float64Array, under: Float64Array, over: Float64Array) {
  const { memory } = problem;
  const mixed = Float64Array.from(under);
  const turns: Turn[] = [];
  let room = problem.capacity;
  for (let k = 0; k < under.length; k++) room -= (memory[k] as number) * (under[k] as number);
  let left = room;
  for (let g = 0; g < problem.groupCount; g++) {
    const start = problem.starts[g] as number;
    const end = problem.starts[g + 1] as number;
    let extra = 0;
    let giver = -1;
    let taker = -1;
    for (let k = start; k < end; k++) {
      const change = (over[k] as number) - (under[k] as number);
      extra += (memory[k] as number) * change;
      if (change > 0) taker = k;
      else if (change < 0) giver = k;
    }
    if (giver === -1) continue;
    const units = Math.min(
      (over[taker] as number) - (under[taker] as number),
      (under[giver] as number) - (over[giver] as number),
    );
    turns.push({ giver, taker, units, step: (memory[taker] as number) - (memory[giver] as number) });
    const share = extra <= 0 ? 1 : Math.max(0, Math.min(1, left / extra));
    if (share === 0) continue;
    left -= share * extra;
    for (let k = start; k < end; k++) {
      const change = (over[k] as number) - (under[k] as number);
      mixed[k] = share === 1 ? (over[k] as number) : (under[k] as number) + share * change;
    }
  }
  // The group with the smallest step leaves the least memory over.
  turns.sort((a, b) => b.step - a.step);
  const last = turns.findLast(({ giver, taker, step }) => step > 0 && cost[giver] !== cost[taker]);
  return {
    mixed,
    rounded: fillUp(problem, under, turns, room),
    indifferent: last === undefined ? null : ([last.giver, last.taker] as const),
  };
}

/** Whole units of every turn, largest steps first, as long as they fit. */
function fillUp(problem: ChoiceProblem, under: Float64Array, turns: readonly Turn[], room: number): Float64Array {
  const rounded = Float64Array.from(under);
  let left = room;
  for (const { giver, taker, units, step } of turns) {
    if (step <= 0) continue;
    const move = (count: number) => {
      rounded[giver] = (rounded[giver] as number) - count;
      rounded[taker] = (rounded[taker] as number) + count;
      left -= count * step;
    };
    const moved = Math.min(units, Math.max(0, Math.floor(left / step + 1e-9)));
    move(moved);
    if (moved > 0 && !fits(problem, rounded)) move(-1);
  }
  return fits(problem, rounded) ? rounded : under;
}
