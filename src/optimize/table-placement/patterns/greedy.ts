import type { DeviceClass, Part } from "./model.js";
import { budgetFor, flatten, type Offer, offersAt, type TableOffers } from "./offers.js";
import { type Budget, bestWeights, COARSE, type Weights } from "./price-weights.js";
import type { Pattern } from "./pricing.js";

/** How the weights of cost and memory are tilted against one another: each gives another pattern. */
const TILTS = [1, 0.5, 2, 0.2, 5, 0, Number.POSITIVE_INFINITY];

/**
 * Good patterns at given prices, without a proof: the offers of most value per weighted use first, under several weights,
 * and then each exchanged for a better one of its table where that fits.
 */
export function greedyPatterns(
  { parts, hbm, host }: Pick<DeviceClass, "parts" | "hbm" | "host">,
  apart: readonly (readonly number[])[],
  prices: Float64Array,
  costLimit: number,
): Pattern[] {
  const budget = budgetFor(parts, { cost: costLimit, hbm, host });
  const tables = offersAt(parts, prices, budget);
  const weights = bestWeights(flatten(tables), budget, COARSE);
  const all = tables.flatMap((table) => table.offers.map((offer) => ({ table, offer })));
  return TILTS.map((tilt) => {
    const tilted = tiltedWeights(weights, budget, tilt);
    const density = ({ offer: { part, value } }: (typeof all)[number]) =>
      value / (tilted.cost * part.cost + tilted.hbm * part.hbm + tilted.host * part.host + 1e-12);
    const ranked = all.map((one) => ({ ...one, density: density(one) })).sort((a, b) => b.density - a.density);
    return fill(ranked, apart, budget);
  }).sort((a, b) => b.value - a.value);
}

function tiltedWeights({ cost, hbm, host }: Weights, budget: Budget, tilt: number): Weights {
  // A weight of zero would make its use free altogether: a little of each is always counted.
  const [ofCost, ofMemory] = tilt > 1 ? [1, 1 / tilt] : [tilt, 1];
  const base = 0.02 / Math.max(1e-300, budget.cost);
  return {
    cost: ofCost * cost + base,
    hbm: ofMemory * hbm + 0.02 / Math.max(1, budget.hbm),
    host: host + 0.02 / Math.max(1, budget.host),
  };
}

function fill(
  ranked: readonly { readonly table: TableOffers; readonly offer: Offer }[],
  apart: readonly (readonly number[])[],
  budget: Budget,
): Pattern {
  const left = { ...budget };
  const chosen = new Map<TableOffers, Offer>();
  const use = ({ part }: Offer, sign: 1 | -1) => {
    left.cost -= sign * part.cost;
    left.hbm -= sign * part.hbm;
    left.host -= sign * part.host;
  };
  const fits = ({ part }: Offer) => part.cost <= left.cost && part.hbm <= left.hbm && part.host <= left.host;
  const isAllowed = ({ table }: TableOffers) =>
    apart.every((group) => !group.includes(table) || [...chosen.keys()].every((other) => !group.includes(other.table)));
  for (const { table, offer } of ranked) {
    if (chosen.has(table) || !fits(offer) || !isAllowed(table)) continue;
    chosen.set(table, offer);
    use(offer, 1);
  }
  for (const [table, offer] of chosen) {
    use(offer, -1);
    const better = table.offers.find((other) => other.value > offer.value && fits(other)) ?? offer;
    chosen.set(table, better);
    use(better, 1);
  }
  const offers = [...chosen.values()];
  const parts: Part[] = offers.map(({ part }) => part);
  return {
    parts,
    cost: parts.reduce((sum, { cost }) => sum + cost, 0),
    value: offers.reduce((sum, { value }) => sum + value, 0),
  };
}
