import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { DeviceClass, PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { Granule } from "../cost-granularity.js";
import type { Priced } from "../patterns/label-search.js";
import { dualPatterns, pricingWeights } from "../patterns/pricing.js";
import type { BoundProof } from "./bound-proof.js";
import { claimOfGranules, patternProof } from "./pattern-proof.js";

/**
 * Tables with a shard of at least this share of a device's memory are lifted, the largest first, until so many in a row
 * gain nothing.
 */
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
 * others must carry. With z the limit on cost, "the cost on a device is at most z" is an inequality over what devices
 * can hold; it stays valid where a table's cost is lifted to z less the most that fits beside it (sequential lifting,
 * Padberg 1975). If all lifted costs together are above z for each device, no placement keeps the limit.
 *
 * For tables without a choice of options and with whole granules; `null` where nothing is lifted.
 */
export function liftedBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
  granule: Granule,
  shouldStop: ShouldStop,
): BoundProof | null {
  if (problem.tables.some(({ options }) => options.length > 1)) return null;
  const devices = deviceCount(problem);
  const wholes = Float64Array.from(model.orbits, ({ cost }) => Number(granule.wholes.get(cost)));
  let limit = Math.ceil(demandValue(model.tables, wholes) / devices) - 1;
  let proof: BoundProof | null = null;
  let candidates = candidatesOf(model);
  for (let count = 0; count < MAX_LIMITS && !shouldStop(); count++) {
    const lifting: Lifting = { model, granule, limit, shouldStop };
    const duals = liftedDuals(lifting, wholes, candidates);
    // What gains nothing at one limit hardly does at the next.
    candidates = candidates.filter((orbit) => (duals[orbit] as number) > (wholes[orbit] as number));
    const total = demandValue(model.tables, duals);
    if (candidates.length === 0 || !(total > devices * limit && Number.isSafeInteger(total))) break;
    const shown = model.classes.map((one) => shownAtMost(lifting, one, duals));
    if (shown.some(({ complete, patterns }) => !complete || patterns.length > 0)) break;
    const argument = { duals, most: model.classes.map(() => limit), weights: shown.map(({ weights }) => weights) };
    proof = patternProof(direct, model, argument, claimOfGranules(granule, BigInt(limit) + 1n), granule);
    const next = Math.ceil(total / devices) - 1;
    if (next <= limit) break;
    limit = next;
  }
  return proof;
}

/** One limit at which prices are lifted. */
interface Lifting {
  readonly model: PatternModel;
  readonly granule: Granule;
  /** In granules. */
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

/** Prices in granules under which nothing that a device can hold within the limit is worth more than the limit. */
function liftedDuals(lifting: Lifting, wholes: Float64Array, candidates: readonly number[]): Float64Array {
  const { model, limit, shouldStop } = lifting;
  const duals = wholes.slice();
  let inVain = 0;
  for (const orbit of candidates) {
    if (shouldStop() || inVain === IN_VAIN) break;
    const beside = Math.max(...model.classes.map((one) => mostBeside(lifting, one, orbit, duals)));
    // Rounded up, so that rounding of the search's sums does not make too much of a table.
    const lifted = limit - Math.ceil(beside);
    if (Number.isFinite(lifted) && lifted > (duals[orbit] as number) + MIN_GAIN * limit) {
      duals[orbit] = lifted;
      inVain = 0;
    } else inVain++;
  }
  return duals;
}

/** The most that patterns are worth beside a shard; minus infinity where it does not fit. */
function mostBeside(
  { model, granule, limit, shouldStop }: Lifting,
  one: DeviceClass,
  orbit: number,
  duals: Float64Array,
): number {
  const { table } = model.orbits[orbit] as PatternModel["orbits"][number];
  const own = one.parts[table]?.find(({ orbits }) => orbits[0] === orbit);
  const room = limit * granule.approximate - (own?.cost ?? 0);
  if (own === undefined || room < 0 || own.hbm > one.hbm || own.host > one.host) return Number.NEGATIVE_INFINITY;
  const others = {
    parts: one.parts.map((parts, t) => (t === table ? [] : parts)),
    hbm: one.hbm - own.hbm,
    host: one.host - own.host,
  };
  const options = { width: WIDTH_BESIDE, mostPatterns: 1, above: 0, tolerance: TOLERANCE * limit, shouldStop };
  return dualPatterns(others, model.apart, duals, room, { ...options, weights: [] }).most;
}

/** A search for a pattern within the limit that is worth more than it. */
function shownAtMost({ model, granule, limit, shouldStop }: Lifting, one: DeviceClass, duals: Float64Array): Priced {
  return dualPatterns(one, model.apart, duals, limit * granule.approximate, {
    // Whole numbers above the limit are by a half above this too, and rounding is not.
    above: limit + 0.5,
    ...{ width: WIDTH_AT_ONCE, mostPatterns: 1, shouldStop, isFirstEnough: true },
    weights: [
      { cost: 1 / granule.approximate, hbm: 0, host: 0 },
      ...pricingWeights(one, duals, limit * granule.approximate),
    ],
  });
}
