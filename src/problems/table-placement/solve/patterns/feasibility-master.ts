import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import type { Without } from "../../../../search/strategies.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { Weights } from "./dual-weights.js";
import { Master, type MasterPrices, type Usage } from "./master.js";
import { type Pattern, type PricingLimits, pricePatterns, pricingWeights } from "./pricing.js";

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
  /** Partial patterns that the searches went on with. */
  readonly labels: number;
}

export type CoverAnswer =
  /** Not even fractionally can patterns of at most this cost place everything. */
  | { readonly kind: "impossible"; readonly refusal: Refusal }
  /** Fractionally they can, so often each. */
  | { readonly kind: "possible"; readonly usage: readonly Usage[] }
  /** Stopped, or numerical trouble. */
  | { readonly kind: "unknown" };

export interface CoverOptions {
  readonly shouldStop: ShouldStop;
  /** Partial patterns that the widest search keeps at each table. */
  readonly width: number;
  /** Prices, per orbit, to begin with. */
  readonly start?: Float64Array;
  readonly without: Without;
  /** They refused another limit: those sought here may be near. */
  readonly isNear?: boolean;
}

/** Parts of column generation that can be left out. */
export const COVER_STRATEGIES = ["near prices", "box steps", "smoothing", "early refusals"];

/** Prices are rounded to this fraction of their sum: exact in doubles, and fine enough. */
const RESOLUTION = 2 ** 40;

/** Rounds before a limit on cost is given up. */
const MAX_ROUNDS = 5000;

/** How much of the prices that have proved most so far is mixed into the master's own. */
const MIX = 0.7;

/** Patterns that one round brings home from each class. */
const PER_ROUND = 12;

/** Widths of the searches of a round: the first finds good patterns, the next ones follow where it finds none. */
const NARROW = 60;
const WIDER = 2000;

/** Searches that use the same weights, found at the prices of the first. */
const SAME_WEIGHTS = 20;

/** The part of their range within which prices first stay near those that refused another limit. */
const FIRST_PART = 0.01;
const MIN_PART = 1e-4;

/** Rounds without better prices after which they are sought nearer. */
const PATIENCE = 20;

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
  const round = new Round(model, pool, costLimit, options.shouldStop);
  const total = demandValue(model.tables, weights);
  const master = new Master(model, weights);
  pool.forEach((patterns, k) => {
    for (const pattern of patterns) if (pattern.cost <= costLimit) master.add(k, pattern);
  });
  const { start, isNear = false, without } = options;
  const isFar = start === undefined || without.has("near prices");
  const center = new Center(round, isFar ? weights : onScale(start, weights));
  let part = isNear && !without.has("near prices") && !without.has("box steps") ? FIRST_PART : 1;
  const mix = without.has("smoothing") ? 0 : MIX;
  let inVain = 0;
  for (let count = 0; count < MAX_ROUNDS && !options.shouldStop(); count++) {
    center.look();
    master.focus(center.prices, part);
    const own = master.solve(options.shouldStop);
    if (own === null) break;
    if (own.promise <= 1e-9 * total) {
      if (part >= 1) return { kind: "possible", usage: master.usage() };
      part = Math.min(1, 4 * part);
      continue;
    }
    const at = mixed(center.prices, own.orbits, mix);
    const seen = round.search(at, NARROW);
    if (seen.bound > center.bound) {
      center.move(at, seen.most);
      inVain = 0;
    } else if (++inVain % PATIENCE === 0 && !without.has("box steps")) part = Math.max(MIN_PART, part / 2);
    // Only where good patterns leave a margin can all of them: then it is worth going through them.
    if (seen.bound > 0 && !without.has("early refusals")) {
      const { refusal, found } = refuse(round, at, seen.most, WIDER);
      if (refusal !== null) return { kind: "impossible", refusal };
      take(round, master, own, found);
    }
    let added = take(round, master, own, seen.patterns);
    for (const width of [NARROW, WIDER, options.width]) {
      if (added > 0) break;
      const { patterns, complete } = round.search(own.orbits, width, [...own.classes]);
      added = take(round, master, own, patterns);
      if (added > 0 || !complete) continue;
      // The best prices in reach: they say that something stays unplaced.
      const { refusal } = refuse(round, own.orbits, [...own.classes], options.width);
      return refusal === null ? { kind: "unknown" } : { kind: "impossible", refusal };
    }
    if (added === 0) break;
  }
  return { kind: "unknown" };
}

/** Prices of one scale, brought to another: none above its weight, and the dearest at it. */
function onScale(prices: Float64Array, weights: Float64Array): Float64Array {
  const scale = Math.max(...prices.map((price, r) => price / (weights[r] as number)));
  return prices.map((price) => price / scale);
}

type PerClass = readonly (readonly Pattern[])[];

/** What a search at some prices found. */
interface Seen {
  readonly patterns: PerClass;
  /** The value of the best pattern of each class, among those found now or before. */
  readonly most: readonly number[];
  /** What the prices prove if there is no better one. */
  readonly bound: number;
  readonly complete: boolean;
}

/** One limit on cost, and what searches share. */
class Round {
  readonly model: PatternModel;
  readonly pool: PatternPool;
  readonly costLimit: number;
  readonly shouldStop: ShouldStop;
  readonly #weights: (readonly Weights[])[] = [];
  #searches = 0;

  constructor(model: PatternModel, pool: PatternPool, costLimit: number, shouldStop: ShouldStop) {
    this.model = model;
    this.pool = pool;
    this.costLimit = costLimit;
    this.shouldStop = shouldStop;
  }

  /** Good patterns of every class, those worth more than `above` alone where it is given. */
  search(prices: Float64Array, width: number, above?: readonly number[]): Seen {
    const { model, pool, costLimit, shouldStop } = this;
    const isNew = this.#searches++ % SAME_WEIGHTS === 0;
    const most: number[] = [];
    let complete = true;
    const patterns = model.classes.map((one, k) => {
      if (isNew) this.#weights[k] = pricingWeights(one, prices, costLimit);
      const limits: PricingLimits = {
        width,
        mostPatterns: PER_ROUND,
        above: (above?.[k] ?? 0) * (1 + 1e-9),
        shouldStop,
        weights: this.#weights[k] as readonly Weights[],
      };
      const priced = pricePatterns(one, model.apart, prices, costLimit, limits);
      complete &&= priced.complete;
      let best = priced.patterns[0]?.value ?? 0;
      for (const known of pool[k] ?? []) if (known.cost <= costLimit) best = Math.max(best, worth(known, prices));
      most[k] = best;
      return priced.patterns;
    });
    return { patterns, most, bound: demandValue(model.tables, prices) - overDevices(model, most), complete };
  }
}

function mixed(a: Float64Array, b: Float64Array, share: number): Float64Array {
  return b.map((value, k) => share * (a[k] as number) + (1 - share) * value);
}

/** The prices that seem to prove most so far, and what they would prove if no pattern were better than those known. */
class Center {
  prices: Float64Array;
  bound = Number.NEGATIVE_INFINITY;
  readonly #round: Round;
  readonly #most: number[];
  /** Patterns of each class in the pool that it has looked at. */
  readonly #seen: number[];

  constructor(round: Round, prices: Float64Array) {
    this.#round = round;
    this.prices = prices;
    this.#most = round.model.classes.map(() => 0);
    this.#seen = round.model.classes.map(() => 0);
  }

  /** Takes patterns into account that were found since: they may be worth more than all before. */
  look(): void {
    const { model, pool, costLimit } = this.#round;
    pool.forEach((patterns, k) => {
      for (let at = this.#seen[k] as number; at < patterns.length; at++) {
        const pattern = patterns[at] as Pattern;
        if (pattern.cost <= costLimit) this.#most[k] = Math.max(this.#most[k] as number, worth(pattern, this.prices));
      }
      this.#seen[k] = patterns.length;
    });
    this.bound = demandValue(model.tables, this.prices) - overDevices(model, this.#most);
  }

  /** To other prices, at which the patterns known are worth so much at most. */
  move(prices: Float64Array, most: readonly number[]): void {
    this.prices = prices;
    most.forEach((value, k) => {
      this.#most[k] = value;
    });
    this.look();
  }
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
  { model, costLimit, shouldStop }: Round,
  at: Float64Array,
  most: readonly number[],
  width: number,
): { refusal: Refusal | null; found: PerClass } {
  const scale = RESOLUTION / demandValue(model.tables, at);
  const prices = at.map((price) => Math.floor(price * scale));
  const devices = model.classes.reduce((sum, one) => sum + one.devices.length, 0);
  const margin = demandValue(model.tables, at) - overDevices(model, most);
  const share = (0.999 * margin * scale) / devices;
  const found: (readonly Pattern[])[] = model.classes.map(() => []);
  const weights: (readonly Weights[])[] = [];
  const allowed = most.map((value) => Math.floor(value * scale + share));
  let labels = 0;
  if (demandValue(model.tables, prices) <= overDevices(model, allowed)) return { refusal: null, found };
  for (const [k, one] of model.classes.entries()) {
    const limits = { width, mostPatterns: PER_ROUND, above: allowed[k] as number, shouldStop, isFirstEnough: true };
    const priced = pricePatterns(one, model.apart, prices, costLimit, limits);
    labels += priced.labels;
    found[k] = priced.patterns;
    if (!priced.complete || priced.patterns.length > 0) return { refusal: null, found };
    weights.push(priced.weights);
  }
  return { refusal: { prices, most: allowed, weights, labels }, found };
}
