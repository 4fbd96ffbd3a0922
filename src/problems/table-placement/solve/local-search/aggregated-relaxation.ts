import type { Random } from "../../../../exact/random.js";
import type { Layout } from "./layout.js";

/** One option per unit at a price of memory, and what all devices together pay at least. */
export interface PooledChoice {
  readonly options: Int32Array;
  /** Of each option, how much more than its unit's least cost + price · bytes it takes; infinite beyond the limit. */
  readonly regret: Float64Array;
  /** The least average cost of a device; infinite where a unit has no option within the limit. */
  readonly bound: number;
}

/**
 * The relaxation in which all devices are one: of the options whose shards all cost at most `limit`, those of least cost
 * + price · bytes, at the price where the pooled memory is `share` of what there is (multiple-choice knapsack, Lagrangian
 * of its one budget, by bisection). With `random`, costs are disturbed by up to a tenth either way, and the bound is none.
 */
export function pooledChoice(layout: Layout, share: number, limit: number, random: Random | null): PooledChoice {
  const capacity = share * layout.hbmCapacity.reduce((sum, bytes) => sum + bytes, 0);
  const totals = optionTotals(layout, limit, random);
  let price = 0;
  let choice = chooseAt(layout, totals, 0);
  let bound = choice.cost;
  if (choice.hbm > capacity && choice.cost < Number.POSITIVE_INFINITY) {
    let low = 0;
    // From a price that hardly matters, up to where memory is kept or nothing else matters.
    let high = (1e-3 * choice.cost) / choice.hbm || Number.MIN_VALUE;
    for (let k = 0; k < 40; k++) {
      choice = chooseAt(layout, totals, high);
      if (choice.hbm <= capacity) break;
      low = high;
      high *= 4;
    }
    for (let k = 0; k < 40; k++) {
      const middle = (low + high) / 2;
      const tried = chooseAt(layout, totals, middle);
      bound = Math.max(bound, tried.cost + middle * (tried.hbm - capacity));
      if (tried.hbm > capacity) low = middle;
      else {
        high = middle;
        choice = tried;
      }
    }
    price = high;
  }
  return {
    options: choice.options,
    regret: regretsAt(layout, totals, price, choice.options),
    bound: bound / layout.deviceCount,
  };
}

/**
 * A lower bound of the largest cost, in floating point: a goal to search towards, not a proof. With p the dearest shard of
 * a plan, its largest cost is at least p and at least the pooled bound over the options whose shards cost at most p; the
 * former rises in p and the latter falls, so that the least of the larger of the two lies where they meet.
 */
export function floorOf(layout: Layout): number {
  const peaks = [...new Set(layout.peak)].sort((a, b) => a - b);
  const pooledAt = (k: number): number => pooledChoice(layout, 1, peaks[k] as number, null).bound;
  let from = -1;
  let to = peaks.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (pooledAt(middle) <= (peaks[middle] as number)) to = middle;
    else from = middle;
  }
  const below = from < 0 ? Number.POSITIVE_INFINITY : pooledAt(from);
  const above = peaks[to] ?? Number.POSITIVE_INFINITY;
  return Math.max(layout.bound, Math.min(below, above));
}

interface Totals {
  readonly cost: Float64Array;
  readonly hbm: Float64Array;
}

function optionTotals(layout: Layout, limit: number, random: Random | null): Totals {
  const { shardStart, peak } = layout;
  const cost = new Float64Array(peak.length);
  const hbm = new Float64Array(peak.length);
  for (let option = 0; option < peak.length; option++) {
    for (let shard = shardStart[option] as number; shard < (shardStart[option + 1] as number); shard++) {
      cost[option] = (cost[option] as number) + (layout.cost[shard] as number);
      hbm[option] = (hbm[option] as number) + (layout.hbm[shard] as number);
    }
    if (random !== null) cost[option] = (cost[option] as number) * (0.9 + 0.2 * random.next());
    if ((peak[option] as number) > limit) cost[option] = Number.POSITIVE_INFINITY;
  }
  return { cost, hbm };
}

function regretsAt(layout: Layout, totals: Totals, price: number, options: Int32Array): Float64Array {
  const regret = new Float64Array(totals.cost.length);
  for (let unit = 0; unit < options.length; unit++) {
    const best = options[unit] as number;
    const least = (totals.cost[best] as number) + price * (totals.hbm[best] as number);
    for (let o = layout.optionStart[unit] as number; o < (layout.optionStart[unit + 1] as number); o++) {
      regret[o] = Math.max(0, (totals.cost[o] as number) + price * (totals.hbm[o] as number) - least);
    }
  }
  return regret;
}

function chooseAt(layout: Layout, totals: Totals, price: number): { options: Int32Array; cost: number; hbm: number } {
  const options = new Int32Array(layout.units.length);
  let [cost, hbm] = [0, 0];
  for (let unit = 0; unit < options.length; unit++) {
    let best = layout.optionStart[unit] as number;
    let bestValue = Number.POSITIVE_INFINITY;
    for (let option = best; option < (layout.optionStart[unit + 1] as number); option++) {
      const value = (totals.cost[option] as number) + price * (totals.hbm[option] as number);
      if (value < bestValue) [best, bestValue] = [option, value];
    }
    options[unit] = best;
    cost += totals.cost[best] as number;
    hbm += totals.hbm[best] as number;
  }
  return { options, cost, hbm };
}
