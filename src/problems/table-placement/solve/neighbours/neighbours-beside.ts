import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import type { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { UNITS, type Work } from "../../../../search/work.js";
import type { Claim, Solver } from "../../../../solvers/claim.js";
import { openSolver } from "../../../../solvers/solver.js";
import type { Switch } from "../base-tree/base-model.js";
import type { Beside } from "../base-tree/base-search.js";
import { drawnTables } from "./drawn-tables.js";
import { NeighbourhoodSize } from "./neighbourhood-size.js";
import { OpenTables } from "./open-tables.js";

/** Tables of the first neighbourhood, and of the smallest. */
const FIRST_TABLES = 12;
const FEWEST_TABLES = 4;

/** Iterations of the simplex that a question may take, at first and then. */
const ITERATIONS = [6000, 20_000, 60_000] as const;

/** Units of work before the first question: what is proved sooner needs no second thread. */
const BEGINS_AT = 500;

/** What the search does meanwhile, as a share of the units that the iterations are: about as long as they take on another core. */
const SHARE_BESIDE = 0.5;

/** A table of which the relaxation says the same as the placement counts by so much, one of which it says the contrary by 1 more. */
const LEAST_INTEREST = 0.1;

/** What is better by less is rounding. */
const WORTH_TELLING = 1e-9;

/** How often it is asked whether time is over while an answer is waited for, in milliseconds. */
const POLL_MILLISECONDS = 100;

/** The search that it is beside. */
export interface Search {
  readonly incumbent: Incumbent;
  readonly options: { readonly seed: number };
  readonly work: Work;
  readonly budget: { readonly secondsLeft: number };
}

/** A question that HiGHS is at. */
interface Question {
  readonly space: SearchSpace;
  readonly iterations: number;
  /** All tables are open. */
  readonly isWhole: boolean;
  readonly answer: Promise<Claim | null>;
  readonly stop: AbortController;
}

/**
 * Better placements near the best one (large neighbourhood search: Shaw 1998), beside the search itself: some tables may be
 * placed anew, and HiGHS does so in a thread of its own. Questions end by iterations, and are asked and answered where the search
 * has done so much work, whoever comes first.
 */
export class NeighboursBeside implements Beside {
  readonly #search: Search;
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #tables: OpenTables;
  readonly #random: Random;
  readonly #size: NeighbourhoodSize;
  #solver: Solver | null = null;
  #question: Question | null = null;
  /** The work at which an answer is taken. */
  #dueAt = BEGINS_AT;
  #isOver = false;
  /** The last relaxation of the tree over bases (relaxation induced neighbourhoods: Danna, Rothberg and Le Pape 2005). */
  #relaxation: { readonly switches: readonly Switch[]; readonly values: Float64Array } | null = null;
  #isHeeded = false;

  constructor(problem: PlacementProblem, direct: DirectProgram, search: Search) {
    this.#search = search;
    this.#tables = new OpenTables(problem, direct);
    this.#problem = problem;
    this.#direct = direct;
    this.#random = seededRandom(search.options.seed);
    this.#size = new NeighbourhoodSize({ first: FIRST_TABLES, fewest: FEWEST_TABLES, all: problem.tables.length });
  }

  /** Nothing more is asked: HiGHS says that there is nothing better, or nothing at all. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether an answer is to be taken, and the next question asked. */
  get isDue(): boolean {
    const { incumbent, work } = this.#search;
    return !this.#isOver && incumbent.point !== null && work.done >= this.#dueAt;
  }

  /** Takes the answer and asks the next question; says whether a better placement was found. */
  async exchange(): Promise<boolean> {
    const isBetter = this.#question !== null && (await this.#take(this.#question));
    this.#question = null;
    if (!this.#isOver && !this.#search.work.ask()) await this.#ask();
    return isBetter;
  }

  async #take({ space, iterations, isWhole, answer, stop }: Question): Promise<boolean> {
    const { incumbent, work } = this.#search;
    const poll = setInterval(() => {
      if (work.ask()) stop.abort();
    }, POLL_MILLISECONDS);
    const claim = await answer;
    clearInterval(poll);
    if (claim === null) {
      this.#isOver = true;
      return false;
    }
    const before = incumbent.value?.toNumber() as number;
    const isTaken = claim.point !== undefined && incumbent.offer(space.expand(claim.point));
    const isBetter = isTaken && (incumbent.value?.toNumber() as number) < before * (1 - WORTH_TELLING);
    const isEnded = claim.status === "optimal";
    this.#size.learn(isEnded, (claim.iterations ?? 0) / iterations, isBetter);
    if (isWhole && isEnded) this.#isOver = true;
    return isBetter;
  }

  async #ask(): Promise<void> {
    const { incumbent, options, work, budget } = this.#search;
    const { point, value } = incumbent;
    const iterations = ITERATIONS[Math.min(this.#size.effort, ITERATIONS.length - 1)] as number;
    if (point === null || value === null) return;
    const { count } = this.#size;
    const apart = this.#apart(point);
    const interest = (table: number) => LEAST_INTEREST + (apart?.[table] ?? 1);
    const open = drawnTables(this.#problem, this.#direct.recover(point), count, this.#random, interest);
    const space = this.#tables.around(point, value.toNumber(), (table) => open.has(table));
    const program = space.openProgram();
    const entries = entriesOf(program);
    work.spend(UNITS.building * entries);
    const each = UNITS.branchAndCut + UNITS.branchAndCutEntry * entries;
    this.#dueAt = work.done + SHARE_BESIDE * each * iterations;
    const stop = new AbortController();
    const start = Float64Array.from(space.view.columns, (column) => (point[column] as Rational).toNumber());
    try {
      this.#solver ??= await openSolver("highs");
    } catch {
      this.#isOver = true;
      return;
    }
    const answer = this.#solver
      .solve(program, {
        ...{ iterationLimit: iterations, timeLimitSeconds: Math.max(0, budget.secondsLeft), seed: options.seed },
        ...{ start, signal: stop.signal },
      })
      // A solver that dies or lies is not asked again.
      .catch(() => null);
    this.#question = { space, iterations, isWhole: count === this.#problem.tables.length, answer, stop };
  }

  /** By table, how far the last relaxation is from a point in options and hosts; `null` without one, and every other time. */
  #apart(point: readonly Rational[]): Float64Array | null {
    this.#isHeeded = !this.#isHeeded;
    if (this.#relaxation === null || !this.#isHeeded) return null;
    const { switches, values } = this.#relaxation;
    const apart = new Float64Array(this.#problem.tables.length);
    switches.forEach(({ table, column }, at) => {
      if (column === null) return;
      const distance = Math.abs((point[column] as Rational).toNumber() - (values[at] as number));
      apart[table] = Math.max(apart[table] as number, distance);
    });
    return apart;
  }

  heed(switches: readonly Switch[], values: Float64Array): void {
    this.#relaxation = { switches, values };
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    this.#question?.stop.abort();
    // A thread that is ended while it answers would not keep the process until it has ended.
    await this.#question?.answer;
    await this.#solver?.close();
  }
}
