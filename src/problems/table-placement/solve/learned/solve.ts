import type { PlacementModel } from "../../../../../models/table-placement/from-instance.js";
import { type NeuralProgram, neuralProgram } from "../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../models/table-placement/learned/evaluate.js";
import type { NeuralHead } from "../../../../../models/table-placement/learned/head.js";
import type { Placement } from "../../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../../cost/neural/set-cost.js";
import type { Rational } from "../../../../exact/rational.js";
import type { Progress } from "../../../../search/branch-and-bound/search.js";
import { UNITS, UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import { comparedHeuristics, type HeuristicName, runHeuristic } from "../heuristic-runs.js";
import { budgetOf, PlacementState, type ProgramSolution, unitsOf } from "../placement-state.js";
import type { PlacementProgress, SolvePlacementOptions } from "../solve-options.js";
import { averageBound } from "./average-bound.js";
import { hasPriceBound, searchPrices } from "./price-bound/search-prices.js";
import { neuralRelaxation } from "./relaxation.js";
import { hasFewSets, searchSets } from "./set-search.js";

/** What is known of a placement problem under a network in the end, and why. */
export interface NeuralSolution extends ProgramSolution {
  /** The program that certificate, point and verdict speak of; `null` where there was no time to build it. */
  readonly direct: NeuralProgram | null;
  /** The cost above which that program leaves placements out; absent: none. */
  readonly ceiling?: Rational;
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

/** A program with what is known of it, and the cost above which it leaves placements out; `null`: none. */
interface Known {
  readonly built: NeuralProgram;
  readonly ceiling: Rational | null;
  readonly state: PlacementState;
}

/** A placement with its cost in exact arithmetic. */
interface Placed {
  readonly placement: Placement;
  readonly value: Rational;
}

/**
 * Places tables for the least largest device cost of a network: all published methods, whose best placement is the program's
 * ceiling; then bounds, Jensen's, all sets of tables where they are few, prices of tables where devices are alike; then
 * branch and bound over linear relaxations, with a general solver as a source of placements. A better placement is a lower
 * ceiling for the next round. Certificates are checked in exact arithmetic before anything is said of them.
 *
 * What does not fit into the time limit is left out: without the time to build the program there is a placement and no bound.
 */
export async function solveNeuralPlacement(
  uncounted: PlacementModel,
  head: NeuralHead,
  options: SolvePlacementOptions,
): Promise<NeuralSolution> {
  const { gap, seed, onProgress } = options;
  const budget = budgetOf(options);
  const work = new Work(budget.isOver, options.mostUnits);
  const all = unitsOf(options);
  const model = countedModel(uncounted, work);
  // The best placement of the published methods.
  let start: Placed | null = null;
  let known: Known | null = null;
  let proveMilliseconds = 0;
  begin();
  report("pooled bound");
  known = below(start);
  if (known === null) return concluded();
  await raise(known);
  return concluded();

  async function raise(first: Known): Promise<void> {
    const { built, state } = first;
    average(first);
    if (!isSettled() && hasFewSets(built)) {
      report("pattern bound");
      searchSets(built, state, SETS_SHARE * all);
    }
    if (!isSettled() && hasPriceBound(built)) await price(first);
    // Where nothing was found, chance alone will find nothing.
    const restarts = state.incumbent.point === null ? 0 : RESTARTS;
    for (let k = 1; k <= restarts && !isSettled() && !isBeyond(RESTART_SHARE); k++) {
      report("local search");
      const better = attempt("simulated-annealing", seed + k, RESTART_SHARE);
      if (better !== null) state.incumbent.offer(built.pointOf(better.placement));
    }
    if (built.program.columns.length > MAX_TREE_COLUMNS) return;
    for (const nodes of [FIRST_NODES, Number.POSITIVE_INFINITY]) {
      if (!isSettled()) known = lowered(known ?? first);
      if (isSettled() || known === null) return;
      await branch(known, nodes);
      if (nodes === FIRST_NODES && !isSettled()) await known.state.ask(SOLVER_SHARE);
    }
  }

  /**
   * What the published methods find: the quick ones until there is a placement whatever the time, then what there is
   * work for.
   */
  function begin(): void {
    const methods = comparedHeuristics(model.problem);
    const quick = methods.filter((method) => !SEARCHES.includes(method));
    for (const method of [...quick, ...SEARCHES]) {
      if (start !== null && isBeyond(START_SHARE)) return;
      report("local search");
      start = attempt(method, seed, START_SHARE) ?? start;
    }
  }

  /** What a method finds until a share of all work is done, where that is better than all before. */
  function attempt(method: HeuristicName, own: number, share: number): Placed | null {
    const result = runHeuristic(method, model, { seed: own, shouldStop: () => isBeyond(share) });
    if (result.kind !== "plan") return null;
    const { placement } = result;
    const value = judge(placement);
    const best = bestValue();
    return value === null || (best !== null && value.compare(best) >= 0) ? null : { placement, value };
  }

  /** What a placement costs; `null` where it breaks a limit. */
  function judge(placement: Placement): Rational | null {
    const { objective, violations } = evaluateNeural(head, model.problem, placement);
    return violations.length > 0 ? null : objective;
  }

  /** The cost of the best placement. */
  function bestValue(): Rational | null {
    return known === null ? (start?.value ?? null) : known.state.incumbent.value;
  }

  /** Jensen's bound, where it is quick or the only one. */
  function average({ built, state }: Known): void {
    const terms = built.program.rows.reduce((sum, { form }) => sum + form.columns.length, 0);
    if (hasPriceBound(built) && terms * built.structure.devices.length > MAX_AVERAGE_WORK) return;
    report("pooled bound");
    const started = budget.secondsUsed;
    work.spend(terms * built.structure.devices.length * (UNITS.node + UNITS.checking));
    const proof = budget.within((checkTime) => averageBound(built, checkTime));
    if (proof !== null && budget.affords(budget.secondsUsed - started)) state.add(proof);
  }

  /** Whether a share of all work is done, or time is up. */
  function isBeyond(share: number): boolean {
    return work.ask() || work.done >= share * all;
  }

  /** The price bound, below the best placement. */
  async function price({ built, state }: Known): Promise<void> {
    report("pattern bound");
    await searchPrices(built, state.best, {
      precision: PRICE_PRECISION,
      work,
      isLate: () => isBeyond(PRICE_SHARE),
      affords: (units) => work.done + units <= all && budget.affords(units / UNITS_PER_SECOND),
      onBound: () => {
        report("pattern bound");
        return isSettled();
      },
    });
  }

  /** The program again below the best placement, where that is better than its ceiling and the bound is no worse for it. */
  function lowered(from: Known): Known {
    const { built, ceiling, state } = from;
    const { point, value } = state.incumbent;
    if (point === null || value === null || (ceiling !== null && ceiling.compare(value) <= 0)) return from;
    report("pooled bound");
    const next = below({ value, placement: built.recover(point) });
    if (next === null) return from;
    average(next);
    // Where the search has proved more than the lower ceiling does by itself, it goes on as it is.
    const isWorse = next.state.bound.compare(state.bound) < 0;
    proveMilliseconds += (isWorse ? next : from).state.best.milliseconds;
    next.state.nodes = state.nodes;
    return isWorse ? from : next;
  }

  /**
   * The program of the placements that are no worse than one, with the bound that no multipliers give; `null`: no time
   * for it.
   */
  function below(placed: Placed | null): Known | null {
    const ceiling = placed?.value ?? null;
    const built = budget.within((checkTime) => neuralProgram(model.problem, head, ceiling, checkTime));
    if (built === null) return null;
    const state = new PlacementState(built, options, judge, budget, work);
    if (placed !== null) state.incumbent.offer(built.pointOf(placed.placement));
    const trivial = built.program.columns[built.structure.largest]?.lower ?? null;
    if (trivial !== null) state.add({ claim: trivial, steps: [{ bound: {} }] });
    return { built, ceiling, state };
  }

  async function branch({ built, state }: Known, maxNodes: number): Promise<void> {
    const { best } = state;
    const told = (progress: Progress) => {
      const isBetter = best.certificate !== null && (progress.bound?.compare(best.value) ?? -1) < 0;
      onProgress?.({ phase: "branch and bound", ...progress, ...(isBetter ? { bound: best.value } : {}) });
    };
    const before = best.milliseconds;
    const checking = await state.branch(maxNodes, work.ask, {
      relaxation: (open) => neuralRelaxation(built, open),
      ...(onProgress === undefined ? {} : { onProgress: told }),
    });
    const checked = (best.milliseconds - before) / 1000;
    if (checked > 0) budget.hasChecked(checking, checked);
  }

  /** Whether nothing is left to do, or work or time is over. */
  function isSettled(): boolean {
    return known === null ? work.ask() : known.state.isSettled();
  }

  function concluded(): NeuralSolution {
    report("proof");
    const started = performance.now();
    const proved = known === null ? null : verdictOf(known);
    const milliseconds = proveMilliseconds + (known?.state.best.milliseconds ?? 0) + performance.now() - started;
    const proveSeconds = milliseconds / 1000;
    return {
      ...(proved ?? { direct: null, verdict: null, certificate: null, point: null }),
      placement: proved === null ? (start?.placement ?? null) : proved.placement,
      nodes: known?.state.nodes ?? 0,
      units: work.done,
      solveSeconds: budget.secondsUsed - proveSeconds,
      proveSeconds,
    };
  }

  function verdictOf({ built, ceiling, state: { incumbent, best } }: Known) {
    const { point, placement } = incumbent;
    const proved = { verdict: best.verdict(point, gap), certificate: best.certificate, point, placement };
    return { direct: built, ...(ceiling === null ? {} : { ceiling }), ...proved };
  }

  function report(phase: PlacementProgress["phase"]): void {
    const best = known?.state.best;
    const bound = best === undefined || best.certificate === null ? null : best.value;
    onProgress?.({ phase, nodes: known?.state.nodes ?? 0, openNodes: 0, incumbent: bestValue(), bound });
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
