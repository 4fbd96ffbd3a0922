import { programHash } from "../../src/program/hash.js";
import { aggregatedProgram } from "./aggregated-program.js";
import { directProgram, type PlacementProgram } from "./direct-program.js";
import type { PlacementProblem } from "./problem.js";
import { type StageProblem, stageProgram } from "./stage-problem.js";

/**
 * The program of a problem that a written certificate names by its hash: the aggregated one, which is small whatever the
 * number of devices, or else the direct one. No bound of either is above what the best placement costs.
 */
export function provedProgram(
  problem: PlacementProblem,
  written: unknown,
): Pick<PlacementProgram, "program" | "pointOf"> {
  const isPlain = problem.goal !== "phases";
  const named = typeof written === "object" && written !== null && "program" in written ? written.program : null;
  if (isPlain && named !== null) {
    const aggregated = aggregatedProgram(problem);
    if (programHash(aggregated.program) === named) return aggregated;
  }
  return directProgram(problem);
}

/** The program of a stage that a written certificate names by its hash; see {@link provedProgram}. */
export function provedStageProgram(
  stage: StageProblem,
  written: unknown,
): Pick<PlacementProgram, "program" | "pointOf"> {
  return stage.plain === null ? stageProgram(stage) : provedProgram(stage.plain, written);
}
