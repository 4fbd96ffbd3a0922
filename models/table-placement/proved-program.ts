import type { Rational } from "../../src/exact/rational.js";
import { programHash } from "../../src/program/hash.js";
import { aggregatedProgram } from "./aggregated-program.js";
import { belowCeiling } from "./below-ceiling.js";
import { countedProgram } from "./counted-program.js";
import { directProgram, type PointedProgram } from "./direct-program.js";
import { evaluatePlacement } from "./evaluate.js";
import { hostsProgram } from "./hosts-problem.js";
import { withMemoryAside } from "./memory-aside.js";
import { numberedProgram } from "./numbered-program.js";
import type { Placement, PlacementProblem } from "./problem.js";
import type { Restriction } from "./restriction.js";
import { type StageProblem, stageProblem, stageProgram } from "./stage-problem.js";

/**
 * The program of a problem that a written certificate names by its hash: the aggregated one, which is small whatever the
 * number of devices, a counted one, the one of numbered devices, or else the direct one. No bound of any is above what the best placement costs.
 */
export function provedProgram(problem: PlacementProblem, written: unknown): PointedProgram {
  const named = namedIn(written);
  if (named !== null) {
    const ofPhases = problem.goal === "phases";
    const others = [
      // Of phases it says only that nothing fits: what its points come to is the largest cost.
      ...(ofPhases && !isInfeasibility(written) ? [] : [() => aggregatedProgram(problem)]),
      ...(ofPhases
        ? []
        : [() => countedProgram(problem, false), () => countedProgram(problem, true), () => numberedProgram(problem)]),
    ];
    for (const otherOf of others) {
      const other = otherOf();
      if (other !== null && programHash(other.program) === named) return other;
    }
  }
  return directProgram(problem);
}

/**
 * The program of what a problem has below a ceiling, which a placement keeps: as this is of the program, with what it costs, no bound
 * of the program is above what the best placement of the whole costs. Throws `RangeError` where the placement costs more than the
 * ceiling or there is none, and as {@link belowCeiling} does.
 */
export function provedBelow(
  problem: PlacementProblem,
  ceiling: Rational,
  placement: Placement | null,
  written: unknown,
): PointedProgram {
  if (placement === null) throw new RangeError("below a ceiling nothing is shown without a plan that keeps it");
  const restriction = belowCeiling(problem, ceiling);
  const part = restriction?.part(placement) ?? null;
  const { objective, violations } = evaluatePlacement(problem, placement);
  if (restriction === null || part === null || violations.length > 0 || objective.compare(ceiling) > 0) {
    throw new RangeError(`the plan costs ${objective}, more than its ceiling of ${ceiling}, below which it is proved`);
  }
  return partOf(restriction, provedReduced(restriction.problem, written), ceiling);
}

/** The program of a restriction as one of the placements of the whole that come to no more than the ceiling. */
export function partOf(
  restriction: Restriction,
  { program, pointOf }: PointedProgram,
  ceiling: Rational,
): PointedProgram & { readonly ceiling: Rational } {
  return {
    program,
    ceiling,
    pointOf: (given) => {
      const own = restriction.part(given);
      if (own === null) throw new RangeError("the placement takes an option that is above the ceiling");
      return pointOf(own);
    },
  };
}

/** As {@link provedProgram}, or the program in which hosts stand for their devices; of either also with memory set aside. */
function provedReduced(problem: PlacementProblem, written: unknown): PointedProgram {
  const named = namedIn(written);
  const provedOf = (own: PlacementProblem) => provedProgram(own, written);
  const ways = problem.nodes > 1 ? [hostsProgram, provedOf] : [provedOf];
  for (const way of named === null ? [] : ways) {
    for (const own of [withMemoryAside(problem), problem]) {
      const proved = way(own);
      if (programHash(proved.program) === named) return proved;
    }
  }
  return provedProgram(problem, written);
}

function isInfeasibility(written: unknown): boolean {
  const { claim } = written as { readonly claim?: { readonly kind?: unknown } | null };
  return claim?.kind === "infeasible";
}

/** The program that a written certificate names by its hash. */
function namedIn(written: unknown): unknown {
  return typeof written === "object" && written !== null && "program" in written ? written.program : null;
}

/**
 * The program of the first goal that a written certificate names: below a ceiling as {@link provedBelow} has it, and otherwise that
 * of the stage, which knows nothing of a limit on moves that all tables are within.
 */
export function provedFirst(
  problem: PlacementProblem,
  ceiling: Rational | null,
  placement: Placement | null,
  written: unknown,
): PointedProgram {
  if (ceiling !== null) return provedBelow(problem, ceiling, placement, written);
  return provedStageProgram(stageProblem(problem, 0, []), written);
}

/** The program of a stage that a written certificate names by its hash; see {@link provedProgram}. */
export function provedStageProgram(stage: StageProblem, written: unknown): PointedProgram {
  return stage.plain === null ? stageProgram(stage) : provedProgram(stage.plain, written);
}
