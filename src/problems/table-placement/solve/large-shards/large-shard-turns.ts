import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { entriesOf } from "../../../../program/program.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { BaseModel, FreePart } from "../base-tree/base-model.js";
import { likeDevicesModel } from "../base-tree/base-model.js";
import type { PlacementState } from "../placement-state.js";
import { type LargeShardOptions, LargeShardRelaxation } from "./large-shard-relaxation.js";

/**
 * The parts of what a device has from which a shard is large, one after the other: the more shards are large, the better the
 * bound, and the longer it takes.
 */
const SIZES = [0.2, 0.1];

/** What all of it may take, as a share of all work. */
const SHARE = 0.2;

/** How far above the bound the first limit is, as a part of it. */
const FIRST_STEP = 1e-3;

/** By size, the least that is worth asking about: few shards soon say about where the bound is, and a check takes as long. */
const LEAST_STEPS = [2e-3, 2e-4];
const LEAST_STEP = Math.min(...LEAST_STEPS);

/** By size, the units that one limit may take: where it takes more, the next size has more to give. */
const MOST_UNITS = [3000, Number.POSITIVE_INFINITY];

/** Where a limit takes so many units, a relaxation of all shards is too hard. */
const HARD_UNITS = 3000;

/** Milliseconds of checking a bound, for each entry of the program, and beside that. */
const CHECKING = 0.02;
const CHECKING_DEVICE = 1500;

/**
 * Bounds by relaxations of large shards, at limits from the bound upwards: further each time that one is refuted, and half as far as the
 * lowest one that is open. For like devices on one host without bases, whose memory binds.
 */
export class LargeShardTurns {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #beside: LargeShardOptions["beside"];
  #model: BaseModel | null | undefined;
  #relaxation: LargeShardRelaxation | null = null;
  /** Index into {@link SIZES}. */
  #size = 0;
  #step = FIRST_STEP;
  /** The lowest limit that was not refuted with shards of this size. */
  #open = Number.POSITIVE_INFINITY;
  #patterns: readonly (readonly FreePart[])[] = [];
  /** Whether, with shards of this size, some limit was left because the best pattern was not found, or took long. */
  #isHard = false;

  constructor(problem: PlacementProblem, direct: DirectProgram, beside: LargeShardOptions["beside"]) {
    [this.#problem, this.#direct, this.#beside] = [problem, direct, beside];
  }

  /** Whether there is anything left to ask, between a bound and a placement of a value. */
  applies(bound: number, value: number): boolean {
    return value - bound > LEAST_STEP * value && this.#size < SIZES.length && this.#modelFor(value) !== null;
  }

  /** Whether there is nothing left to ask. */
  get hasEnded(): boolean {
    return this.#size === SIZES.length;
  }

  /** Whether some limit was not decided, or took long: a relaxation of all shards is harder yet. */
  get isHard(): boolean {
    return this.#isHard;
  }

  /** Goes on from where it was, for a share of all work, and no more where limits are hard. Where HiGHS ends, it asks nothing more. */
  async turn(search: PlacementState): Promise<void> {
    try {
      await this.#ask(search);
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#size = SIZES.length;
    }
  }

  async #ask(search: PlacementState): Promise<void> {
    const shouldStop = search.work.slice(SHARE * search.all);
    const milliseconds = CHECKING_DEVICE + CHECKING * entriesOf(this.#direct.program);
    while (!shouldStop() && search.budget.affordsChecking(milliseconds)) {
      const [bound, value] = [search.bound.toNumber(), search.incumbent.value?.toNumber() as number];
      if (!this.applies(bound, value)) break;
      const relaxation = await this.#opened(value);
      const claim = Math.min(bound * (1 + this.#step), (bound + this.#open) / 2, value * (1 - LEAST_STEP));
      const isEnough = search.work.slice(MOST_UNITS[this.#size] as number);
      const before = search.work.done;
      const answer = await relaxation.decide(claim, (units) => shouldStop(units) || isEnough());
      this.#isHard ||= answer.kind === "unknown" || search.work.done - before > HARD_UNITS;
      if (answer.kind === "stopped" && shouldStop()) break;
      if (answer.kind === "refuted") search.best.offer(answer.proof);
      // A proof that is refused is as good as none.
      if (search.bound.toNumber() > bound) this.#step *= 2;
      else this.#open = claim;
      if (this.#open < search.bound.toNumber() * (1 + (LEAST_STEPS[this.#size] as number))) this.#goOn();
    }
    // What such limits have left to give is less than what better placements have.
    if (this.#isHard && this.#size < SIZES.length) this.#goOn();
  }

  #modelFor(value: number): BaseModel | null {
    if (this.#model === undefined) this.#model = likeDevicesModel(this.#problem, this.#direct, value);
    return this.#model;
  }

  async #opened(value: number): Promise<LargeShardRelaxation> {
    this.#relaxation ??= await LargeShardRelaxation.open(
      this.#problem,
      this.#direct,
      this.#modelFor(value) as BaseModel,
      { beside: this.#beside, size: SIZES[this.#size] as number, limit: value, patterns: this.#patterns },
    );
    return this.#relaxation;
  }

  /** The next size of shards. */
  #goOn(): void {
    this.#patterns = this.#relaxation?.patterns ?? [];
    this.dispose();
    this.#size++;
    this.#step = FIRST_STEP;
    this.#open = Number.POSITIVE_INFINITY;
    if (this.#size < SIZES.length) this.#isHard = false;
  }

  dispose(): void {
    this.#relaxation?.dispose();
    this.#relaxation = null;
  }
}
