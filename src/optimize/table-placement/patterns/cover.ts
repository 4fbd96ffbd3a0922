import { demandValue } from "./demand.js";
import { greedyPatterns } from "./greedy.js";
import { Master, type MasterPrices } from "./master.js";
import type { PatternModel } from "./model.js";
import type { Weights } from "./price-weights.js";
import { type Pattern, pricePatterns } from "./pricing.js";

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

/** Visits that a refusal is worth that good patterns only make likely. */
const TENTATIVE_VISITS = 200_000;

/** How much of the prices that have proved most so far is mixed into the master's own. */
const MIX = 0.7;

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
  const round: Round = { model, pool, costLimit, options, total: demandValue(model.tables, weights) };
  const master = new Master(model, weights);
  pool.forEach((patterns, k) => {
    for (const pattern of patterns) if (pattern.cost <= costLimit) master.add(k, pattern);
  });
  let center = weights;
  let best = Number.NEGATIVE_INFINITY;
  for (let count = 0; count < MOST_ROUNDS; count++) {
    if (options.shouldStop()) return { kind: "unknown" };
    const own = master.solve();
    if (own === null) return { kind: "unknown" };
    if (own.uncovered <= 1e-9 * round.total) return { kind: "possible" };
    const at = mixed(center, own.orbits, MIX);
    const greedy = greedyAt(round, at);
    if (greedy.bound > best) {
      best = greedy.bound;
      center = at;
    }
    // Only where good patterns leave a margin can all of them: then it is worth going through them.
    if (greedy.bound > 0) {
      const refused = refuse(round, at, greedy.most, TENTATIVE_VISITS);
      if (refused.refusal !== null) return { kind: "impossible", refusal: refused.refusal };
      take(round, master, own, refused.found);
    }
    let added = take(round, master, own, greedy.patterns);
    if (added === 0) added = take(round, master, own, greedyAt(round, own.orbits).patterns);
    for (const mostVisits of [SHALLOW_VISITS, options.mostVisits]) {
      if (added > 0) break;
      const { patterns, complete } = searchAt(round, own, mostVisits);
      added = take(round, master, own, patterns);
      if (added > 0 || !complete) continue;
      // The master's optimum: its own prices say that something stays unplaced.
      const { refusal } = refuse(round, own.orbits, [...own.classes], options.mostVisits);
      return refusal === null ? { kind: "unknown" } : { kind: "impossible", refusal };
    }
    if (added === 0) return { kind: "unknown" };
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

type PerClass = readonly (readonly Pattern[])[];

/** Greedy patterns of all classes, and what the prices would prove if none were better. */
function greedyAt(
  { model, costLimit }: Round,
  at: Float64Array,
): { patterns: PerClass; bound: number; most: readonly number[] } {
  const patterns = model.classes.map((one) => greedyPatterns(one, model.apart, at, costLimit));
  const most = patterns.map((list) => list[0]?.value ?? 0);
  return { patterns, most, bound: demandValue(model.tables, at) - overDevices(model, most) };
}

/** Patterns that improve the master, by search; `complete` says that there are none beyond those. */
function searchAt(
  { model, costLimit, options, total }: Round,
  own: MasterPrices,
  mostVisits: number,
): { patterns: PerClass; complete: boolean } {
  const { shouldStop } = options;
  const searched = model.classes.map((one, k) => {
    const above = (own.classes[k] as number) + 1e-9 * total;
    const limits = { mostVisits, mostPatterns: PER_ROUND, above, tolerance: 0, shouldStop };
    return pricePatterns(one, model.apart, own.orbits, costLimit, limits);
  });
  return { patterns: searched.map(({ patterns }) => patterns), complete: searched.every(({ complete }) => complete) };
}

/** Adds the patterns that improve the master; returns how many do. */
function take({ pool }: Round, master: Master, own: MasterPrices, found: PerClass): number {
  let added = 0;
  found.forEach((patterns, k) => {
    const seen = new Set<string>();
    for (const pattern of patterns) {
      if (worth(pattern, own.orbits) <= (own.classes[k] as number) + 1e-9) continue;
      const key = keyOf(pattern);
      if (seen.has(key)) continue;
      seen.add(key);
      master.add(k, pattern);
      pool[k]?.push(pattern);
      added++;
    }
  });
  return added;
}

function keyOf({ parts }: Pattern): string {
  return parts
    .map(({ orbits, counts }) => `${orbits.join()}*${counts.join()}`)
    .sort()
    .join(" ");
}

function overDevices({ classes }: PatternModel, most: readonly number[]): number {
  return classes.reduce((sum, { devices }, k) => sum + devices.length * (most[k] as number), 0);
}

function worth({ parts }: Pattern, prices: Float64Array): number {
  let sum = 0;
  for (const { orbits, counts } of parts) {
    for (let i = 0; i < orbits.length; i++) sum += (prices[orbits[i] as number] as number) * (counts[i] as number);
  }
  return sum;
}

/**
 * The prices in whole numbers, with a number for each class that none of its patterns is worth more than: from what its best
 * is thought to be worth, the margin is shared out, so that little of each search is left to do. Where a search finds
 * better patterns, or rounding takes the margin, there is no refusal.
 */
function refuse(
  { model, costLimit, options }: Round,
  at: Float64Array,
  most: readonly number[],
  mostVisits: number,
): { refusal: Refusal | null; found: PerClass } {
  const scale = RESOLUTION / demandValue(model.tables, at);
  const prices = at.map((price) => Math.floor(price * scale));
  const devices = model.classes.reduce((sum, one) => sum + one.devices.length, 0);
  const margin = demandValue(model.tables, at) - overDevices(model, most);
  const share = (0.999 * margin * scale) / devices;
  const found: (readonly Pattern[])[] = model.classes.map(() => []);
  const weights: (readonly Weights[])[] = [];
  const allowed = most.map((value) => Math.floor(value * scale + share));
  let visits = 0;
  if (demandValue(model.tables, prices) <= overDevices(model, allowed)) return { refusal: null, found };
  for (const [k, one] of model.classes.entries()) {
    const { shouldStop } = options;
    const limits = { mostVisits, mostPatterns: PER_ROUND, above: allowed[k] as number, tolerance: 0, shouldStop };
    const priced = pricePatterns(one, model.apart, prices, costLimit, { ...limits, isFirstEnough: true });
    visits += priced.visits;
    found[k] = priced.patterns;
    if (!priced.complete || priced.patterns.length > 0) return { refusal: null, found };
    weights.push(priced.weights);
  }
  return { refusal: { prices, most: allowed, weights, visits }, found };
}
