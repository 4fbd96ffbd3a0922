import { Master, type MasterPrices } from "./master.js";
import type { PatternModel } from "./model.js";
import type { Weights } from "./price-weights.js";
import { type Pattern, type Priced, pricePatterns } from "./pricing.js";

/** Patterns found so far, by class of devices; shared between limits on cost. */
export type PatternPool = Pattern[][];

/** Prices under which no set of patterns places everything. */
export interface Refusal {
  /** Whole numbers, one per orbit. */
  readonly prices: Float64Array;
  /** Per class, a whole number: no pattern is worth more. */
  readonly most: readonly number[];
  /** Per class, the prices of cost and memory that show it. */
  readonly weights: readonly (readonly Weights[])[];
  readonly visits: number;
}

export type CoverAnswer =
  /** Not even fractionally can patterns of at most this cost place everything. */
  | { readonly kind: "impossible"; readonly refusal: Refusal }
  /** Fractionally they can: nothing is learnt. */
  | { readonly kind: "possible" }
  /** Stopped, or numerical trouble. */
  | { readonly kind: "unknown" };

export interface CoverOptions {
  readonly shouldStop: () => boolean;
  /** Per call of the pricing search. */
  readonly mostVisits: number;
}

/** Prices are rounded to this fraction of their sum: exact in doubles, and fine enough. */
const RESOLUTION = 2 ** 40;

/** Rounds before a limit on cost is given up. */
const MOST_ROUNDS = 2000;

/** How much worse than the best, relative to all weights, the pattern of a device may be that is taken for the best. */
const TOLERANCE = 1e-7;

/** Patterns that one round brings home from each class. */
const PER_ROUND = 12;

/** Visits after which the first, shallow search of a round ends. */
const SHALLOW_VISITS = 3000;

/**
 * Whether patterns of cost at most `costLimit` can place everything, by column generation over the master's prices,
 * smoothed (Wentges 1997): the pricing is asked at a mixture of the best prices so far and the master's own.
 */
export function coverWithin(
  model: PatternModel,
  pool: PatternPool,
  weights: Float64Array,
  costLimit: number,
  options: CoverOptions,
): CoverAnswer {
  const round: Round = { model, pool, costLimit, options, total: totalWeight(model, weights) };
  const master = new Master(model, weights);
  pool.forEach((patterns, k) => {
    for (const pattern of patterns) if (pattern.cost <= costLimit) master.add(k, pattern);
  });
  let center = weights;
  let bestBound = Number.NEGATIVE_INFINITY;
  let mix = 0.7;
  for (let count = 0; count < MOST_ROUNDS; count++) {
    if (options.shouldStop()) return { kind: "unknown" };
    const prices = master.solve();
    if (prices === null) return { kind: "unknown" };
    if (prices.uncovered <= 1e-9 * round.total) return { kind: "possible" };
    for (let share = mix; ; share = share < 0.3 ? 0 : share / 2) {
      const at = share === 0 ? prices.orbits : mixed(center, prices.orbits, share);
      const { bound, added, most } = ask(round, master, at, prices);
      if (bound > 1e-9 * round.total) {
        const refusal = refuse(round, at, bound, most);
        if (refusal !== null) return { kind: "impossible", refusal };
      }
      if (bound > bestBound) {
        bestBound = bound;
        center = at;
        mix = Math.min(0.9, mix + 0.1);
      } else mix = Math.max(0.1, mix - 0.1);
      if (added > 0) break;
      // Nothing new at the mixture: nearer to the master's own prices. Nothing new there is the end.
      if (share === 0) return { kind: "unknown" };
    }
  }
  return { kind: "unknown" };
}

interface Round {
  readonly model: PatternModel;
  readonly pool: PatternPool;
  readonly costLimit: number;
  readonly options: CoverOptions;
  /** What leaving everything unplaced costs. */
  readonly total: number;
}

function mixed(a: Float64Array, b: Float64Array, share: number): Float64Array {
  return b.map((value, k) => share * (a[k] as number) + (1 - share) * value);
}

function totalWeight({ orbits }: PatternModel, weights: Float64Array): number {
  return orbits.reduce((sum, { demand }, r) => sum + demand * (weights[r] as number), 0);
}

/** Prices all classes; adds what improves the master. A deep search is made only where a shallow one finds nothing. */
function ask(
  { model, pool, costLimit, options, total }: Round,
  master: Master,
  at: Float64Array,
  own: MasterPrices,
): { bound: number; added: number; most: readonly number[] } {
  let added = 0;
  const tolerance = (TOLERANCE * total) / model.classes.reduce((sum, { devices }) => sum + devices.length, 0);
  const most = model.classes.map((one, k) => {
    const price = (mostVisits: number) =>
      pricePatterns(one, model.apart, at, costLimit, { mostVisits, mostPatterns: PER_ROUND, above: 0, tolerance });
    const take = ({ patterns }: Priced): number => {
      const better = patterns.filter((pattern) => worth(pattern, own.orbits) > (own.classes[k] as number) + 1e-9);
      for (const pattern of better) {
        master.add(k, pattern);
        pool[k]?.push(pattern);
      }
      return better.length;
    };
    let priced = price(SHALLOW_VISITS);
    let taken = take(priced);
    if (taken === 0 && !priced.complete) {
      priced = price(options.mostVisits);
      taken = take(priced);
    }
    added += taken;
    return priced.most;
  });
  const bound = model.classes.reduce(
    (sum, { devices }, k) => sum - devices.length * (most[k] as number),
    demandValue(model, at),
  );
  return { bound, added, most };
}

function worth({ parts }: Pattern, prices: Float64Array): number {
  let sum = 0;
  for (const { orbits, counts } of parts) {
    for (let i = 0; i < orbits.length; i++) sum += (prices[orbits[i] as number] as number) * (counts[i] as number);
  }
  return sum;
}

/** Σ_t min_o Σ_ρ demand·price: what placing everything is worth at least. */
export function demandValue({ orbits, tables }: PatternModel, prices: Float64Array): number {
  let sum = 0;
  for (const options of tables) {
    let least = Number.POSITIVE_INFINITY;
    for (const own of options) {
      const value = own.reduce((total, r) => total + (orbits[r]?.demand ?? 0) * (prices[r] as number), 0);
      least = Math.min(least, value);
    }
    sum += least;
  }
  return sum;
}

/**
 * The prices in whole numbers, with a number for each class that none of its patterns is worth more than: the margin is
 * shared out, so that little of each search is left to do. `null` where the margin is lost in rounding.
 */
function refuse(
  { model, costLimit, options }: Round,
  at: Float64Array,
  bound: number,
  most: readonly number[],
): Refusal | null {
  const scale = RESOLUTION / demandValue(model, at);
  const prices = at.map((price) => Math.floor(price * scale));
  const devices = model.classes.reduce((sum, one) => sum + one.devices.length, 0);
  const share = (0.999 * bound * scale) / devices;
  let visits = 0;
  const perClass = model.classes.map((one, k) => {
    const above = Math.floor((most[k] as number) * scale + share);
    const limits = { mostVisits: options.mostVisits, mostPatterns: 1, above, tolerance: 0 };
    const priced = pricePatterns(one, model.apart, prices, costLimit, limits);
    visits += priced.visits;
    return { whole: Math.ceil(priced.most), weights: priced.weights };
  });
  const sum = perClass.reduce((total, { whole }, k) => total + whole * (model.classes[k]?.devices.length ?? 0), 0);
  if (demandValue(model, prices) <= sum) return null;
  return { prices, most: perClass.map(({ whole }) => whole), weights: perClass.map((one) => one.weights), visits };
}
