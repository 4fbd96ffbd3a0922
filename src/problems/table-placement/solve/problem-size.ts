import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";

/** Whether pattern bounds and the search for the largest cost know all that the problem asks for. */
export function isPlain({ goal, stay, stages }: PlacementProblem): boolean {
  return goal !== "phases" && stay === undefined && stages === undefined;
}

/** Above so many entries the direct program takes longer to be built and checked than most searches have. */
const MAX_DIRECT_ENTRIES = 600_000;

/** Whether a problem is solved over its aggregated program: one of the largest cost alone, on many devices. */
export function isLarge(problem: PlacementProblem): boolean {
  const isForOneGoal = isPlain(problem) && problem.thenMinimize === undefined && problem.setCost === undefined;
  return isForOneGoal && estimatedEntries(problem) > MAX_DIRECT_ENTRIES;
}

/** Entries of a column of the aggregated program, about: its option, memories, mean, base and largest shard. */
const AGGREGATED_ENTRIES = 7;

/** About the entries of the program that a problem is solved over. */
export function solvedEntries(problem: PlacementProblem): number {
  if (!isLarge(problem)) return estimatedEntries(problem);
  return AGGREGATED_ENTRIES * problem.tables.reduce((sum, { options }) => sum + options.length, 0);
}
