import { directProgram } from "../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import { programHash } from "../../../program/hash.js";
import type { Program } from "../../../program/program.js";
import { entriesOf } from "../../../program/program.js";
import { type Certificate, CertificateError } from "../../../proof/certificate.js";
import { checkCertificate } from "../../../proof/check.js";
import type { TimeBudget } from "../../../search/time/time-budget.js";
import { UNITS } from "../../../search/work.js";
import { BestBound } from "./best-bound.js";
import { aggregatedBound } from "./bounds/aggregated-bound.js";
import { reducedLimit, reduceOptions } from "./bounds/reduction.js";
import { reducedBound } from "./bounds/reduction-steps.js";
import { placeByGoals } from "./goals/place-by-goals.js";
import { judgeOf, KnownPlans } from "./known-plans.js";
import { REDUCTION_CHECKS } from "./placement-search.js";
import { isPlain } from "./problem-size.js";
import type { SolvePlacementOptions } from "./solve-options.js";

/** What is known for certain of a problem that differs from a plan's own. Its certificate was checked in this run. */
export interface KnownOf {
  /** No placement has less; `null` beside `isInfeasible`, or where nothing is known. */
  readonly bound: Rational | null;
  readonly isInfeasible: boolean;
  readonly certificate: Certificate | null;
  readonly placement: Placement | null;
  readonly value: Rational | null;
  /** Units of work that it took. */
  readonly units: number;
}

/** What the limit that a reduction reaches takes, by option of the problem. */
const LIMIT = 0.3;

/** What a bound without a search takes in units of work, by the entries of the problem's program. */
export function boundUnits(problem: PlacementProblem, entries: number): number {
  const checks = isPlain(problem) ? REDUCTION_CHECKS : 2;
  return limitUnits(problem) + checks * entries * UNITS.checking;
}

function limitUnits({ tables }: PlacementProblem): number {
  return LIMIT * tables.reduce((sum, { options }) => sum + options.length, 0);
}

/**
 * The best bound that needs no search: for the largest cost the pooled bound over the options that a reduction leaves, for
 * other goals the pooled bound. `low`: bounds up to this are known already; `high`: as far as it is looked for. A check that
 * the budget has no time for is given up.
 */
export function unsearchedBoundOf(
  problem: PlacementProblem,
  low: number,
  high: number,
  budget: TimeBudget | null = null,
): KnownOf {
  const isReduced = isPlain(problem) && problem.tables.some(({ options }) => options.length > 1);
  const limit = isReduced ? reducedLimit(problem, low, high) * (1 - LOST_TO_ROUNDING) : 0;
  if (isReduced && limit <= low && low > 0) return { ...NOTHING_KNOWN, units: limitUnits(problem) };
  const direct =
    budget === null ? directProgram(problem) : budget.within((checkTime) => directProgram(problem, checkTime));
  if (direct === null) return { ...NOTHING_KNOWN, units: limitUnits(problem) };
  const best = new BestBound(direct, new KnownPlans(judgeOf(problem)), budget);
  best.offer(aggregatedBound(problem, direct));
  if (limit > best.value.toNumber() && budget?.isOver() !== true) {
    const reduction = reduceOptions(problem, limit);
    if (budget?.isOver() !== true) best.offer(reducedBound(problem, direct, reduction, limit));
  }
  const { certificate, isInfeasible } = best;
  const bound = certificate === null || isInfeasible ? null : best.value;
  const units = boundUnits(problem, entriesOf(direct.program));
  return { ...NOTHING_KNOWN, bound, isInfeasible, certificate, units };
}

/** What a bound found in doubles is lowered by until it holds in exact arithmetic. */
const LOST_TO_ROUNDING = 1e-8;

export const NOTHING_KNOWN: KnownOf = {
  ...{ bound: null, isInfeasible: false, certificate: null, placement: null, value: null, units: 0 },
};

/** What a search finds and proves within its limits, for the first goal alone. Throws `RangeError` as `placeByGoals` does. */
export async function searchedOf(
  { thenMinimize: _second, stages: _stages, ...problem }: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<KnownOf> {
  const { certificate, placement, units, verdict } = await placeByGoals(problem, options);
  const isInfeasible = certificate?.claim.kind === "infeasible";
  // The search takes no bound that the checker has not accepted, with or without a placement beside it.
  const claim = certificate?.claim.kind === "bound" ? Rational.parse(certificate.claim.bound) : null;
  const value = placement === null ? null : evaluatePlacement(problem, placement).objective;
  return { bound: verdict?.bound ?? claim, isInfeasible, certificate, placement, value, units };
}

/**
 * A certificate's steps about another program, where they hold there too. `isOver` is asked between steps, and within long
 * ones: then it is not known, and not said.
 */
export function certificateOn(
  program: Program,
  certificate: Certificate,
  isOver: () => boolean = () => false,
): Certificate | null {
  const other = { ...certificate, program: programHash(program) };
  const late = new Error("out of time");
  try {
    checkCertificate(program, other, () => {
      if (isOver()) throw late;
    });
    return other;
  } catch (error) {
    if (error === late || error instanceof CertificateError) return null;
    throw error;
  }
}
