import { type CountedProgram, countedProgram } from "../../../../../models/table-placement/counted-program.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { entriesOf } from "../../../../program/program.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { PlacementState } from "../placement-state.js";
import { CountedRelaxation } from "./counted-relaxation.js";
import { CountedTree } from "./counted-tree.js";

/** What a turn may take at first, and at most, as a share of all work. */
const SHARE = 0.1;
const MOST_SHARE = 0.4;

/** What one limit may take of a turn. */
const RUN_SHARE = 0.6;

/**
 * The highest limit is so much below a placement, and others are so near one another at least, as a part of the value: sums of doubles that
 * are the same in all but rounding are on one side of a limit.
 */
const BELOW_VALUE = 1e-10;
const LEAST_STEP = 1e-9;

/** Milliseconds of checking a bound, for each entry of the program, and for each node of its tree. */
const CHECKING = 0.05;
const CHECKING_NODE = 3;

/**
 * Bounds by counting tables of the same costs, at limits from the placement's value downwards: half as far from the bound where one
 * is open, and half as far from what is open where one is refuted.
 */
export class CountedTurns {
  readonly #problem: PlacementProblem;
  /** Whether memory counts: where it binds, and once without it limits are left that only placements with too little of it are below. */
  #hasMemory: boolean;
  #lacksMemory = false;
  #program: CountedProgram | null | undefined;
  /** The least limit that the relaxation cannot refute. */
  #open = Number.POSITIVE_INFINITY;
  #share = SHARE;
  #hasRaised = false;
  #isAhead = false;

  constructor(problem: PlacementProblem, memoryBinds: boolean) {
    [this.#problem, this.#hasMemory] = [problem, memoryBinds];
  }

  /** Whether there is anything left to ask, between the bound and the best placement. */
  applies({ bound, incumbent, options, budget }: PlacementState): boolean {
    const value = incumbent.value?.toNumber();
    if (value === undefined || options.takesCounted !== true) return false;
    const program = this.#limitBelow(value) - bound.toNumber() <= LEAST_STEP * value ? null : this.#programOf();
    return program !== null && budget.affordsChecking(CHECKING * entriesOf(program.program));
  }

  /**
   * Whether the last turn raised the bound or found a placement, and there is more to ask: bounds of patterns of single tables, and
   * trees that rest on them, know less as long as that goes on.
   */
  leads(search: PlacementState): boolean {
    return this.#isAhead && this.applies(search);
  }

  /** Asks limits for a share of all work, more at every turn. Where HiGHS ends, it asks nothing more. */
  async turn(search: PlacementState): Promise<void> {
    const { bound, incumbent } = search;
    const { value } = incumbent;
    try {
      await this.#ask(search);
      this.#isAhead = search.bound.compare(bound) > 0 || incumbent.value !== value;
      if (this.#lacksMemory && !this.applies(search)) this.#countMemory();
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#program = null;
    }
  }

  async #ask(search: PlacementState): Promise<void> {
    const program = this.#programOf() as CountedProgram;
    const units = this.#share * search.all;
    const isOver = search.work.slice(units);
    this.#share = Math.min(2 * this.#share, MOST_SHARE);
    const best = () => search.incumbent.value?.toNumber() as number;
    let high = this.#limitBelow(best());
    // Of a bound that nothing has raised yet the highest limit is rarely decided soon.
    let isHighest = this.#hasRaised && high < this.#open;
    while (!isOver()) {
      const before = search.bound.toNumber();
      if (high - before <= LEAST_STEP * high) return;
      const limit = isHighest ? high : (before + high) / 2;
      isHighest = false;
      const claim = Rational.fromNumber(limit);
      const { answer, isEnded } = await this.#decide(search, program, claim, units);
      if (answer.kind === "found") {
        const isTaken = this.#offer(search, program.placementOf(answer.counts));
        high = this.#limitBelow(best());
        isHighest = isTaken;
        if (isTaken) continue;
        this.#lacksMemory = !this.#hasMemory;
      }
      if (answer.kind === "refuted") search.addOther({ claim, steps: answer.steps }, program);
      if (search.bound.toNumber() > before) {
        isHighest = !this.#hasRaised;
        this.#hasRaised = true;
        continue;
      }
      high = limit;
      // What is refused by the checker would be asked again, and come to the same.
      if (answer.kind !== "stopped") this.#open = Math.min(this.#open, limit);
      if (isEnded) return;
    }
  }

  /** `isEnded`: there is no time for more. */
  async #decide(search: PlacementState, program: CountedProgram, claim: Rational, units: number) {
    const relaxation = await CountedRelaxation.open(program, claim);
    const tree = new CountedTree(relaxation);
    const isSliceOver = search.work.slice(RUN_SHARE * units);
    const milliseconds = CHECKING * entriesOf(program.program);
    const affords = () => search.budget.affordsChecking(milliseconds + CHECKING_NODE * tree.nodes);
    relaxation.begin((more) => isSliceOver(more) || !affords());
    const answer = tree.run();
    search.nodes += tree.nodes;
    relaxation.dispose();
    return { answer, isEnded: !search.budget.affordsChecking(milliseconds) };
  }

  /** Whether a placement keeps all that it has to, and is better than the best. */
  #offer(search: PlacementState, placement: Placement): boolean {
    const before = search.incumbent.value;
    if (evaluatePlacement(this.#problem, placement).violations.length > 0) return false;
    search.offer(placement);
    return search.incumbent.value !== before;
  }

  /** From now on limits are of the program that counts memory. */
  #countMemory(): void {
    this.#hasMemory = true;
    this.#lacksMemory = false;
    this.#program = undefined;
    this.#open = Number.POSITIVE_INFINITY;
  }

  #limitBelow(value: number): number {
    return Math.min(value * (1 - BELOW_VALUE), this.#open);
  }

  #programOf(): CountedProgram | null {
    if (this.#program === undefined) this.#program = countedProgram(this.#problem, this.#hasMemory);
    return this.#program;
  }
}
