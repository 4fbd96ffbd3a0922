import { type DirectProgram, directProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { withFewerOptions } from "../../../../../models/table-placement/restriction.js";
import { Rational } from "../../../../exact/rational.js";
import { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import type { Without } from "../../../../search/strategies.js";
import { Work } from "../../../../search/work.js";
import { searchedOptions } from "../local-search/core-options.js";
import { searchPlacement } from "../local-search/index.js";
import { OptionDiveTurns } from "../option-dive/option-dive-turns.js";

/** Local search. */
export interface SearchJob {
  readonly kind: "search";
  readonly seed: number;
  /** By table, the options that a relaxation takes; `null`: none is known, and the search goes on from the best placement. */
  readonly taken: readonly (readonly boolean[])[] | null;
  /** By table, those that may be in a better placement. */
  readonly open: readonly (readonly boolean[])[];
  readonly best: Placement | null;
  /** Parts of local search that are left out. */
  readonly without: Without;
}

/** Dives over options below the best placement, which go on from where they were at the last such job. */
export interface DiveJob {
  readonly kind: "dive";
  readonly seed: number;
  /** The best bound, exactly. */
  readonly bound: string;
  readonly best: Placement;
}

export type Job = SearchJob | DiveJob;

export interface Answer {
  /** `null` where none is found. */
  readonly placement: Placement | null;
  /** Whether there is nothing left to dive for. */
  readonly hasDived: boolean;
}

/** Units of local search among the options that a relaxation takes, and then among all. */
const TAKEN_UNITS = 1500;
const ALL_UNITS = 300;

/** Units that a job takes. */
export const JOB_UNITS = TAKEN_UNITS + ALL_UNITS;

/** Jobs for one problem, one after the other; the same jobs find the same. */
export class Jobs {
  readonly #problem: PlacementProblem;
  #dives: { readonly direct: DirectProgram; readonly incumbent: Incumbent; readonly turns: OptionDiveTurns } | null =
    null;

  constructor(problem: PlacementProblem) {
    this.#problem = problem;
  }

  /** `work`: what a job counts for. */
  async run(job: Job, work = new Work()): Promise<Answer> {
    if (job.kind === "dive") return this.#dive(job, work);
    return { placement: searched(this.#problem, job, work), hasDived: false };
  }

  async #dive({ seed, bound: least, best }: DiveJob, work: Work): Promise<Answer> {
    const { direct, incumbent, turns } = this.#diving(seed);
    incumbent.offer(direct.pointOf(best));
    const bound = Rational.parse(least);
    const offer = (placement: Placement) => incumbent.offer(direct.pointOf(placement));
    await turns.turn({ bound, incumbent, offer, work }, work.slice(JOB_UNITS));
    const { point, value } = incumbent;
    const placement = point === null ? null : direct.recover(point);
    return { placement, hasDived: value === null || !turns.applies(bound.toNumber(), value.toNumber()) };
  }

  #diving(seed: number) {
    if (this.#dives === null) {
      const direct = directProgram(this.#problem);
      const turns = new OptionDiveTurns(this.#problem, direct, seed);
      this.#dives = { direct, incumbent: new Incumbent(direct.program), turns };
    }
    return this.#dives;
  }
}

function searched(problem: PlacementProblem, job: SearchJob, work: Work): Placement | null {
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
