import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import { type PatternModel, patternModel } from "../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Without } from "../../../search/strategies.js";
import type { ShouldStop } from "../../../search/work.js";
import { SolverError } from "../../../solvers/solver-error.js";
import type { ReductionStep } from "./bounds/reduction-steps.js";
import type { Granule } from "./cost-granularity.js";
import { OptionTree } from "./option-tree.js";
import { PatternBounds } from "./pattern-bound.js";
import type { PlacementState } from "./placement-state.js";
import { MAX_PATTERN_SHARE, PATTERN_SHARE, PER_LIMIT } from "./work-shares.js";

/** Turns of column generation over patterns of devices, as shares of all work, and of a tree over options that rests on them. */
export class PatternTurns {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #grain: Granule | null;
  #model: PatternModel | null | undefined;
  #bounds: PatternBounds | null = null;
  #refused = 0;
  #isExhausted = false;
  #share = PATTERN_SHARE;

  constructor(problem: PlacementProblem, direct: DirectProgram, grain: Granule | null) {
    [this.#problem, this.#direct, this.#grain] = [problem, direct, grain];
  }

  /**
   * What column generation works on, built when it is first asked for; `null` where there are too many ways to hold a
   * table.
   */
  get model(): PatternModel | null {
    if (this.#model === undefined) {
      this.#model = patternModel(this.#problem, this.#direct);
      if (this.#model !== null) this.#begin(this.#model);
    }
    return this.#model;
  }

  /** Of the model; there is one. */
  get bounds(): PatternBounds {
    return this.#bounds as PatternBounds;
  }

  /** Column generation has nothing more to give. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Begins anew with fewer options, which steps leave out. */
  restrict(open: readonly (readonly boolean[])[], steps: () => readonly ReductionStep[]): boolean {
    const model = patternModel(this.#problem, this.#direct, open);
    if (model === null) return false;
    this.#isExhausted = false;
    this.#begin(model, steps());
    return true;
  }

  #begin(model: PatternModel, steps?: readonly ReductionStep[]): void {
    this.#bounds = new PatternBounds(this.#problem, this.#direct, model, this.#grain, steps);
  }

  turn(search: PlacementState): Promise<void> {
    return this.#asLongAsHighsLives(() => this.#raise(search));
  }

  /** Branches on options, towards a proof that the best placement is optimal. */
  branch(search: PlacementState, shouldStop: ShouldStop, without: Without): Promise<void> {
    return this.#asLongAsHighsLives(() => this.#branch(search, shouldStop, without));
  }

  /** Then column generation has nothing more to give. */
  async #asLongAsHighsLives(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#isExhausted = true;
    }
  }

  async #raise(search: PlacementState): Promise<void> {
    const share = this.#share * search.all;
    const shouldStop = search.work.slice(share);
    if (search.incumbent.value === null) {
      this.#share = Math.min(2 * this.#share, MAX_PATTERN_SHARE);
      const proof = await this.bounds.memory(shouldStop);
      if (proof !== null) search.add(proof);
      return;
    }
    const high = search.incumbent.value.toNumber();
    const precision = Math.max(1e-7, 0.1 * search.options.gap.toNumber());
    const low = search.bound.toNumber();
    // With grains a bound of n grains refuses n − 1.
    const from = this.#grain === null ? low : low - this.#grain.approximate;
    const { refused, farkas, complete } = await this.bounds.search(Math.max(from, this.#refused), high, {
      shouldStop,
      precision,
      perLimit: () => search.work.slice(PER_LIMIT * share),
    });
    this.#isExhausted = complete;
    // Without a better bound in its time, others have more to give.
    this.#share = Math.min(farkas === null ? this.#share / 2 : 2 * this.#share, MAX_PATTERN_SHARE);
    if (farkas === null) return;
    this.#refused = refused;
    search.add(this.bounds.proof(refused, farkas));
  }

  async #branch(search: PlacementState, shouldStop: ShouldStop, without: Without): Promise<void> {
    const { incumbent, options, work } = search;
    const limit = this.bounds.below(incumbent.value?.toNumber() as number);
    const claim = this.bounds.claim(limit);
    const how = { claim, limit, seed: options.seed, shouldStop, work, without };
    const tree = new OptionTree(this.#problem, this.#direct, this.#grain, how);
    const answer = await tree.run();
    search.nodes += tree.nodes;
    if (answer.kind === "refuted") search.add({ claim, steps: answer.steps });
    else if (answer.kind === "found") incumbent.offer(this.#direct.pointOf(answer.placement));
  }
}
