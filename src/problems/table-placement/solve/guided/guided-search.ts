import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import type { Without } from "../../../../search/strategies.js";
import type { Work } from "../../../../search/work.js";
import type { Switch } from "../base-tree/base-model.js";
import type { Beside } from "../base-tree/base-search.js";
import { JOB_UNITS, type Job, runJob } from "./job.js";
import { SearchThread } from "./search-thread.js";

/** Units of work before the first job: what is proved sooner needs no second thread. */
const BEGINS_AT = 500;

/**
 * What the search does while a job is done, as a share of its units: about as long as it takes on another core. Trees count two
 * milliseconds as a unit, or one where memory binds.
 */
const SHARE_BESIDE = { ample: 0.4, scarce: 0.7 };

/** Its seeds are others than those of local search in the search itself, which may begin with the same placement. */
const FIRST_SEED = 1_000;

/** The same where there are no threads, and jobs are done in between. */
const SHARE_BETWEEN = 3;

/** An option that a relaxation takes to this part is tried. */
const LEAST_TAKEN = 0.02;

/** Relaxations that are remembered: those of the last nodes alone are much the same. */
const REMEMBERED = 50;

/** What is better by less is rounding. */
const WORTH_TELLING = 1e-9;

/** How often it is asked whether time is over while an answer is waited for, in milliseconds. */
const POLL_MILLISECONDS = 20;

/** The search that it is beside. */
export interface Guide {
  readonly incumbent: Incumbent;
  readonly options: { readonly seed: number; readonly without?: Without };
  readonly work: Work;
  /** By table, the options that may be in a better placement. */
  readonly open: readonly (readonly boolean[])[];
}

/**
 * Local search beside the search for bounds, in a thread of its own: among the options that a relaxation takes, then among all from
 * there. The relaxations are those of the tree's nodes: where branching has narrowed the bases of hosts they say which options go
 * together, which local search by itself hardly finds. Without a relaxation it goes on from the best placement. Jobs are
 * given and answers taken where the search has done so much work, whoever comes first.
 */
export class GuidedSearch implements Beside {
  readonly #guide: Guide;
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #random: Random;
  readonly #share: number;
  #thread: SearchThread | null = null;
  #answer: Promise<Placement | null> | null = null;
  #dueAt = BEGINS_AT;
  #jobs = 0;
  #isOver = false;
  /** By relaxation and table, the options taken; the oldest makes room for the next. */
  readonly #relaxed: (readonly (readonly boolean[])[])[] = [];
  #heeded = 0;

  constructor(problem: PlacementProblem, direct: DirectProgram, guide: Guide, memoryBinds: boolean) {
    this.#guide = guide;
    this.#problem = problem;
    this.#direct = direct;
    this.#random = seededRandom(guide.options.seed);
    this.#share = memoryBinds ? SHARE_BESIDE.scarce : SHARE_BESIDE.ample;
  }

  /** Whether it has a job. */
  get isAtWork(): boolean {
    return this.#answer !== null;
  }

  get isDue(): boolean {
    return !this.#isOver && this.#guide.work.done >= this.#dueAt;
  }

  /** Takes the placement found and gives the next job; says whether it is better. */
  async exchange(): Promise<boolean> {
    const isBetter = this.#answer !== null && (await this.#take(this.#answer));
    this.#answer = null;
    if (!this.#isOver && !this.#guide.work.ask()) this.#give();
    return isBetter;
  }

  async #take(answer: Promise<Placement | null>): Promise<boolean> {
    const { incumbent, work } = this.#guide;
    let poll: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      poll = setInterval(() => {
        if (work.ask()) resolve(null);
      }, POLL_MILLISECONDS);
    });
    try {
      const placement = await Promise.race([answer, late]);
      if (placement === null) return false;
      const before = incumbent.value?.toNumber() ?? Number.POSITIVE_INFINITY;
      const isTaken = incumbent.offer(this.#direct.pointOf(placement));
      return isTaken && (incumbent.value?.toNumber() as number) < before * (1 - WORTH_TELLING);
    } catch {
      // The thread has ended.
      this.#isOver = true;
      return false;
    } finally {
      clearInterval(poll);
    }
  }

  #give(): void {
    const { work } = this.#guide;
    const job = this.#nextJob();
    this.#thread ??= SearchThread.open(this.#problem);
    if (this.#thread === null) {
      this.#answer = Promise.resolve(runJob(this.#problem, job, work));
      this.#dueAt = work.done + SHARE_BETWEEN * JOB_UNITS;
      return;
    }
    this.#dueAt = work.done + this.#share * JOB_UNITS;
    this.#answer = this.#thread.run(job);
    // A failure is looked at where the answer is taken.
    this.#answer.catch(() => {});
  }

  #nextJob(): Job {
    const { incumbent, options, open } = this.#guide;
    const best = incumbent.point === null ? null : this.#direct.recover(incumbent.point);
    const seed = options.seed + FIRST_SEED + ++this.#jobs;
    const taken = this.#relaxed[this.#random.integer(Math.max(1, this.#relaxed.length))] ?? null;
    return { seed, taken, open, best, without: options.without ?? new Set() };
  }

  heed(switches: readonly Pick<Switch, "table" | "option" | "group">[], values: Float64Array): void {
    const taken = this.#problem.tables.map(({ options }) => options.map(() => false));
    switches.forEach(({ table, option, group }, at) => {
      if (group === -1 && (values[at] as number) > LEAST_TAKEN) (taken[table] as boolean[])[option] = true;
    });
    // Where a relaxation leaves a table out nothing can be placed.
    if (taken.every((own) => own.includes(true))) this.#relaxed[this.#heeded++ % REMEMBERED] = taken;
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    await this.#thread?.close();
  }
}
