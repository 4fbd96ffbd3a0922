import type { PlacementModel } from "../../../../../models/table-placement/from-instance.js";
import { type NeuralProgram, neuralProgram } from "../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../models/table-placement/learned/evaluate.js";
import type { NeuralHead } from "../../../../../models/table-placement/learned/head.js";
import type { Placement } from "../../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../../cost/neural/set-cost.js";
import type { Rational } from "../../../../exact/rational.js";
import type { Incumbent } from "../../../../search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { askSolver, offerClaim } from "../../../../search/exact-milp/claims.js";
import { withRelaxation } from "../../../../search/exact-milp/lp-relaxation.js";
import { TimeBudget } from "../../../../search/time/time-budget.js";
import { UNITS, UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import { BestBound } from "../best-bound.js";
import { comparedHeuristics, type HeuristicName, runHeuristic } from "../heuristic-runs.js";
import { KnownPlans } from "../known-plans.js";
import { PlacementIncumbent } from "../placement-incumbent.js";
import type { ProgramSolution } from "../placement-state.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { averageBound } from "./average-bound.js";
import { hasPriceBound, searchPrices } from "./price-bound/search-prices.js";
import { neuralRelaxation } from "./relaxation.js";
import { hasFewSets, searchSets } from "./set-search.js";

/** What is known of a placement problem under a network in the end, and why. */
export interface NeuralSolution extends ProgramSolution {
  /** The program that certificate, point and verdict speak of; `null` where there was no time to build it. */
  readonly built: NeuralProgram | null;
  /** The cost above which that program leaves placements out; `null`: none. */
  readonly ceiling: Rational | null;
}

/** Methods that look for a placement step by step: the others come before them. */
const SEARCHES: readonly HeuristicName[] = ["neuroshard-search", "random-search", "simulated-annealing"];

/** The shares of all work after which searches for a placement end, and going through all sets of tables. */
const START_SHARE = 0.3;
const SETS_SHARE = 0.7;

/** Nodes of the first tree, after which a general solver is asked; the second has no limit. */
const FIRST_NODES = 500;

/** Above this many columns a linear relaxation takes longer than it is worth. */
const MAX_TREE_COLUMNS = 2500;

/** Above this product of the program's terms and its devices, Jensen's bound takes longer than prices, which say more. */
const MAX_AVERAGE_WORK = 2e6;

/** The price bound ends where it may gain less than this part, and after this share of all work. */
const PRICE_PRECISION = 1e-4;
const PRICE_SHARE = 0.8;

/** So often annealing is run again, while no more than this share of all work is done. */
const RESTARTS = 8;
const RESTART_SHARE = 0.5;

/** The share of the work that is left, which a general solver gets to look for a placement. */
const SOLVER_SHARE = 0.05;

/**
 * Places tables for the least largest device cost of a network: all published methods, whose best placement is the program's
 * ceiling; then bounds, Jensen's, all sets of tables where they are few, prices of tables where devices are alike; then
 * branch and bound over linear relaxations, with a general solver as a source of placements. A better placement is a lower
 * ceiling for the next round. Certificates are checked in exact arithmetic before anything is said of them.
 *
 * What does not fit into the time limit is left out: without the time to build the program there is a placement and no bound.
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

/** A placement with its cost in exact arithmetic. */
interface Placed {
  readonly placement: Placement;
  readonly value: Rational;
}

class NeuralSolver {
  readonly #model: PlacementModel;
  readonly #head: NeuralHead;
  readonly #options: SolvePlacementOptions;
  readonly #budget: TimeBudget;
  readonly #work: Work;
  /** Units of work that shares are of. */
  readonly #all: number;
  /** The best placement of the published methods. */
  #start: Placed | null = null;
  #known: Known | null = null;
  #nodes = 0;
  #proveMilliseconds = 0;

  constructor(model: PlacementModel, head: NeuralHead, options: SolvePlacementOptions) {
    this.#head = head;
    this.#options = options;
    this.#budget = new TimeBudget(options.timeLimitSeconds, options.shouldStop);
    this.#work = new Work(this.#budget.isOver, options.mostUnits);
    this.#all = UNITS_PER_SECOND * (options.workSeconds ?? options.timeLimitSeconds);
    this.#model = countedModel(model, this.#work);
  }

  async run(): Promise<NeuralSolution> {
    this.#begin();
    this.#report("pooled bound");
    const known = this.#below(this.#start);
    if (known === null) return this.#conclude();
    this.#known = known;
    this.#average(known);
    if (!this.#isSettled() && hasFewSets(known.built)) {
      this.#report("pattern bound");
      searchSets(known, this.#budget, this.#work, SETS_SHARE * this.#all);
    }
    if (!this.#isSettled() && hasPriceBound(known.built)) await this.#price(known);
    // Where nothing was found, chance alone will find nothing.
    const restarts = known.incumbent.point === null ? 0 : RESTARTS;
    for (let k = 1; k <= restarts && !this.#isSettled() && !this.#isBeyond(RESTART_SHARE); k++) {
      this.#report("local search");
      const better = this.#attempt("simulated-annealing", this.#options.seed + k, RESTART_SHARE);
      if (better !== null) known.incumbent.offer(known.built.pointOf(better.placement));
    }
    if (known.built.program.columns.length <= MAX_TREE_COLUMNS) {
      for (const nodes of [FIRST_NODES, Number.POSITIVE_INFINITY]) {
        if (!this.#isSettled()) this.#known = this.#lowered(this.#known);
        if (this.#isSettled()) break;
        await this.#branch(this.#known, nodes);
        if (nodes === FIRST_NODES && !this.#isSettled()) await this.#ask(this.#known);
      }
    }
    return this.#conclude();
  }

  /**
   * What the published methods find: the quick ones until there is a placement whatever the time, then what there is
   * work for.
   */
  #begin(): void {
    const methods = comparedHeuristics(this.#model.problem);
    const quick = methods.filter((method) => !SEARCHES.includes(method));
    for (const method of [...quick, ...SEARCHES]) {
      if (this.#start !== null && this.#isBeyond(START_SHARE)) return;
      this.#report("local search");
      this.#start = this.#attempt(method, this.#options.seed, START_SHARE) ?? this.#start;
    }
  }

  /** What a method finds until a share of all work is done, where that is better than all before. */
  #attempt(method: HeuristicName, seed: number, share: number): Placed | null {
    const result = runHeuristic(method, this.#model, { seed, shouldStop: () => this.#isBeyond(share) });
    if (result.kind !== "plan") return null;
    const { placement } = result;
    const { objective: value, violations } = evaluateNeural(this.#head, this.#model.problem, placement);
    const best = this.#value;
    return violations.length > 0 || (best !== null && value.compare(best) >= 0) ? null : { placement, value };
  }

  /** The cost of the best placement. */
  get #value(): Rational | null {
    return this.#known === null ? (this.#start?.value ?? null) : this.#known.incumbent.value;
  }

  /** Jensen's bound, where it is quick or the only one. */
  #average({ built, best }: Known): void {
    const terms = built.program.rows.reduce((sum, { form }) => sum + form.columns.length, 0);
    if (hasPriceBound(built) && terms * built.structure.devices.length > MAX_AVERAGE_WORK) return;
    this.#report("pooled bound");
    const started = this.#budget.secondsUsed;
    this.#work.spend(terms * built.structure.devices.length * (UNITS.node + UNITS.checking));
    const proof = this.#budget.within((checkTime) => averageBound(built, checkTime));
    if (proof !== null && this.#budget.affords(this.#budget.secondsUsed - started)) best.offer(proof);
  }

  /** Whether a share of all work is done, or time is up. */
  #isBeyond(share: number): boolean {
    return this.#work.ask() || this.#work.done >= share * this.#all;
  }

  /** The price bound, below the best placement. */
  async #price({ built, best }: Known): Promise<void> {
    this.#report("pattern bound");
    await searchPrices(built, best, {
      precision: PRICE_PRECISION,
      work: this.#work,
      isLate: () => this.#isBeyond(PRICE_SHARE),
      affords: (units) => this.#work.done + units <= this.#all && this.#budget.affords(units / UNITS_PER_SECOND),
      onBound: () => {
        this.#report("pattern bound");
        return this.#isSettled();
      },
    });
  }

  /** The program again below the best placement, where that is better than its ceiling and the bound is no worse for it. */
  #lowered(known: Known): Known {
    const { built, ceiling, incumbent, best } = known;
    const { point, value } = incumbent;
    if (point === null || value === null || (ceiling !== null && ceiling.compare(value) <= 0)) return known;
    this.#report("pooled bound");
    const next = this.#below({ value, placement: built.recover(point) });
    if (next === null) return known;
    this.#average(next);
    // Where the search has proved more than the lower ceiling does by itself, it goes on as it is.
    const isWorse = next.best.value.compare(best.value) < 0;
    this.#proveMilliseconds += isWorse ? next.best.milliseconds : best.milliseconds;
    return isWorse ? known : next;
  }

  /**
   * The program of the placements that are no worse than one, with the bound that no multipliers give; `null`: no time
   * for it.
   */
  #below(placed: Placed | null): Known | null {
    const { problem } = this.#model;
    const ceiling = placed?.value ?? null;
    const built = this.#budget.within((checkTime) => neuralProgram(problem, this.#head, ceiling, checkTime));
    if (built === null) return null;
    const judge = (placement: Placement) => {
      const { objective, violations } = evaluateNeural(this.#head, problem, placement);
      return violations.length > 0 ? null : objective;
    };
    const plans: KnownPlans = new KnownPlans(judge, () => incumbent.placement);
    const incumbent = new PlacementIncumbent(built, plans);
    if (placed !== null) incumbent.offer(built.pointOf(placed.placement));
    const best = new BestBound(built, plans, this.#budget);
    const trivial = built.program.columns[built.structure.largest]?.lower ?? null;
    if (trivial !== null) best.offer({ claim: trivial, steps: [{ bound: {} }] });
    return { built, ceiling, incumbent, best };
  }

  async #branch({ built, incumbent, best }: Known, maxNodes: number): Promise<void> {
    const { gap, onProgress } = this.#options;
    this.#report("branch and bound");
    const shouldStop = (checking = 0) => this.#work.ask() || !this.#budget.affordsChecking(checking);
    const result = await withRelaxation(
      built.program,
      (units = 0) => this.#work.ask(units) || shouldStop(),
      (open) =>
        branchAndBound(SearchSpace.of(built.program), incumbent, neuralRelaxation(built, open), {
          gap,
          maxNodes,
          shouldStop,
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
    if (claim === null && !(result.complete && value === null)) return;
    const before = best.milliseconds;
    best.offer({ claim, steps: result.steps });
    const checked = (best.milliseconds - before) / 1000;
    if (checked > 0) this.#budget.hasChecked(result.checking, checked);
  }

  async #ask({ built, incumbent }: Known): Promise<void> {
    const units = SOLVER_SHARE * Math.max(0, this.#all - this.#work.done);
    const limits = { units, timeLimitSeconds: this.#budget.secondsLeft, seed: this.#options.seed };
    const answer = await askSolver("highs", built.program, limits, this.#work);
    if ("claim" in answer) await offerClaim(built.program, answer.claim, incumbent, this.#budget.isOver);
  }

  /** Whether nothing is left to do, or work or time is over. */
  #isSettled(): boolean {
    if (this.#work.ask()) return true;
    if (this.#known === null) return false;
    const { incumbent, best } = this.#known;
    if (best.isInfeasible) return true;
    const cutoff = incumbent.cutoff(this.#options.gap);
    return best.certificate !== null && cutoff !== null && best.value.compare(cutoff) >= 0;
  }

  #conclude(): NeuralSolution {
    this.#report("proof");
    const started = performance.now();
    const proved = this.#known === null ? null : this.#verdictOf(this.#known);
    const milliseconds = this.#proveMilliseconds + (this.#known?.best.milliseconds ?? 0) + performance.now() - started;
    const proveSeconds = milliseconds / 1000;
    return {
      ...(proved ?? { built: null, ceiling: null, verdict: null, certificate: null, point: null }),
      placement: proved === null ? (this.#start?.placement ?? null) : proved.placement,
      nodes: this.#nodes,
      units: this.#work.done,
      solveSeconds: this.#budget.secondsUsed - proveSeconds,
      proveSeconds,
    };
  }

  #verdictOf({ built, ceiling, incumbent, best }: Known) {
    const { point } = incumbent;
    const { certificate } = best;
    const verdict = best.verdict(point, this.#options.gap);
    return { built, ceiling, verdict, certificate, point, placement: point === null ? null : built.recover(point) };
  }

  #report(phase: "pooled bound" | "local search" | "pattern bound" | "branch and bound" | "proof"): void {
    const best = this.#known?.best;
    const bound = best === undefined || best.certificate === null ? null : best.value;
    this.#options.onProgress?.({ phase, nodes: this.#nodes, openNodes: 0, incumbent: this.#value, bound });
  }
}

/** The model, in which every question to the cost network counts as work. */
function countedModel(model: PlacementModel, work: Work): PlacementModel {
  const setCost = model.problem.setCost as SetCost;
  const costOfSet = (parts: readonly number[]) => {
    work.spend(UNITS.network);
    return setCost.costOfSet(parts);
  };
  return { ...model, problem: { ...model.problem, setCost: { ...setCost, costOfSet } } };
}
