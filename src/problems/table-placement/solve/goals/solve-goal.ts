import type { PlacementProgram } from "../../../../../models/table-placement/direct-program.js";
import { MisplacedError } from "../../../../../models/table-placement/option-site.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { askSolver, offerClaim } from "../../../../search/exact-milp/claims.js";
import { runInTurn, type Strategy } from "../../../../search/strategies.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { PlacementState, type ProgramSolution } from "../placement-state.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { anneal } from "./anneal.js";
import type { Measure } from "./goal-in-doubles.js";

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

/** The share of the work that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.25;

const ROUND: readonly Strategy<GoalSearch>[] = [
  { name: "annealing", applies: () => true, run: (search) => search.anneal() },
  { name: "branch and bound", applies: ({ isSmall }) => isSmall, run: (search) => search.branchOnColumns() },
  { name: "general solver", applies: ({ isSmall, round }) => isSmall && round === 0, run: (search) => search.ask() },
];

/** Strategies of {@link solveGoal}, by name. */
export const GOAL_STRATEGIES: readonly string[] = ROUND.map(({ name }) => name);

/**
 * Solves a goal of table placement for which there are no bounds of patterns: annealing and branch and bound over linear
 * relaxations in turn, each round longer than the last, and after the first a general solver as a source of placements.
 * Rounds end by steps and nodes, so that what is settled before the time limit is the same every time.
 */
export async function solveGoal(task: GoalTask, options: SolvePlacementOptions): Promise<ProgramSolution> {
  const search = new GoalSearch(task, options);
  for (const proof of task.bounds) search.best.offer(proof);
  for (const start of task.starts) search.offer(start);
  for (let done = -1; !search.isSettled() && search.effort > done; search.lengthen()) {
    done = search.effort;
    await runInTurn(ROUND, search, options.without);
  }
  return search.concluded();
}

class GoalSearch extends PlacementState {
  round = 0;
  /** Whether a linear relaxation is worth what it takes. */
  readonly isSmall: boolean;
  readonly #task: GoalTask;
  #steps: number;
  #maxNodes = FIRST_NODES;

  constructor(task: GoalTask, options: SolvePlacementOptions) {
    super(task.built, options);
    this.#task = task;
    this.isSmall = task.built.program.columns.length <= MAX_TREE_COLUMNS;
    const shards = task.problem.tables.reduce((sum, { options: [first] }) => sum + (first?.shards.length ?? 0), 0);
    this.#steps = Math.min(MAX_STEPS, MIN_STEPS + STEPS_PER_SHARD * shards);
  }

  /** From the best placement known, from each start, and from chance in turn. */
  anneal(): void {
    this.report("local search");
    const { problem, measure, starts, built } = this.#task;
    const { point } = this.incumbent;
    const known = point === null ? [] : [built.recover(point)];
    const from: readonly (Placement | null)[] = [...known, ...starts, null];
    const target = this.bound.toNumber() * (1 + this.options.gap.toNumber());
    const start = from[this.round % from.length] as Placement | null;
    const seed = this.options.seed + this.round;
    const how = { seed, steps: this.#steps, start, target, shouldStop: this.work.ask };
    const found = anneal(problem, measure, how);
    if (found !== null) this.offer(found);
  }

  async branchOnColumns(): Promise<void> {
    await this.branch(this.#maxNodes, this.work.ask);
  }

  async ask(): Promise<void> {
    const { program } = this.#task.built;
    const units = SOLVER_SHARE * Math.max(0, this.all - this.work.done);
    const limits = { units, timeLimitSeconds: this.budget.secondsLeft, seed: this.options.seed };
    const answer = await askSolver("highs", program, limits, this.work);
    if ("claim" in answer) await offerClaim(program, answer.claim, this.incumbent, this.budget.isOver);
  }

  /** A placement with a shard where it may not be stands for no point. */
  offer(placement: Placement): void {
    try {
      this.incumbent.offer(this.#task.built.pointOf(placement));
    } catch (error) {
      if (!(error instanceof MisplacedError)) throw error;
    }
  }

  /** The next round takes longer. */
  lengthen(): void {
    this.round++;
    this.#steps *= GROWTH;
    this.#maxNodes *= GROWTH;
  }
}
