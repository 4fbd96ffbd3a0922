import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../../models/table-placement/restriction.js";
import type { Without } from "../../../../search/strategies.js";
import { Work } from "../../../../search/work.js";
import { searchedOptions } from "../local-search/core-options.js";
import { searchPlacement } from "../local-search/index.js";

/** What local search is to look among. */
export interface Job {
  readonly seed: number;
  /** By table, the options that a relaxation takes; `null`: none is known, and the search goes on from the best placement. */
  readonly taken: readonly (readonly boolean[])[] | null;
  /** By table, those that may be in a better placement. */
  readonly open: readonly (readonly boolean[])[];
  readonly best: Placement | null;
  /** Parts of local search that are left out. */
  readonly without: Without;
}

/** Units of local search among the options that a relaxation takes, and then among all. */
const TAKEN_UNITS = 1500;
const ALL_UNITS = 300;

/** Units that a job takes. */
export const JOB_UNITS = TAKEN_UNITS + ALL_UNITS;

/** The placement that a job finds, the same each time; `null` where it finds none. `work`: what it counts for. */
export function runJob(problem: PlacementProblem, job: Job, work = new Work()): Placement | null {
  const { seed, taken, open, best, without } = job;
  const shouldStop = work.slice(JOB_UNITS);
  let start = best;
  if (taken !== null) {
    const { problem: fewer, whole } = withFewerOptions(problem, taken);
    const { placement } = searchPlacement(fewer, { seed, shouldStop: work.slice(TAKEN_UNITS), without });
    start = placement === null ? null : whole(placement);
  }
  const { problem: searched, whole, part } = searchedOptions(problem, open, start);
  const from = start === null ? null : part(start);
  const { placement } = searchPlacement(searched, { seed, shouldStop, starts: from === null ? [] : [from], without });
  return placement === null ? start : whole(placement);
}
