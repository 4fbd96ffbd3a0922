import { optionTotals } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { type DirectProgram, directProgram, isDirect } from "../../../../../models/table-placement/direct-program.js";
import { estimatedEntries } from "../../../../../models/table-placement/estimated-entries.js";
import type { PlacementModel } from "../../../../../models/table-placement/from-instance.js";
import { deviceCount, type Placement, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type ChangedProblem, changedProblem } from "../../../../../models/table-placement/what-if.js";
import { Rational } from "../../../../exact/rational.js";
import type { TablePlacementInstance } from "../../../../instance/types/table-placement.js";
import { boundBelow, nearest } from "../../../../plan-file/rounding.js";
import { entriesOf } from "../../../../program/program.js";
import type { Certificate } from "../../../../proof/certificate.js";
import { holdAgainst } from "../../../../proof/hold-against.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { TimeBudget } from "../../../../search/time/time-budget.js";
import { UNITS, UNITS_PER_SECOND } from "../../../../search/work.js";
import { provedOf } from "../../plan-file/hold-placements.js";
import { type FoundPrice, type FoundPrices, UNSOLVED } from "../../plan-file/prices.js";
import { aggregatedMultipliers } from "../bounds/aggregated-bound.js";
import { memoryDuals } from "../bounds/memory-prices.js";
import { boundUnits, certificateOn, unsearchedBoundOf } from "../known-of.js";
import { unitsOf } from "../placement-state.js";
import { isLarge, openingUnits } from "../problem-size.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { type GoalsSolution, placeByGoals } from "./place-by-goals.js";

const GIB = 2 ** 30;

/** Both changed problems together get at most as much work as the plan itself took, and these units: a search begins with less. */
const LEAST_UNITS = 100;

/**
 * What one GiB more on every device and what one more device (or node) would do: at first, by the prices of the pooled
 * bound where there is time for it; and in the end, by solving again, in what is left of the time limit, where the plan
 * itself is proved; where it is not, a bound says how much less it is at most. `null` where there is no plan or no bound.
 */
export async function whatIfPrices(
  { instance, model }: { readonly instance: TablePlacementInstance; readonly model: PlacementModel },
  solution: GoalsSolution,
  options: SolvePlacementOptions,
): Promise<FoundPrices | null> {
  const { verdict, certificate, placement } = solution;
  if (verdict === null || certificate === null || verdict.value === null || placement === null) return null;
  const { problem } = model;
  const direct = solution.ceiling === undefined && isDirect(solution.direct) ? solution.direct : null;
  // Of a program that takes long to be built no prices are said.
  if (direct === null && isLarge(problem, unitsOf(options))) return null;
  const own: Own = {
    ...{ certificate: direct === null ? null : certificate, options, value: verdict.value, started: performance.now() },
    ...{ left: { units: LEAST_UNITS + solution.units }, placement },
    isProved: verdict.status === "proved",
  };
  if (options.timeLimitSeconds <= 0) {
    const none = { rate: null, ...unknown(UNSOLVED.late) };
    return { gibPerGpu: none, device: none };
  }
  const budget = new TimeBudget(options.timeLimitSeconds, options.shouldStop);
  const built =
    direct ??
    (affords(openingUnits(estimatedEntries(problem)), options, budget)
      ? budget.within((checkTime) => directProgram(problem, checkTime))
      : null);
  const rates = built === null ? null : ratesOf(problem, built);
  const gib = changedProblem("gibPerGpu", instance, model);
  const device = changedProblem("device", instance, model);
  // Options that are made anew are not those that the rate speaks of.
  const deviceRate = device.isWider && rates !== null ? rates.device * device.devices : null;
  // Of bounds alone, the plan's own, which may hold with more memory, takes longest to be checked.
  const first = own.isProved ? await resolved(gib, own) : null;
  const ofDevice = await resolved(device, own);
  return {
    gibPerGpu: { rate: rates?.gib ?? null, ...(first ?? (await resolved(gib, own))) },
    device: { rate: deviceRate, ...ofDevice },
  };
}

/** The plan that changes are measured against. */
interface Own {
  readonly placement: Placement;
  readonly value: Rational;
  /** `null`: of another program, which says nothing of the direct one of the changed problem. */
  readonly certificate: Certificate | null;
  readonly isProved: boolean;
  readonly options: SolvePlacementOptions;
  /** Units of work that prices may still take. */
  readonly left: { units: number };
  /** When pricing began, on the clock of performance.now(). */
  readonly started: number;
}

/** Of the time limit, since pricing began. */
function secondsLeft({ options, started }: Own): number {
  return options.timeLimitSeconds - (performance.now() - started) / 1000;
}

type Found = Omit<FoundPrice, "rate">;

/** The plan and its own proof are enough. */
const NO_PROOF = { placement: null, certificate: null };

function unknown(reason: string): Found {
  return { value: null, reason, proof: null };
}

/** Solves the changed problem for its first goal. */
async function resolved({ problem, reason, isWider }: ChangedProblem, own: Own): Promise<Found> {
  const { value, certificate, isProved, options, left } = own;
  if (problem === null) return unknown(reason ?? "");
  if (!isProved) return bounded(problem, isWider, own);
  // Where the same proof holds after the change, it changes nothing.
  if (isWider && certificate !== null) {
    const isSame = holdsToo(problem, certificate, own, new TimeBudget(secondsLeft(own), options.shouldStop));
    if (isSame === null) return unknown(UNSOLVED.late);
    if (isSame) return { value: nearest(value), reason: null, proof: NO_PROOF };
  }
  const timeLimitSeconds = secondsLeft(own);
  const limits = { timeLimitSeconds, workSeconds: left.units / UNITS_PER_SECOND, mostUnits: left.units };
  const late = unknown(UNSOLVED.late);
  if (timeLimitSeconds <= 0 || left.units <= 0) return late;
  const { onProgress: _progress, starts: _starts, takesCeiling: _ceiling, takesCounted: _counted, ...quiet } = options;
  const then = await placeByGoals(problem, { ...quiet, ...limits });
  left.units -= then.units;
  if (isWider && then.verdict !== null) holdWider(problem, own, then.verdict.bound, then.certificate);
  if (then.verdict?.status === "infeasible") return unknown("no plan is within the limits then");
  if (then.verdict?.status !== "proved" || then.verdict.value === null) return late;
  const isOwn = isWider && then.verdict.value.compare(value) > 0;
  const proof = { placement: isOwn ? null : then.placement, certificate: then.certificate };
  return { value: nearest(isOwn ? value : then.verdict.value), reason: null, proof };
}

/** Whether the plan's own certificate holds after the change; `null`: there was no time to build the program. */
function holdsToo(problem: PlacementProblem, own: Certificate, { left }: Own, budget: TimeBudget): boolean | null {
  const changed = budget.within((checkTime) => directProgram(problem, checkTime));
  if (changed === null) return null;
  left.units -= entriesOf(changed.program) * (UNITS.building + UNITS.checking);
  return certificateOn(changed.program, own, budget.isOver) !== null;
}

/** The plan is one after the change too: no bound of it can be above what it comes to. */
function holdWider(
  problem: PlacementProblem,
  { placement: plan }: Own,
  bound: Rational | null,
  certificate: Certificate | null,
): void {
  holdAgainst([{ what: "the plan", plan }], [provedOf(problem, { bound, certificate }, "the changed cluster")]);
}

/** Whether there is so much work left: told by the clock where nothing else limits a search, by its limit where one does. */
function affords(units: number, { mostUnits }: SolvePlacementOptions, budget: TimeBudget): boolean {
  return mostUnits === undefined ? budget.affords(units / UNITS_PER_SECOND) : units <= PRICE_SHARE * mostUnits;
}

/** What prices beside a plan that is not proved may take, as a share of a limit of work. */
const PRICE_SHARE = 0.5;

/** Beside a plan that is not proved, a bound alone: one that needs no search, or the plan's own where it holds then too. */
function bounded(problem: PlacementProblem, isWider: boolean, plan: Own): Found {
  const { value, certificate, options } = plan;
  const budget = new TimeBudget(secondsLeft(plan), options.shouldStop);
  // What the clock cut off is told from what a bound does not show.
  const none = () => unknown(budget.isOver() ? UNSOLVED.late : UNSOLVED.unproved);
  // Building and checking are gone through in one piece.
  if (!affords(boundUnits(problem, estimatedEntries(problem)), options, budget)) return unknown(UNSOLVED.late);
  const known = unsearchedBoundOf(problem, 0, value.toNumber(), budget);
  if (isWider && known.certificate !== null) holdWider(problem, plan, known.bound, known.certificate);
  if (isWider && certificate?.claim.kind === "bound") {
    const own = Rational.parse(certificate.claim.bound);
    const isMore = own.compare(known.bound ?? Rational.zero) > 0 && !budget.isOver();
    if (isMore && holdsToo(problem, certificate, plan, budget) === true)
      return { ...unknown(UNSOLVED.unproved), bound: boundBelow(own, value), proof: NO_PROOF };
  }
  if (known.bound === null) return none();
  const proof = { placement: null, certificate: known.certificate };
  return { ...none(), bound: boundBelow(known.bound, value), proof };
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
