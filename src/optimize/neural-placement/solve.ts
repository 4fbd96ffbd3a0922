import type { PlacementModel } from "../../../models/table-placement/from-instance.js";
import type { NeuralProgram } from "../../../models/neural-placement/build.js";
import type { Rational } from "../../exact/rational.js";
import { Verdict } from "../../proof/verdict.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import { branchAndBound } from "../branch-and-bound/search.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { askSolver, offerClaim } from "../exact-milp/claims.js";
import { withRelaxation } from "../exact-milp/lp-relaxation.js";
import { BestBound } from "../table-placement/goals/best-bound.js";
import type { GoalSolution } from "../table-placement/goals/solve-goal.js";
import { type HeuristicName, runHeuristic } from "../table-placement/heuristic-runs.js";
import type { SolvePlacementOptions } from "../table-placement/solve.js";
import { averageBound } from "./average-bound.js";
import { neuralRelaxation } from "./relaxation.js";

/** Placements to begin from, the quickest first. */
const STARTS: readonly HeuristicName[] = ["predicted-greedy", "simulated-annealing", "neuroshard-search"];

/** Nodes of the first tree, and how much more each round may do than the one before. */
const FIRST_NODES = 2000;
const GROWTH = 8;

/** The share of the time that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.2;

/**
 * Places tables for the least largest device cost of a network, bound first: Jensen's bound, the heuristics for such costs, then
 * branch and bound over linear relaxations, and a general solver as a source of placements. Certificates are checked in exact
 * arithmetic before anything is said of them.
 */
export async function solveNeuralPlacement(
  model: PlacementModel,
  built: NeuralProgram,
  options: SolvePlacementOptions,
): Promise<GoalSolution> {
  return new NeuralSolver(model, built, options).run();
}

class NeuralSolver {
  readonly #model: PlacementModel;
  readonly #built: NeuralProgram;
  readonly #options: SolvePlacementOptions;
  readonly #started = performance.now();
  readonly #incumbent: Incumbent;
  readonly #best: BestBound;
  #nodes = 0;

  constructor(model: PlacementModel, built: NeuralProgram, options: SolvePlacementOptions) {
    this.#model = model;
    this.#built = built;
    this.#options = options;
    this.#incumbent = new Incumbent(built.program, (point) => completed(built, point));
    this.#best = new BestBound(built.program);
  }

  async run(): Promise<GoalSolution> {
    this.#report("pooled bound");
    this.#best.offer(averageBound(this.#built));
    for (const method of STARTS) {
      if (this.#isSettled()) break;
      this.#report("local search");
      const result = runHeuristic(method, this.#model, { seed: this.#options.seed, shouldStop: this.#isStopped });
      if (result.kind === "plan") this.#incumbent.offer(this.#built.pointOf(result.placement));
    }
    for (let nodes = FIRST_NODES; !this.#isSettled(); nodes *= GROWTH) {
      await this.#branch(nodes);
      if (nodes === FIRST_NODES && !this.#isSettled()) await this.#ask();
    }
    return this.#conclude();
  }

  async #branch(maxNodes: number): Promise<void> {
    const { program } = this.#built;
    const { gap, onProgress } = this.#options;
    this.#report("branch and bound");
    const result = await withRelaxation(program, this.#isStopped, (open) =>
      branchAndBound(SearchSpace.of(program), this.#incumbent, neuralRelaxation(this.#built, open), {
        gap,
        maxNodes,
        shouldStop: this.#isStopped,
        ...(onProgress === undefined
          ? {}
          : { onProgress: (progress) => onProgress({ phase: "branch and bound", ...progress }) }),
      }),
    );
    this.#nodes += result.nodes;
    const best = this.#incumbent.value;
    const claim = result.bound !== null && best !== null && best.compare(result.bound) < 0 ? best : result.bound;
    if (claim !== null || (result.complete && best === null)) this.#best.offer({ claim, steps: result.steps });
  }

  async #ask(): Promise<void> {
    const { program } = this.#built;
    const limits = { timeLimitSeconds: SOLVER_SHARE * this.#secondsLeft, seed: this.#options.seed };
    const answer = await askSolver("highs", program, limits, this.#isStopped);
    if ("claim" in answer) offerClaim(program, answer.claim, this.#incumbent, this.#isStopped);
  }

  get #secondsLeft(): number {
    return this.#options.timeLimitSeconds - (performance.now() - this.#started) / 1000;
  }

  readonly #isStopped = (): boolean => this.#secondsLeft <= 0 || this.#options.shouldStop?.() === true;

  #isSettled(): boolean {
    if (this.#isStopped() || this.#best.isInfeasible) return true;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    return this.#best.certificate !== null && cutoff !== null && this.#best.value.compare(cutoff) >= 0;
  }

  #conclude(): GoalSolution {
    this.#report("proof");
    const { program, recover } = this.#built;
    const { point } = this.#incumbent;
    const { certificate } = this.#best;
    const started = performance.now();
    const isComplete = certificate !== null && (point !== null) === (certificate.claim.kind === "bound");
    const verdict = isComplete ? Verdict.of(program, certificate, point, this.#options.gap) : null;
    const ended = performance.now();
    const proveSeconds = (this.#best.milliseconds + ended - started) / 1000;
    return {
      verdict,
      certificate,
      placement: point === null ? null : recover(point),
      point,
      nodes: this.#nodes,
      solveSeconds: (ended - this.#started) / 1000 - proveSeconds,
      proveSeconds,
    };
  }

  #report(phase: "pooled bound" | "local search" | "branch and bound" | "proof"): void {
    const bound: Rational | null = this.#best.certificate === null ? null : this.#best.value;
    this.#options.onProgress?.({ phase, nodes: this.#nodes, openNodes: 0, incumbent: this.#incumbent.value, bound });
  }
}

/** The point of the placement that a point's counts say, with the network's columns as they follow from it. */
function completed({ recover, pointOf }: NeuralProgram, point: readonly Rational[]): readonly Rational[] {
  try {
    return pointOf(recover(point));
  } catch {
    return point;
  }
}
