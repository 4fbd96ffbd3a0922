import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { PatternArgument } from "../bounds/pattern-proof.js";
import { shardsIn } from "../core/pattern-lp.js";
import type { Weights } from "./dual-weights.js";
import type { Pattern, PricingLimits } from "./label-search.js";
import { Master, type MasterDuals } from "./master.js";
import { dualPatterns, pricingWeights } from "./pricing.js";

/** Patterns found so far, by class of devices; shared between limits on cost. */
export type PatternPool = Pattern[][];

/** Prices under which no set of patterns places everything. */
export type Farkas = PatternArgument;

export type CoverAnswer =
  /** Not even fractionally can patterns of at most this cost place everything. */
  | { readonly kind: "impossible"; readonly farkas: Farkas }
  /** Fractionally they can. */
  | { readonly kind: "possible" }
  /** Stopped, or numerical trouble. */
  | { readonly kind: "unknown" };

export interface CoverOptions {
  readonly shouldStop: ShouldStop;
  /** Partial patterns that the widest search keeps at each table. */
  readonly width: number;
}

/** Prices are rounded to this fraction of their sum: exact in doubles, and fine enough. */
const RESOLUTION = 2 ** 40;

/** Rounds before a limit on cost is given up. */
const MAX_ROUNDS = 5000;

/** Patterns that one round brings home from each class. */
const PER_ROUND = 12;

/** Widths of the searches of a round: the first finds good patterns, the next ones follow where it finds none. */
const NARROW = 60;
const WIDER = 2000;

/** Searches that use the same weights, found at the prices of the first. */
const SAME_WEIGHTS = 20;

/**
 * Whether patterns of cost at most `costLimit` can place everything, by column generation: patterns that improve the
 * master at its own prices, by a narrow search first, until a complete one finds none. Throws `SolverError` where HiGHS dies.
 */
export async function coverWithin(
  model: PatternModel,
  pool: PatternPool,
  weights: Float64Array,
  costLimit: number,
  options: CoverOptions,
): Promise<CoverAnswer> {
  const master = await Master.open(model, weights);
  try {
    return cover({ model, pool, costLimit, ...options }, master, demandValue(model.tables, weights));
  } finally {
    master.dispose();
  }
}

/** One limit on cost. */
interface Limit extends CoverOptions {
  readonly model: PatternModel;
  readonly pool: PatternPool;
  readonly costLimit: number;
}

/** `total`: what leaving all unplaced costs. */
function cover(limit: Limit, master: Master, total: number): CoverAnswer {
  const { pool, costLimit, shouldStop } = limit;
  const weights: (readonly Weights[])[] = [];
  let searches = 0;
  pool.forEach((patterns, k) => {
    for (const pattern of patterns) if (pattern.cost <= costLimit) master.add(k, pattern);
  });
  for (let count = 0; count < MAX_ROUNDS && !shouldStop(); count++) {
    const own = master.prices(shouldStop);
    if (own === null) break;
    if (own.unplaced <= 1e-9 * total) return { kind: "possible" };
    let added = 0;
    for (const width of [NARROW, WIDER, limit.width]) {
      const isNew = searches++ % SAME_WEIGHTS === 0;
      const { patterns, complete } = search(limit, own, width, isNew, weights);
      added = take(pool, master, own, patterns);
      if (added > 0) break;
      if (!complete) continue;
      // The best prices there are: they say that something stays unplaced.
      const farkas = refuse(limit, own);
      return farkas === null ? { kind: "unknown" } : { kind: "impossible", farkas };
    }
    if (added === 0) break;
  }
  return { kind: "unknown" };
}

type PerClass = readonly (readonly Pattern[])[];

/** Patterns of every class that are worth more than the master asks for; `isNew`: with weights at these prices, to be kept. */
function search(
  { model, costLimit, shouldStop }: Limit,
  { orbits, classes }: MasterDuals,
  width: number,
  isNew: boolean,
  weights: (readonly Weights[])[],
): { patterns: PerClass; complete: boolean } {
  let complete = true;
  const patterns = model.classes.map((one, k) => {
    if (isNew) weights[k] = pricingWeights(one, orbits, costLimit);
    const limits: PricingLimits = {
      ...{ width, mostPatterns: PER_ROUND, shouldStop, weights: weights[k] as readonly Weights[] },
      above: (classes[k] as number) * (1 + 1e-9),
    };
    const priced = dualPatterns(one, model.apart, orbits, costLimit, limits);
    complete &&= priced.complete;
    return priced.patterns;
  });
  return { patterns, complete };
}

/** Adds the patterns that improve the master; returns how many do. */
function take(pool: PatternPool, master: Master, own: MasterDuals, found: PerClass): number {
  let added = 0;
  found.forEach((patterns, k) => {
    for (const pattern of patterns) {
      if (worth(pattern, own.orbits) <= (own.classes[k] as number) + 1e-9 || !master.add(k, pattern)) continue;
      pool[k]?.push(pattern);
      added++;
    }
  });
  return added;
}

function overDevices({ classes }: PatternModel, most: ArrayLike<number>): number {
  return classes.reduce((sum, { devices }, k) => sum + devices.length * (most[k] as number), 0);
}

function worth({ parts }: Pattern, duals: Float64Array): number {
  return shardsIn(parts).reduce((sum, [orbit, count]) => sum + (duals[orbit] as number) * count, 0);
}

/**
 * The prices in whole numbers, with a number for each class that none of its patterns is worth more than: from what the
 * master asks for, the margin is shared out, so that little of each search is left to do. Where a search finds better
 * patterns, or rounding takes the margin, there is no refusal.
 */
function refuse({ model, costLimit, shouldStop, width }: Limit, own: MasterDuals): Farkas | null {
  const worthAll = demandValue(model.tables, own.orbits);
  const scale = RESOLUTION / worthAll;
  const duals = own.orbits.map((dual) => Math.floor(dual * scale));
  const devices = model.classes.reduce((sum, one) => sum + one.devices.length, 0);
  const share = (0.999 * (worthAll - overDevices(model, own.classes)) * scale) / devices;
  const most = Array.from(own.classes, (value) => Math.floor(value * scale + share));
  // Nor where nothing has a price, and these are no numbers.
  if (!(demandValue(model.tables, duals) > overDevices(model, most))) return null;
  const weights: (readonly Weights[])[] = [];
  for (const [k, one] of model.classes.entries()) {
    const limits = { width, mostPatterns: 1, above: most[k] as number, shouldStop, isFirstEnough: true };
    const priced = dualPatterns(one, model.apart, duals, costLimit, limits);
    if (!priced.complete || priced.patterns.length > 0) return null;
    weights.push(priced.weights);
  }
  return { duals, most, weights };
}
