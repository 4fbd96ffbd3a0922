import type { AggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";
import type { ShouldStop } from "../../../../search/work.js";
import { UNITS } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { type AggregatedSearch, type BaseRange, FREE, type RangeBound, type RangePrices } from "./base-range.js";

/** Ranges are not split below this part of the limit, in cost. */
const FINEST = 2e-4;
/** The limit is found to this part of it. */
const PRECISION = 2e-6;
/** What the claim stays below the limit found in doubles, as a part of it. */
const LOST_TO_ROUNDING = 1e-9;

/** A limit below which the aggregated relaxation has no placement, range by range of the base. */
export interface RangedLimit {
  readonly limit: number;
  /** In rising order; together all bases below the limit. */
  readonly bounds: readonly RangeBound[];
  /** The range of the next higher limit that was left open; where the best placements may be. */
  readonly open: RangeBound | null;
}

/**
 * The greatest limit such that no placement has a largest cost below it by the aggregated relaxation: the base is split
 * into ranges; in each, options whose largest shard has no room beside the least base fall, and the base is no more than
 * its most. Between `low` and whatever is above it.
 */
export function rangedLimit(search: AggregatedSearch, shouldStop: ShouldStop): RangedLimit {
  const first = search.boundOf(Number.POSITIVE_INFINITY, { low: 0, high: search.most });
  let best: RangedLimit = { limit: first.value, bounds: [first], open: null };
  if (!Number.isFinite(first.value) || first.value <= 0) return best;
  let open: RangeBound = first;
  const isRefuted = (limit: number): boolean => {
    const found = refuted(search, limit, { low: 0, high: search.most });
    if (Array.isArray(found)) best = { limit, bounds: found, open: null };
    else open = found;
    return Array.isArray(found);
  };
  const over = () => {
    const units = search.looked * UNITS.option;
    search.looked = 0;
    return shouldStop(units);
  };
  let factor = 1.01;
  while (!over() && isRefuted(best.limit * factor)) factor = Math.min(2, factor ** 1.5);
  let above = best.limit * factor;
  while (!over() && above - best.limit > PRECISION * above) {
    const middle = (best.limit + above) / 2;
    if (!isRefuted(middle)) above = middle;
  }
  return { ...best, open };
}

/** Bounds that reach the limit on ranges that make up one, or a range too small to be split on which they do not. */
function refuted(search: AggregatedSearch, limit: number, range: BaseRange): RangeBound[] | RangeBound {
  // A base of the limit or more leaves no placement below it.
  const end = search.step > 0 ? Math.floor(limit / search.step) + 1 : 0;
  if (range.high > end && range.low <= end) {
    const below = refuted(search, limit, { low: range.low, high: end });
    if (!Array.isArray(below)) return below;
    return [...below, search.boundOf(limit, { low: end + 1, high: range.high })];
  }
  const whole = search.boundOf(limit, range);
  if (whole.value >= limit) return [whole];
  if ((range.high - range.low) * search.step <= FINEST * limit || range.high <= range.low) return whole;
  const middle = Math.floor((range.low + range.high) / 2);
  const lower = refuted(search, limit, { low: range.low, high: middle });
  if (!Array.isArray(lower)) return lower;
  const upper = refuted(search, limit, { low: middle + 1, high: range.high });
  return Array.isArray(upper) ? [...lower, ...upper] : upper;
}

/** The limit as a proof about the aggregated program: a branching on the base for each range, and a bound for each. */
export function rangedProof(
  problem: PlacementProblem,
  aggregated: AggregatedProgram,
  { limit, bounds }: RangedLimit,
): BoundProof {
  // A table without an option shows at once.
  if (limit === Number.POSITIVE_INFINITY) return { claim: null, steps: [{ infeasible: {} }] };
  const { program, structure } = aggregated;
  const { base, mean, memory, unit } = structure;
  const shareOf = Rational.of(1n, BigInt(deviceCount(problem)));
  const nameOf = (row: number) => program.rows[row]?.name as string;
  const priced = (row: number | null | undefined, price: number, each: Rational): [string, string][] =>
    row === null || row === undefined || price <= 0
      ? []
      : [[nameOf(row), Rational.fromNumber(price).multiply(shareOf).multiply(each).negate().toString()]];
  const multipliersOf = (prices: RangePrices) =>
    Object.fromEntries([
      [nameOf(mean), unit.multiply(shareOf).negate().toString()],
      ...priced(memory.hbm, prices.hbm, Rational.one),
      ...priced(memory.host, prices.host, Rational.one),
      ...priced(memory.ssd, prices.ssd, Rational.one),
      ...priced(base?.row, prices.base, unit),
    ]);
  // What is too large or too dear whatever the base is left out once, and not in each range.
  const steps: Step[] = [{ fix: {} }, { propagate: {} }, { fix: multipliersOf(FREE) }, { propagate: {} }];
  bounds.forEach(({ range, prices }, k) => {
    if (k < bounds.length - 1)
      steps.push({ branch: program.columns[base?.column as number]?.name as string, at: String(range.high) });
    steps.push({ fix: {} }, { propagate: {} }, { bound: multipliersOf(prices) });
  });
  return { claim: Rational.fromNumber(limit * (1 - LOST_TO_ROUNDING)), steps };
}
