import { Simplex, type SimplexColumn } from "../../../../../search/simplex/simplex.js";
import type { ShouldStop } from "../../../../../search/work.js";
import type { DeviceBlock } from "./device-block.js";
import type { SignSearch } from "./sign-search.js";

/** Prices of tables, and the bound that they give. */
export interface PricedBound {
  readonly prices: Float64Array;
  readonly bound: number;
}

/** The first width of the box that prices move in, as a share of their mean; how it grows and shrinks. */
const FIRST_WIDTH = 0.3;
const GROWTH = 2;
const SHRINK = 0.7;

/** Where all that is left to gain is outside the box it grows by so much; a price is held by it that has such a weight. */
const WIDER = 4;
const HELD = 1e-6;
const MAX_WIDENED = 4;

/** A step is taken where the bound rises by this share of what was hoped for. */
const SERIOUS = 0.1;

/**
 * The best prices of tables: for any prices π, the largest cost is at least
 *
 *   Σ_t π_t + k · min over devices' points x of (cost(x) / k − π·x),
 *
 * a concave function of π, raised by cutting planes (Kelley 1960) within a box around the best prices (Marsten, Hogan and
 * Blankenship 1975). Each point found is a cut; the master program chooses weights for the points that make up a k-th of every
 * table, and its prices are where to look next.
 */
export class PriceMaster {
  readonly #block: DeviceBlock;
  readonly #signs: SignSearch;
  readonly #master: Simplex;
  #best: PricedBound;
  /** How far prices may be from the best. */
  #width: number;
  /** How often in a row the box has been made wider. */
  #widened = 0;

  private constructor(block: DeviceBlock, signs: SignSearch, best: PricedBound, points: readonly Float64Array[]) {
    this.#block = block;
    this.#signs = signs;
    this.#best = best;
    const { prices } = best;
    const [first, ...others] = points as readonly [Float64Array, ...Float64Array[]];
    this.#width = FIRST_WIDTH * (prices.reduce((sum, price) => sum + Math.abs(price), 0) / prices.length);
    // For each table a column either way, whose costs are the box of its price, and the first point.
    const count = prices.length;
    const sides = [...new Array<number>(count).fill(1 / block.devices), 1];
    const slack = [1, -1].flatMap((value) => sides.slice(1).map((_, t) => ({ cost: 0, rows: [t], values: [value] })));
    const placed = block.placed(first);
    const isShort = (t: number) => (placed[t] as number) <= 1 / block.devices;
    const basis = [...sides.slice(1).map((_, t) => (isShort(t) ? t : count + t)), 2 * count];
    this.#master = new Simplex(sides, [...slack, columnOf(block, first)], basis);
    for (const point of others) this.#master.addColumn(columnOf(block, point));
  }

  /** From the prices of Jensen's bound; `null` where even they give no bound. */
  static begin(block: DeviceBlock, signs: SignSearch): PriceMaster | null {
    const prices = signs.evenPrices();
    const { bound, points } = look(block, signs, prices);
    return bound === null || points.length === 0 ? null : new PriceMaster(block, signs, { prices, bound }, points);
  }

  get best(): PricedBound {
    return this.#best;
  }

  /** Takes one step; says whether there may be more to gain than a part `precision` of the bound. */
  step(precision: number, shouldStop: ShouldStop): boolean {
    const { prices, bound: known } = this.#best;
    const { devices } = this.#block;
    for (const [t, price] of prices.entries()) {
      this.#master.setCost(t, devices * (price + this.#width));
      this.#master.setCost(prices.length + t, -devices * (price - this.#width));
    }
    if (!this.#master.solve(shouldStop)) return false;
    const hoped = this.#block.fixed + this.#master.objective;
    if (hoped - known <= precision * Math.abs(known)) {
      // The box may be all that holds it back.
      const isHeld = this.#master
        .values()
        .subarray(0, 2 * prices.length)
        .some((weight) => weight > HELD);
      this.#width *= WIDER;
      return isHeld && ++this.#widened < MAX_WIDENED;
    }
    this.#widened = 0;
    const next = this.#master
      .prices()
      .subarray(0, prices.length)
      .map((price) => price / devices);
    const { bound, points } = look(this.#block, this.#signs, next);
    if (bound === null) return false;
    for (const point of points) this.#master.addColumn(columnOf(this.#block, point));
    if (bound > known) this.#best = { prices: next, bound };
    this.#width *= bound - known > SERIOUS * (hoped - known) ? GROWTH : SHRINK;
    return true;
  }
}

/** What prices give, and the points that stand against more. */
function look(
  { fixed, devices }: DeviceBlock,
  signs: SignSearch,
  prices: Float64Array,
): { readonly bound: number | null; readonly points: readonly Float64Array[] } {
  const { least, points } = signs.solve(prices);
  const bound = least === null ? null : fixed + prices.reduce((sum, price) => sum + price, 0) + devices * least;
  return { bound, points };
}

/** A point as a column of the master program. */
function columnOf(block: DeviceBlock, point: Float64Array): SimplexColumn {
  const { tables, costs, devices } = block;
  let cost = 0;
  for (let j = 0; j < costs.length; j++) cost += (costs[j] as number) * (point[j] as number);
  const parts = block.placed(point);
  const placed = [...parts.keys()].filter((t) => (parts[t] as number) > 0);
  return { cost: devices * cost, rows: [...placed, tables], values: [...placed.map((t) => parts[t] as number), 1] };
}
