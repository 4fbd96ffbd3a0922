import { type NeuralProgram, neuralProgram } from "../../../models/neural-placement/build.js";
import type { NeuralHead } from "../../../models/neural-placement/head.js";
import type { PlacementModel } from "../../../models/table-placement/from-instance.js";
import type { Placement } from "../../../models/table-placement/problem.js";
import type { Rational } from "../../exact/rational.js";
import { Verdict } from "../../proof/verdict.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import { branchAndBound } from "../branch-and-bound/search.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { askSolver, offerClaim } from "../exact-milp/claims.js";
import { withRelaxation } from "../exact-milp/lp-relaxation.js";
import { BestBound } from "../table-placement/best-bound.js";
import type { GoalSolution } from "../table-placement/goals/solve-goal.js";
import { type HeuristicName, runHeuristic } from "../table-placement/heuristic-runs.js";
import { placedPoint } from "../table-placement/placed-point.js";
import type { SolvePlacementOptions } from "../table-placement/solve-options.js";
import { averageBound } from "./average-bound.js";
import { hasPriceBound, searchPrices } from "./price-bound/search-prices.js";
import { neuralRelaxation } from "./relaxation.js";
import { hasFewSets, searchSets } from "./set-search.js";

/** What is known of a placement problem under a network in the end, and why. */
export interface NeuralSolution extends GoalSolution {
  /** The program that certificate, point and verdict speak of. */
  readonly built: NeuralProgram;
  /** The cost above which that program leaves placements out; `null`: none. */
  readonly ceiling: Rational | null;
}

/** Placements to begin from, the quickest first. */
const STARTS: readonly HeuristicName[] = ["predicted-greedy", "simulated-annealing", "neuroshard-search"];

/** Nodes of the first tree, after which a general solver is asked; the second has no limit. */
const FIRST_NODES = 500;

/** Above this many columns a linear relaxation takes longer than it is worth. */
const MOST_TREE_COLUMNS = 2500;

/** The price bound ends where it may gain less than this part, and where this share of the time is over. */
const PRICE_PRECISION = 1e-4;
const PRICE_SHARE = 0.8;

/** So often annealing is run again, while no more than this share of the time is over. */
const RESTARTS = 8;
const RESTART_SHARE = 0.5;

/** The share of the time that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.05;

/**
 * Places tables for the least largest device cost of a network, bound first: the heuristics for such costs, whose best placement is
 * the program's ceiling, Jensen's bound, all sets of tables where they are few, prices of tables where devices are alike, then
 * branch and bound over linear relaxations, with a general solver as a source of placements. A better placement is a lower ceiling for the next round. Certificates are checked in exact arithmetic
 * before anything is said of them.
 */
export async function solveNeuralPlacement(
  model: PlacementModel,
  head: NeuralHead,
  options: SolvePlacementOptions,
): Promise<NeuralSolution> {
  return new NeuralSolver(model, head, options).run();
}

/** A program with what is known of it. */
interface Known {
  readonly built: NeuralProgram;
  readonly ceiling: Rational | null;
  readonly incumbent: Incumbent;
  readonly best: BestBound;
}

class NeuralSolver {
  readonly #model: PlacementModel;
  readonly #head: NeuralHead;
  readonly #options: SolvePlacementOptions;
  readonly #started = performance.now();
  #known: Known;
  #nodes = 0;
  #proveMilliseconds = 0;

  constructor(model: PlacementModel, head: NeuralHead, options: SolvePlacementOptions) {
    this.#model = model;
    this.#head = head;
    this.#options = options;
    this.#known = this.#below(null, null);
  }

  async run(): Promise<NeuralSolution> {
    this.#report("pooled bound");
    this.#known.best.offer(averageBound(this.#known.built));
    for (const method of STARTS) {
      if (this.#isSettled()) break;
      this.#report("local search");
      this.#start(method, this.#options.seed);
    }
    if (!this.#isSettled() && hasFewSets(this.#known.built)) {
      this.#report("pattern bound");
      searchSets(this.#known, this.#isStopped);
    }
    if (!this.#isSettled() && hasPriceBound(this.#known.built)) this.#price();
    // Where nothing was found, chance alone will find nothing.
    const restarts = this.#known.incumbent.point === null ? 0 : RESTARTS;
    for (let k = 1; k <= restarts && !this.#isSettled() && !this.#isBeyond(RESTART_SHARE); k++) {
      this.#report("local search");
      this.#start("simulated-annealing", this.#options.seed + k);
    }
    const { columns } = this.#known.built.program;
    for (let nodes = FIRST_NODES; !this.#isSettled(); nodes = Number.POSITIVE_INFINITY) {
      this.#lowerCeiling();
      if (this.#isSettled() || columns.length > MOST_TREE_COLUMNS) break;
      await this.#branch(nodes);
      if (nodes === FIRST_NODES && !this.#isSettled()) await this.#ask();
    }
    return this.#conclude();
  }

  #start(method: HeuristicName, seed: number): void {
    const result = runHeuristic(method, this.#model, { seed, shouldStop: this.#isStopped });
    if (result.kind === "plan") this.#known.incumbent.offer(this.#known.built.pointOf(result.placement));
  }

  /** The price bound, below the best placement. */
  #price(): void {
    this.#lowerCeiling();
    if (this.#isSettled()) return;
    this.#report("pattern bound");
    searchPrices(this.#known.built, this.#known.best, {
      precision: PRICE_PRECISION,
      isLate: () => this.#isBeyond(PRICE_SHARE),
      shouldStop: this.#isStopped,
      onBound: () => {
        this.#report("pattern bound");
        return this.#isSettled();
      },
    });
  }

  /** Builds the program again below the best placement, where that is better than its ceiling and the bound is. */
  #lowerCeiling(): void {
    const { built, ceiling, incumbent, best } = this.#known;
    const { point, value } = incumbent;
    if (point === null || value === null || (ceiling !== null && ceiling.compare(value) <= 0)) return;
    this.#report("pooled bound");
    const next = this.#below(value, built.recover(point));
    next.best.offer(averageBound(next.built));
    const isWorse = best.certificate !== null && next.best.value.compare(best.value) < 0;
    // Where the search has proved more than the lower ceiling does by itself, it goes on as it is.
    if (!isWorse) this.#known = next;
    this.#proveMilliseconds += isWorse ? next.best.milliseconds : best.milliseconds;
  }

  #below(ceiling: Rational | null, placement: Placement | null): Known {
    const built = neuralProgram(this.#model.problem, this.#head, ceiling);
    const incumbent = new Incumbent(built.program, (point) => placedPoint(built, point));
    if (placement !== null) incumbent.offer(built.pointOf(placement));
    return { built, ceiling, incumbent, best: new BestBound(built.program) };
  }

  async #branch(maxNodes: number): Promise<void> {
    const { built, incumbent, best } = this.#known;
    const { gap, onProgress } = this.#options;
    this.#report("branch and bound");
    const result = await withRelaxation(built.program, this.#isStopped, (open) =>
      branchAndBound(SearchSpace.of(built.program), incumbent, neuralRelaxation(built, open), {
        gap,
        maxNodes,
        shouldStop: this.#isStopped,
        ...(onProgress === undefined
          ? {}
          : {
              onProgress: (progress) => {
                const isBetter = best.certificate !== null && (progress.bound?.compare(best.value) ?? -1) < 0;
                onProgress({ phase: "branch and bound", ...progress, ...(isBetter ? { bound: best.value } : {}) });
              },
            }),
      }),
    );
    this.#nodes += result.nodes;
    const { value } = incumbent;
    const claim = result.bound !== null && value !== null && value.compare(result.bound) < 0 ? value : result.bound;
    if (claim !== null || (result.complete && value === null)) best.offer({ claim, steps: result.steps });
  }

  async #ask(): Promise<void> {
    const { built, incumbent } = this.#known;
    const limits = { timeLimitSeconds: SOLVER_SHARE * this.#secondsLeft, seed: this.#options.seed };
    const answer = await askSolver("highs", built.program, limits, this.#isStopped);
    if ("claim" in answer) offerClaim(built.program, answer.claim, incumbent, this.#isStopped);
  }

  get #secondsLeft(): number {
    return this.#options.timeLimitSeconds - (performance.now() - this.#started) / 1000;
  }

  #isBeyond(share: number): boolean {
    return this.#isStopped() || this.#secondsLeft < (1 - share) * this.#options.timeLimitSeconds;
  }

  readonly #isStopped = (): boolean => this.#secondsLeft <= 0 || this.#options.shouldStop?.() === true;

  #isSettled(): boolean {
    const { incumbent, best } = this.#known;
    if (this.#isStopped() || best.isInfeasible) return true;
    const cutoff = incumbent.cutoff(this.#options.gap);
    return best.certificate !== null && cutoff !== null && best.value.compare(cutoff) >= 0;
  }

  #conclude(): NeuralSolution {
    this.#report("proof");
    const { built, ceiling, incumbent, best } = this.#known;
    const { point } = incumbent;
    const { certificate } = best;
    const started = performance.now();
    const isComplete = certificate !== null && (point !== null) === (certificate.claim.kind === "bound");
    const verdict = isComplete ? Verdict.of(built.program, certificate, point, this.#options.gap) : null;
    const ended = performance.now();
    const proveSeconds = (this.#proveMilliseconds + best.milliseconds + ended - started) / 1000;
    return {
      built,
      ceiling,
      verdict,
      certificate,
      placement: point === null ? null : built.recover(point),
      point,
      nodes: this.#nodes,
      solveSeconds: (ended - this.#started) / 1000 - proveSeconds,
      proveSeconds,
    };
  }

  #report(phase: "pooled bound" | "local search" | "pattern bound" | "branch and bound" | "proof"): void {
    const { incumbent, best } = this.#known;
    const bound: Rational | null = best.certificate === null ? null : best.value;
    this.#options.onProgress?.({ phase, nodes: this.#nodes, openNodes: 0, incumbent: incumbent.value, bound });
  }
}
