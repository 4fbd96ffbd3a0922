import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { DeviceClass, PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { Grain } from "../cost-granularity.js";
import { type Priced, pricePatterns, pricingWeights } from "../patterns/pricing.js";
import type { BoundProof } from "./bound-proof.js";
import { claimOfGrains, patternProof } from "./pattern-proof.js";

/** Tables with a shard of at least this share of a device's memory are lifted, the largest first, until so many in a row gain nothing. */
const MIN_SHARE = 0.1;
const IN_VAIN = 8;

/** A table gains by lifting if it does by this share of the limit. */
const MIN_GAIN = 1e-6;

/** Widths of the search for what fits beside a table, and of the one that shows the lifted prices valid. */
const WIDTH_BESIDE = 50;
const WIDTH_AT_ONCE = 20_000;

/** What fits beside a table is sought up to this share of the limit. */
const TOLERANCE = 1e-7;

/** Limits that are tried, each the average at the prices of the one before. */
const MAX_LIMITS = 8;

/**
 * The average load where tables that fill a device's memory keep it from taking its share of cost: what it lacks, the
 * others must carry. With z the limit on cost, "the cost on a device is at most z" is an inequality over what devices can
 * hold; it stays valid where a table's cost is lifted to z less the most that fits beside it (sequential lifting, Padberg
 * 1975). If all lifted costs together are above z for each device, no placement keeps the limit.
 *
 * For tables without a choice of options and with whole grains; `null` where nothing is lifted.
 */
export function liftedBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
  grain: Grain,
  shouldStop: ShouldStop,
): BoundProof | null {
  if (problem.tables.some(({ options }) => options.length > 1)) return null;
  const devices = deviceCount(problem);
  const wholes = Float64Array.from(model.orbits, ({ cost }) => Number(grain.wholes.get(cost)));
  let limit = Math.ceil(demandValue(model.tables, wholes) / devices) - 1;
  let proof: BoundProof | null = null;
  let candidates = candidatesOf(model);
  for (let count = 0; count < MAX_LIMITS && !shouldStop(); count++) {
    const lifting: Lifting = { model, grain, limit, shouldStop };
    const prices = liftedPrices(lifting, wholes, candidates);
    // What gains nothing at one limit hardly does at the next.
    candidates = candidates.filter((orbit) => (prices[orbit] as number) > (wholes[orbit] as number));
    const total = demandValue(model.tables, prices);
    if (candidates.length === 0 || !(total > devices * limit && Number.isSafeInteger(total))) break;
    const shown = model.classes.map((one) => shownAtMost(lifting, one, prices));
    if (shown.some(({ complete, patterns }) => !complete || patterns.length > 0)) break;
    const argument = { prices, most: model.classes.map(() => limit), weights: shown.map(({ weights }) => weights) };
    proof = patternProof(direct, model, argument, claimOfGrains(grain, BigInt(limit) + 1n), grain);
    const next = Math.ceil(total / devices) - 1;
    if (next <= limit) break;
    limit = next;
  }
  return proof;
}

/** One limit at which prices are lifted. */
interface Lifting {
  readonly model: PatternModel;
  readonly grain: Grain;
  /** In grains. */
  readonly limit: number;
  readonly shouldStop: ShouldStop;
}

/** Shards that may gain, those of most memory first. */
function candidatesOf(model: PatternModel): number[] {
  const largest = Math.max(...model.classes.map(({ hbm }) => hbm));
  const hbmOf = (orbit: number) => model.orbits[orbit]?.hbm as number;
  return [...model.orbits.keys()]
    .filter((orbit) => isOneShard(model, orbit) && hbmOf(orbit) >= MIN_SHARE * largest)
    .sort((a, b) => hbmOf(b) - hbmOf(a));
}

/** A shard that may be several times on a device would be lifted several times. */
function isOneShard({ classes, orbits }: PatternModel, orbit: number): boolean {
  const table = orbits[orbit]?.table as number;
  return classes.every(({ parts }) =>
    (parts[table] ?? []).every(({ counts }) => counts.length === 1 && counts[0] === 1),
  );
}

/** Prices in grains under which nothing that a device can hold within the limit is worth more than the limit. */
function liftedPrices(lifting: Lifting, wholes: Float64Array, candidates: readonly number[]): Float64Array {
  const { model, limit, shouldStop } = lifting;
  const prices = wholes.slice();
  let inVain = 0;
  for (const orbit of candidates) {
    if (shouldStop() || inVain === IN_VAIN) break;
    const beside = Math.max(...model.classes.map((one) => mostBeside(lifting, one, orbit, prices)));
    // Rounded up, so that rounding of the search's sums does not make too much of a table.
    const lifted = limit - Math.ceil(beside);
    if (Number.isFinite(lifted) && lifted > (prices[orbit] as number) + MIN_GAIN * limit) {
      prices[orbit] = lifted;
      inVain = 0;
    } else inVain++;
  }
  return prices;
}

/** The most that patterns are worth beside a shard; minus infinity where it does not fit. */
function mostBeside(
  { model, grain, limit, shouldStop }: Lifting,
  one: DeviceClass,
  orbit: number,
  prices: Float64Array,
): number {
  const { table } = model.orbits[orbit] as PatternModel["orbits"][number];
  const own = one.parts[table]?.find(({ orbits }) => orbits[0] === orbit);
  const room = limit * grain.approximate - (own?.cost ?? 0);
  if (own === undefined || room < 0 || own.hbm > one.hbm || own.host > one.host) return Number.NEGATIVE_INFINITY;
  const others = {
    parts: one.parts.map((parts, t) => (t === table ? [] : parts)),
    hbm: one.hbm - own.hbm,
    host: one.host - own.host,
  };
  const options = { width: WIDTH_BESIDE, mostPatterns: 1, above: 0, tolerance: TOLERANCE * limit, shouldStop };
  return pricePatterns(others, model.apart, prices, room, { ...options, weights: [] }).most;
}

/** A search for a pattern within the limit that is worth more than it. */
function shownAtMost({ model, grain, limit, shouldStop }: Lifting, one: DeviceClass, prices: Float64Array): Priced {
  return pricePatterns(one, model.apart, prices, limit * grain.approximate, {
    // Whole numbers above the limit are by a half above this too, and rounding is not.
    above: limit + 0.5,
    ...{ width: WIDTH_AT_ONCE, mostPatterns: 1, shouldStop, isFirstEnough: true },
    weights: [
      { cost: 1 / grain.approximate, hbm: 0, host: 0 },
      ...pricingWeights(one, prices, limit * grain.approximate),
    ],
  });
}
