import { type ShouldStop, UNITS } from "../../../../../search/work.js";
import { type GrowingLp, openGrowingLp } from "../../../../../solvers/growing-lp.js";
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
export type PriceMaster = ReturnType<typeof priceMaster>;

/** From the prices of Jensen's bound; `null` where even they give no bound. Throws `SolverError` where HiGHS dies. */
export async function openPriceMaster(block: DeviceBlock, signs: SignSearch): Promise<PriceMaster | null> {
  const prices = await signs.evenPrices();
  const { bound, points } = look(block, signs, prices);
  if (bound === null || points.length === 0) return null;
  const sides = [...Array.from(prices, () => 1 / block.devices), 1];
  const lp = await openGrowingLp(sides.map((side) => [side, side]));
  return priceMaster(block, signs, lp, { prices, bound }, points);
}

function priceMaster(
  block: DeviceBlock,
  signs: SignSearch,
  lp: GrowingLp,
  first: PricedBound,
  points: readonly Float64Array[],
) {
  const { devices, tables, costs, fixed } = block;
  let best = first;
  // How far prices may be from the best, and how often in a row the box has been made wider.
  let width = FIRST_WIDTH * (first.prices.reduce((sum, price) => sum + Math.abs(price), 0) / first.prices.length);
  let widened = 0;
  // For each table a column either way, whose costs are the box of its price.
  for (const value of [1, -1]) {
    for (const t of first.prices.keys())
      lp.addColumn(0, 0, Number.POSITIVE_INFINITY, { indices: [t], values: [value] });
  }
  for (const point of points) add(point);
  return {
    best: () => best,
    dispose: () => lp.dispose(),
    step: raise,
  };

  /** Takes one step; says whether there may be more to gain than a part `precision` of the bound. Throws `SolverError` where HiGHS dies. */
  function raise(precision: number, shouldStop: ShouldStop): boolean {
    const { prices, bound: known } = best;
    for (const [t, price] of prices.entries()) {
      lp.setCost(t, devices * (price + width));
      lp.setCost(prices.length + t, -devices * (price - width));
    }
    const units = UNITS.pivot * (lp.rowCount + lp.columnCount);
    const value = lp.solve(() => shouldStop(units));
    if (value === null || !Number.isFinite(value)) return false;
    const { columns, duals } = lp.answer();
    const hoped = fixed + value;
    if (hoped - known <= precision * Math.abs(known)) {
      // The box may be all that holds it back.
      const isHeld = columns.subarray(0, 2 * prices.length).some((weight) => weight > HELD);
      width *= WIDER;
      return isHeld && ++widened < MAX_WIDENED;
    }
    widened = 0;
    const next = duals.subarray(0, prices.length).map((price) => price / devices);
    const { bound, points: found } = look(block, signs, next);
    if (bound === null) return false;
    for (const point of found) add(point);
    if (bound > known) best = { prices: next, bound };
    width *= bound - known > SERIOUS * (hoped - known) ? GROWTH : SHRINK;
    return true;
  }

  /** A point as a column of the master program. */
  function add(point: Float64Array): void {
    let cost = 0;
    for (let j = 0; j < costs.length; j++) cost += (costs[j] as number) * (point[j] as number);
    const parts = block.placed(point);
    const placed = [...parts.keys()].filter((t) => (parts[t] as number) > 0);
    lp.addColumn(devices * cost, 0, Number.POSITIVE_INFINITY, {
      indices: [...placed, tables],
      values: [...placed.map((t) => parts[t] as number), 1],
    });
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
