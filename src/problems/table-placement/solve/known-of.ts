import { directProgram } from "../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import { entriesOf } from "../../../program/program.js";
import { programHash } from "../../../program/hash.js";
import type { Program } from "../../../program/program.js";
import { type Certificate, CertificateError } from "../../../proof/certificate.js";
import { checkCertificate } from "../../../proof/check.js";
import { UNITS } from "../../../search/work.js";
import { BestBound } from "./best-bound.js";
import { aggregatedBound } from "./bounds/aggregated-bound.js";
import { placeByGoals } from "./goals/place-by-goals.js";
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

/** What building a problem's program and checking one bound of it takes, in units of work, by its entries. */
export function boundUnits(entries: number): number {
  return 2 * entries * UNITS.checking;
}

/** The pooled bound, from no search at all. Throws `RangeError` as `directProgram` does. */
export function pooledBoundOf(problem: PlacementProblem): KnownOf {
  const direct = directProgram(problem);
  const best = new BestBound(direct.program);
  best.offer(aggregatedBound(problem, direct));
  const { certificate, isInfeasible } = best;
  const bound = certificate === null || isInfeasible ? null : best.value;
  const units = boundUnits(entriesOf(direct.program));
  return { bound, isInfeasible, certificate, placement: null, value: null, units };
}

/** What a search finds and proves within its limits, for the first goal alone. Throws `RangeError` as `placeByGoals` does. */
export async function searchedOf(
  { thenMinimize: _second, ...problem }: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<KnownOf> {
  const { certificate, placement, units, verdict } = await placeByGoals(problem, options);
  const isInfeasible = certificate?.claim.kind === "infeasible";
  // The search takes no bound that the checker has not accepted, with or without a placement beside it.
  const claim = certificate?.claim.kind === "bound" ? Rational.parse(certificate.claim.bound) : null;
  const value = placement === null ? null : evaluatePlacement(problem, placement).objective;
  return { bound: verdict?.bound ?? claim, isInfeasible, certificate, placement, value, units };
}

/** A certificate's steps about another program, where they hold there too. */
export function certificateOn(program: Program, certificate: Certificate): Certificate | null {
  const other = { ...certificate, program: programHash(program) };
  try {
    checkCertificate(program, other);
    return other;
  } catch (error) {
    if (error instanceof CertificateError) return null;
    throw error;
  }
}
