import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { UNITS } from "../../../search/work.js";

/** Whether pattern bounds and the search for the largest cost know all that the problem asks for. */
export function isPlain({ goal, stay, stages }: PlacementProblem): boolean {
  return goal !== "phases" && stay === undefined && stages === undefined;
}

/** Above so many entries the direct program takes longer to be built and checked than most searches have. */
const MAX_DIRECT_ENTRIES = 600_000;

/** Of all work, the share that building the direct program and checking its first bounds may take. */
const OPENING_SHARE = 0.25;

/** What building a program and checking the bounds that a search begins with take. */
export function openingUnits(entries: number): number {
  return entries * (UNITS.building + OPENING_CHECKS * UNITS.checking);
}

const OPENING_CHECKS = 2;

/**
 * Whether a problem is solved over its aggregated program: one of the largest cost alone, on many devices, or on so many that
 * `units` of work are not enough to build another.
 */
export function isLarge(problem: PlacementProblem, units = Number.POSITIVE_INFINITY): boolean {
  const isForOneGoal = isPlain(problem) && problem.thenMinimize === undefined && problem.setCost === undefined;
  if (!isForOneGoal) return false;
  const entries = estimatedEntries(problem);
  return entries > MAX_DIRECT_ENTRIES || openingUnits(entries) > OPENING_SHARE * units;
}

/** Entries of a column of the aggregated program, about: its option, memories, mean, base and largest shard. */
const AGGREGATED_ENTRIES = 7;

/** About the entries of the program that a problem is solved over, with so many units of work. */
export function solvedEntries(problem: PlacementProblem, units: number): number {
  if (!isLarge(problem, units)) return estimatedEntries(problem);
  return AGGREGATED_ENTRIES * problem.tables.reduce((sum, { options }) => sum + options.length, 0);
}

/** Up to this many columns a program is mostly proved soon by branching on them, without local search or a tree over its base. */
export const FEW_COLUMNS = 300;

/** The first slice of local search in units of work, for a program of so many columns: hardly any where few are. */
export function firstSlice(columns: number): number {
  return (FEW_COLUMNS + 0.1 * columns) * Math.min(1, columns / FEW_COLUMNS) ** 3;
}
