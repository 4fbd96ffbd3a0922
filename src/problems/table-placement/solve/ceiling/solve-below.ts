import { belowCeiling, canHaveCeiling } from "../../../../../models/table-placement/below-ceiling.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { isRich } from "../../../../../models/table-placement/hot-rows.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Restriction } from "../../../../../models/table-placement/restriction.js";
import type { Rational } from "../../../../exact/rational.js";
import { solveLargePlacement } from "../large/solve-large.js";
import { coreStarts } from "../local-search/core-options.js";
import { isLarge } from "../problem-size.js";
import { solvePlacement } from "../solve.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";

/** A ceiling is lowered as long as local search below it brings so much, so many times at most. */
const WORTH_LOWERING = 0.995;
const MAX_CEILINGS = 4;

/** Of fewer options the whole program is as good. */
const MIN_OPTIONS = 1000;

/** Whether a search is to begin below a ceiling: hot rows and sizes of caches make many options, most of them far too dear. */
export function isBelowCeiling(problem: PlacementProblem, { takesCeiling }: SolvePlacementOptions): boolean {
  if (takesCeiling !== true || !canHaveCeiling(problem) || !isRich(problem)) return false;
  return problem.tables.reduce((sum, { options }) => sum + options.length, 0) >= MIN_OPTIONS;
}

/**
 * Places tables and proves how good that is among the options that placements no dearer than a known one may take. The bound is of all
 * placements: those left out cost more than the ceiling, which the one found keeps. `null` where no placement is known to begin
 * with, or nothing was proved.
 */
export async function solveBelowCeiling(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<PlacementSolution | null> {
  const started = performance.now();
  const low = lowestCeiling(problem, options);
  if (low === null) return null;
  const { restriction, placed } = low;
  const spent = (performance.now() - started) / 1000;
  const start = restriction.part(placed.placement);
  const solve = isLarge(restriction.problem) ? solveLargePlacement : solvePlacement;
  const solution = await solve(restriction.problem, {
    ...options,
    timeLimitSeconds: Math.max(0, options.timeLimitSeconds - spent),
    workSeconds: options.workSeconds ?? options.timeLimitSeconds,
    starts: start === null ? [] : [start],
  });
  const { placement, verdict } = solution;
  if (placement === null || verdict === null) return null;
  return {
    ...solution,
    ceiling: placed.value,
    placement: restriction.whole(placement),
    solveSeconds: solution.solveSeconds + spent,
  };
}

interface Placed {
  readonly placement: Placement;
  readonly value: Rational;
}

/** Lowers a ceiling by what local search finds below it. */
function lowestCeiling(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): { readonly restriction: Restriction; readonly placed: Placed } | null {
  let placed = bestOf(problem, options.starts ?? []) ?? bestOf(problem, coreStarts(problem, options));
  if (placed === null) return null;
  for (let round = 1; ; round++) {
    const restriction = belowCeiling(problem, placed.value);
    if (restriction === null) return null;
    const isLate = round === MAX_CEILINGS || options.shouldStop?.() === true;
    const found = isLate ? null : bestOf(problem, coreStarts(restriction.problem, options).map(restriction.whole));
    if (found === null || found.value.compare(placed.value) >= 0) return { restriction, placed };
    const isWorth = found.value.toNumber() <= WORTH_LOWERING * placed.value.toNumber();
    placed = found;
    if (!isWorth) return { restriction: belowCeiling(problem, placed.value) ?? restriction, placed };
  }
}

/** The best of some placements that keep all limits. */
function bestOf(problem: PlacementProblem, placements: readonly Placement[]): Placed | null {
  let best: Placed | null = null;
  for (const placement of placements) {
    const { objective, violations } = evaluatePlacement(problem, placement);
    if (violations.length > 0 || (best !== null && objective.compare(best.value) >= 0)) continue;
    best = { placement, value: objective };
  }
  return best;
}
