import type { PlacementProgram } from "../../../../../models/table-placement/direct-program.js";
import { MisplacedError } from "../../../../../models/table-placement/option-site.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Rational } from "../../../../exact/rational.js";
import { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { askSolver, offerClaim } from "../../../../search/exact-milp/claims.js";
import { withRelaxation } from "../../../../search/exact-milp/lp-relaxation.js";
import { TimeBudget } from "../../../../search/time/time-budget.js";
import { Work } from "../../../../search/work.js";
import { BestBound } from "../best-bound.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { placedPoint } from "../placed-point.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { anneal } from "./anneal.js";
import type { Measure } from "./goal-in-doubles.js";

/** What is known of a goal's program in the end, and why. */
export type GoalSolution = Omit<PlacementSolution, "direct">;

/** A goal: its program, and the same for local search. */
export interface GoalTask {
  readonly problem: PlacementProblem;
  readonly built: PlacementProgram;
  readonly measure: Measure;
  /** Placements to begin from; ones that break something are repaired, or passed over. */
  readonly starts: readonly Placement[];
  /** Bounds that are known without a search. */
  readonly bounds: readonly BoundProof[];
}

/** Steps of annealing in the first round: by shards, and in all. */
const STEPS_PER_SHARD = 300;
const MIN_STEPS = 2000;
const MAX_STEPS = 60_000;

/** Nodes of the first tree, and how much more each round may do than the one before. */
const FIRST_NODES = 200;
const GROWTH = 3;

/** Above this many columns a linear relaxation takes longer than it is worth here. */
const MAX_TREE_COLUMNS = 6000;

/** The share of the time that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.25;

/**
 * Solves a goal of table placement for which there are no bounds of patterns: annealing and branch and bound over linear
 * relaxations in turn, each round longer than the last, and after the first a general solver as a source of placements.
 * Rounds end by steps and nodes, so that what is settled before the time limit is the same every time.
 */
export async function solveGoal(task: GoalTask, options: SolvePlacementOptions): Promise<GoalSolution> {
  return new GoalSolver(task, options).run();
}

class GoalSolver {
  readonly #task: GoalTask;
  readonly #options: SolvePlacementOptions;
  readonly #budget: TimeBudget;
  readonly #work: Work;
  readonly #incumbent: Incumbent;
  readonly #best: BestBound;
  #nodes = 0;

  constructor(task: GoalTask, options: SolvePlacementOptions) {
    this.#task = task;
    this.#options = options;
    this.#incumbent = new Incumbent(task.built.program, (point) => placedPoint(task.built, point));
    this.#budget = new TimeBudget(options.timeLimitSeconds, options.shouldStop);
    this.#work = new Work(this.#budget.isOver, options.mostUnits);
    this.#best = new BestBound(task.built.program, this.#budget);
  }

  async run(): Promise<GoalSolution> {
    const { starts, bounds, built, problem } = this.#task;
    for (const proof of bounds) this.#best.offer(proof);
    for (const start of starts) this.#offer(start);
    const shards = problem.tables.reduce((sum, { options }) => sum + (options[0]?.shards.length ?? 0), 0);
    let steps = Math.min(MAX_STEPS, MIN_STEPS + STEPS_PER_SHARD * shards);
    let nodes = FIRST_NODES;
    for (let round = 0; !this.#isSettled(); round++) {
      this.#search(round, steps);
      if (this.#isSettled()) break;
      await this.#branch(nodes);
      if (this.#isSettled()) break;
      if (round === 0 && built.program.columns.length <= MAX_TREE_COLUMNS) await this.#ask();
      steps *= GROWTH;
      nodes *= GROWTH;
    }
    return this.#conclude();
  }

  /** From the best placement known, from each start, and from chance in turn. */
  #search(round: number, steps: number): void {
    this.#report("local search");
    const { problem, measure, starts, built } = this.#task;
    const { point } = this.#incumbent;
    const known = point === null ? [] : [built.recover(point)];
    const from: readonly (Placement | null)[] = [...known, ...starts, null];
    const target = this.#best.value.toNumber() * (1 + this.#options.gap.toNumber());
    const start = from[round % from.length] as Placement | null;
    const seed = this.#options.seed + round;
    const found = anneal(problem, measure, { seed, steps, start, target, shouldStop: this.#work.ask });
    if (found !== null) this.#offer(found);
  }

  async #branch(maxNodes: number): Promise<void> {
    const { program } = this.#task.built;
    if (program.columns.length > MAX_TREE_COLUMNS) return;
    this.#report("branch and bound");
    const { gap } = this.#options;
    const shouldStop = (checking = 0) => this.#work.ask() || !this.#budget.affordsChecking(checking);
    const result = await withRelaxation(program, this.#work.ask, (open) =>
      branchAndBound(SearchSpace.of(program), this.#incumbent, open, { gap, maxNodes, shouldStop }),
    );
    this.#nodes += result.nodes;
    const best = this.#incumbent.value;
    const claim = result.bound !== null && best !== null && best.compare(result.bound) < 0 ? best : result.bound;
    if (claim !== null || (result.complete && best === null)) this.#best.offer({ claim, steps: result.steps });
  }

  async #ask(): Promise<void> {
    const { program } = this.#task.built;
    const limits = { timeLimitSeconds: SOLVER_SHARE * this.#budget.secondsLeft, seed: this.#options.seed };
    const answer = await askSolver("highs", program, limits, this.#budget.isOver);
    if ("claim" in answer) offerClaim(program, answer.claim, this.#incumbent, this.#budget.isOver);
  }

  /** A placement with a shard where it may not be stands for no point. */
  #offer(placement: Placement): void {
    try {
      this.#incumbent.offer(this.#task.built.pointOf(placement));
    } catch (error) {
      if (!(error instanceof MisplacedError)) throw error;
    }
  }

  #isSettled(): boolean {
    if (this.#work.ask() || this.#best.isInfeasible) return true;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    return this.#best.certificate !== null && cutoff !== null && this.#best.value.compare(cutoff) >= 0;
  }

  #conclude(): GoalSolution {
    this.#report("proof");
    const { recover } = this.#task.built;
    const { point } = this.#incumbent;
    const { certificate } = this.#best;
    const started = this.#budget.secondsUsed;
    const verdict = this.#best.verdict(point, this.#options.gap);
    const ended = this.#budget.secondsUsed;
    const proveSeconds = this.#best.milliseconds / 1000 + ended - started;
    return {
      verdict,
      certificate,
      placement: point === null ? null : recover(point),
      point,
      nodes: this.#nodes,
      units: this.#work.done,
      solveSeconds: ended - proveSeconds,
      proveSeconds,
    };
  }

  #report(phase: "local search" | "branch and bound" | "proof"): void {
    const bound: Rational | null = this.#best.certificate === null ? null : this.#best.value;
    this.#options.onProgress?.({ phase, nodes: this.#nodes, openNodes: 0, incumbent: this.#incumbent.value, bound });
  }
}
