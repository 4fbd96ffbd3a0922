import type { Random } from "../../../exact/random.js";
import type { Layout } from "./layout.js";

/** One option per unit at a price of memory, and what all devices together pay at least. */
export interface PooledChoice {
  readonly options: Int32Array;
  /** Lower bound of the largest cost, in floating point: a goal to search towards, not a proof. */
  readonly bound: number;
}

/**
 * The relaxation in which all devices are one: the options of least cost + price · bytes, at the price where the pooled
 * memory is `share` of what there is (multiple-choice knapsack, Lagrangian of its one budget, by bisection).
 * With `random`, costs are disturbed by up to a tenth either way, and the bound is none.
 */
export function pooledChoice(layout: Layout, share: number, random: Random | null): PooledChoice {
  const capacity = share * layout.hbmCapacity.reduce((sum, bytes) => sum + bytes, 0);
  const totals = optionTotals(layout, random);
  let low = 0;
  let choice = chooseAt(layout, totals, 0);
  let bound = choice.cost;
  if (choice.hbm > capacity) {
    const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) + Number.MIN_VALUE;
    // From a price that hardly matters, up to where memory is kept or nothing else matters.
    let high = (total(totals.cost) / total(totals.hbm)) * 1e-3;
    for (let k = 0; k < 60; k++) {
      choice = chooseAt(layout, totals, high);
      if (choice.hbm <= capacity) break;
      low = high;
      high *= 4;
    }
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      const tried = chooseAt(layout, totals, middle);
      bound = Math.max(bound, tried.cost + middle * (tried.hbm - capacity));
      if (tried.hbm > capacity) low = middle;
      else {
        high = middle;
        choice = tried;
      }
    }
  }
  return { options: choice.options, bound: Math.max(layout.bound, bound / layout.deviceCount) };
}

interface Totals {
  readonly cost: Float64Array;
  readonly hbm: Float64Array;
}

function optionTotals({ shardStart, cost, hbm }: Layout, random: Random | null): Totals {
  const options = shardStart.length - 1;
  const sums = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: options }, (_, o) =>
      values.subarray(shardStart[o], shardStart[o + 1]).reduce((sum, value) => sum + value, 0),
    );
  const totals = { cost: sums(cost), hbm: sums(hbm) };
  if (random !== null)
    for (let o = 0; o < options; o++) totals.cost[o] = (totals.cost[o] as number) * (0.9 + 0.2 * random.next());
  return totals;
}

function chooseAt(layout: Layout, totals: Totals, price: number): { options: Int32Array; cost: number; hbm: number } {
  const options = new Int32Array(layout.units.length);
  let [cost, hbm] = [0, 0];
  for (let unit = 0; unit < options.length; unit++) {
    let best = -1;
    let bestValue = Number.POSITIVE_INFINITY;
    for (let o = layout.optionStart[unit] as number; o < (layout.optionStart[unit + 1] as number); o++) {
      const value = (totals.cost[o] as number) + price * (totals.hbm[o] as number);
      if (value < bestValue) [best, bestValue] = [o, value];
    }
    options[unit] = best;
    cost += totals.cost[best] as number;
    hbm += totals.hbm[best] as number;
  }
  return { options, cost, hbm };
}
