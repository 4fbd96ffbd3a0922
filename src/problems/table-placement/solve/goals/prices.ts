import { optionTotals } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { type DirectProgram, directProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementModel } from "../../../../../models/table-placement/from-instance.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type ChangedProblem, changedProblem } from "../../../../../models/table-placement/what-if.js";
import { Rational } from "../../../../exact/rational.js";
import { programHash } from "../../../../program/hash.js";
import { type Certificate, CertificateError } from "../../../../proof/certificate.js";
import { checkCertificate } from "../../../../proof/check.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { UNITS_PER_SECOND } from "../../../../search/work.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { TablePlacementInstance } from "../../instance/instance.js";
import { type FoundPrice, type FoundPrices, UNSOLVED } from "../../plan-file/prices.js";
import { aggregatedMultipliers } from "../bounds/aggregated-bound.js";
import { memoryDuals } from "../bounds/memory-prices.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { type GoalsSolution, placeByGoals } from "./place-by-goals.js";

const GIB = 2 ** 30;

/** A changed problem gets at most the work of this many seconds, and as much as the plan itself took. */
const SECONDS = 1;

/**
 * What one GiB more on every device and what one more device (or node) would do: at first, by the prices of the pooled
 * bound where there is time for it; and in the end, by solving again, in what is left of the time limit, where the plan
 * itself is proved. `null` where there is no plan or no bound.
 */
export async function whatIfPrices(
  { instance, model }: { readonly instance: TablePlacementInstance; readonly model: PlacementModel },
  solution: GoalsSolution,
  options: SolvePlacementOptions,
): Promise<FoundPrices | null> {
  const { verdict, certificate } = solution;
  if (verdict === null || certificate === null || verdict.value === null) return null;
  const { problem } = model;
  const own: Own = {
    ...{ certificate, options, value: verdict.value, started: performance.now() },
    units: solution.units,
    isProved: verdict.status === "proved",
  };
  if (options.timeLimitSeconds <= 0) {
    const none = { rate: null, ...(own.isProved ? unknown(UNSOLVED.late) : unknown(UNSOLVED.unproved)) };
    return { gibPerGpu: none, device: none };
  }
  const rates = ratesOf(problem, solution.direct);
  const gib = changedProblem("gibPerGpu", instance, model);
  const device = changedProblem("device", instance, model);
  // Options that are made anew are not those that the rate speaks of.
  const deviceRate = device.isWider ? rates.device * device.devices : null;
  return {
    gibPerGpu: { rate: rates.gib, ...(await resolved(gib, own)) },
    device: { rate: deviceRate, ...(await resolved(device, own)) },
  };
}

/** The plan that changes are measured against. */
interface Own {
  readonly value: Rational;
  readonly certificate: Certificate;
  readonly isProved: boolean;
  readonly options: SolvePlacementOptions;
  /** Units of work that it took. */
  readonly units: number;
  /** When pricing began, on the clock of performance.now(). */
  readonly started: number;
}

type Found = Omit<FoundPrice, "rate">;

function unknown(reason: string): Found {
  return { value: null, reason, proof: null };
}

/** Solves the changed problem for its first goal. */
async function resolved({ problem, reason, isWider }: ChangedProblem, own: Own): Promise<Found> {
  const { value, certificate, isProved, options, units, started } = own;
  if (problem === null) return unknown(reason ?? "");
  if (!isProved) return unknown(UNSOLVED.unproved);
  // Where the same proof holds after the change, it changes nothing.
  if (isWider && stillHolds(certificate, directProgram(problem))) {
    return { value: nearest(value), reason: null, proof: { placement: null, certificate: null } };
  }
  const timeLimitSeconds = options.timeLimitSeconds - (performance.now() - started) / 1000;
  const workSeconds = SECONDS + units / UNITS_PER_SECOND;
  const limits = { timeLimitSeconds, workSeconds, mostUnits: workSeconds * UNITS_PER_SECOND };
  const late = unknown(UNSOLVED.late);
  if (timeLimitSeconds <= 0) return late;
  const { onProgress: _progress, starts: _starts, ...quiet } = options;
  const then = await placeByGoals(problem, { ...quiet, ...limits });
  if (then.verdict?.status === "infeasible") return unknown("no plan is within the limits then");
  if (then.verdict?.status !== "proved" || then.verdict.value === null) return late;
  const isOwn = isWider && then.verdict.value.compare(value) > 0;
  const proof = { placement: isOwn ? null : then.placement, certificate: then.certificate };
  return { value: nearest(isOwn ? value : then.verdict.value), reason: null, proof };
}

function stillHolds(certificate: Certificate, { program }: DirectProgram): boolean {
  try {
    checkCertificate(program, { ...certificate, program: programHash(program) });
    return true;
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

/**
 * What the pooled bound V changes by, at first, with more of everything there is: its memory rows have the price p (of
 * a byte on one device), so that a GiB on every device is worth devices · p GiB; and V is Σ cost / devices under
 * Σ bytes ≤ devices · capacity, so that a device more is worth V / devices + p · capacity.
 */
function ratesOf(problem: PlacementProblem, direct: DirectProgram): { readonly gib: number; readonly device: number } {
  const multipliers = aggregatedMultipliers(problem, direct, memoryDuals(problem, optionTotals(problem)));
  const { program, structure } = direct;
  const { view, box } = viewOf(program);
  // Not the claim, which is rounded up to what costs can add up to.
  const pooled = lagrangianBound(view, box, multipliers).bound ?? Rational.zero;
  const priceOf = (row: number | null) => (row === null ? 0 : Math.abs(multipliers.get(row)?.toNumber() ?? 0));
  const worth = (rows: readonly (number | null)[]) =>
    rows.reduce<number>((sum, row) => {
      const upper = row === null ? null : (program.rows[row]?.upper ?? null);
      return sum + (upper === null ? 0 : priceOf(row) * upper.toNumber());
    }, 0);
  const perByte = structure.hbmRows.reduce<number>((sum, row) => sum + priceOf(row), 0);
  const all = pooled.toNumber() + worth(structure.hbmRows) + worth(structure.hostRows) + worth(structure.ssdRows);
  return { gib: 0 - perByte * GIB, device: 0 - all / deviceCount(problem) };
}
