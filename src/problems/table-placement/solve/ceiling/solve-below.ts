import { optionTotals } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { belowCeiling, canHaveCeiling } from "../../../../../models/table-placement/below-ceiling.js";
import { directProgram, isDirect } from "../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { hostsProblem, onHosts, onHostsOf } from "../../../../../models/table-placement/hosts-problem.js";
import { isRich } from "../../../../../models/table-placement/hot-rows.js";
import { ofMemoryAside, withMemoryAside } from "../../../../../models/table-placement/memory-aside.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { partOf } from "../../../../../models/table-placement/proved-program.js";
import type { Restriction } from "../../../../../models/table-placement/restriction.js";
import type { Rational } from "../../../../exact/rational.js";
import { Verdict } from "../../../../proof/verdict.js";
import { UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import { memoryDuals } from "../bounds/memory-prices.js";
import { type BoundedProgram, judgeOf, KnownPlans } from "../known-plans.js";
import { solveLargePlacement } from "../large/solve-large.js";
import { coreStarts } from "../local-search/core-options.js";
import { budgetOf, unitsOf } from "../placement-state.js";
import { isLarge } from "../problem-size.js";
import { solvePlacement } from "../solve.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { fromHosts } from "./from-hosts.js";

/** A ceiling is lowered as long as local search below it brings so much, so many times at most. */
const WORTH_LOWERING = 0.995;
const MAX_CEILINGS = 4;

/** Of the time, what that may take: a bound needs the rest. */
const BEGINNING_SHARE = 0.5;

/** Of fewer options the whole program is as good. */
const MIN_OPTIONS = 1000;

/** Of all work, what a search of hosts may take. */
const HOSTS_SHARE = 0.8;

/** Of so few hosts each has half of the tables: bounds of hosts come to little. */
const FEW_HOSTS = 2;

interface Placed {
  readonly placement: Placement;
  readonly value: Rational;
}

/** What was proved of the problem below a ceiling. */
interface Proved {
  readonly ceiling: Rational;
  readonly bounded: BoundedProgram;
  readonly solution: PlacementSolution;
}

/** Whether a search is to begin below a ceiling: hot rows and sizes of caches make many options, most of them far too dear. */
export function isBelowCeiling(problem: PlacementProblem, { takesCeiling }: SolvePlacementOptions): boolean {
  if (takesCeiling !== true || !canHaveCeiling(problem) || !isRich(problem)) return false;
  return problem.tables.reduce((sum, { options }) => sum + options.length, 0) >= MIN_OPTIONS;
}

/** What a search below a ceiling comes to: no solution where nothing was proved. */
interface BelowCeiling {
  readonly solution: PlacementSolution | null;
  /** Known then, for whoever goes on. */
  readonly placements: readonly Placement[];
  readonly units: number;
}

/**
 * Places tables and proves how good that is among the options that placements no dearer than a known one may take. The bound is of all
 * placements: those left out cost more than the ceiling, which the one found keeps. No solution where no placement is known to begin
 * with, or nothing was proved; the placements known then, and the work that it took, are for whoever goes on.
 */
export async function solveBelowCeiling(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<BelowCeiling> {
  const most = BEGINNING_SHARE * unitsOf(options);
  const beginning = new Work(budgetOf(options).isOver, Math.min(options.mostUnits ?? most, most));
  const search = CeilingSearch.begun(problem, options, beginning);
  if (search === null) return { solution: null, placements: options.starts ?? [], units: beginning.done };
  return search.run(!beginning.ask());
}

/** Searches below ever lower ceilings: the best placement, and the best bound with the ceiling that it is of. */
export class CeilingSearch {
  readonly #problem: PlacementProblem;
  readonly #options: SolvePlacementOptions;
  readonly #started = performance.now();
  readonly #all: number;
  readonly #plans: KnownPlans;
  #placed: Placed;
  #ceiling: Rational;
  #restriction: Restriction;
  #proved: Proved | null = null;
  /** Memory is set aside: it is worth nothing to all devices together, and no placement was found that needs more than there is. */
  #isMemoryAside: boolean;
  #units = 0;
  #nodes = 0;
  #proveSeconds = 0;

  private constructor(problem: PlacementProblem, options: SolvePlacementOptions, placed: Placed, below: Restriction) {
    [this.#problem, this.#options, this.#all] = [problem, options, unitsOf(options)];
    this.#plans = new KnownPlans(judgeOf(problem), () => this.#placed.placement);
    for (const start of options.starts ?? []) this.#plans.add(start);
    [this.#placed, this.#ceiling, this.#restriction] = [placed, placed.value, below];
    // On one host bounds with memory are as good, and close more.
    this.#isMemoryAside = problem.nodes > 1 && !memoryBinds(below.problem);
  }

  /** A search with a ceiling that local search has lowered, `null` without a placement; `beginning`: the work of that. */
  static begun(problem: PlacementProblem, options: SolvePlacementOptions, beginning: Work): CeilingSearch | null {
    const startsOf = (own: PlacementProblem) => coreStarts(own, { seed: options.seed }, beginning, unitsOf(options));
    const placed = bestOf(problem, options.starts ?? []) ?? bestOf(problem, startsOf(problem));
    const below = placed === null ? null : belowCeiling(problem, placed.value);
    if (placed === null || below === null) return null;
    const search = new CeilingSearch(problem, options, placed, below);
    for (let round = 1; round < MAX_CEILINGS && !beginning.ask(); round++) {
      const before = search.#ceiling;
      search.#offer(startsOf(search.#restriction.problem).map(search.#restriction.whole));
      if (!search.#lower() || search.#ceiling.toNumber() > WORTH_LOWERING * before.toNumber()) break;
    }
    search.#units = beginning.done;
    return search;
  }

  /** Searches hosts, where local search had the time to end (`isWhole`), and then for all that the ceiling leaves. */
  async run(isWhole: boolean): Promise<BelowCeiling> {
    if (isWhole && this.#problem.nodes > FEW_HOSTS) await this.boundByHosts(HOSTS_SHARE);
    if (!this.isSettled) await this.solve();
    return { solution: this.concluded(), placements: [this.#placed.placement], units: this.#units };
  }

  /** The gap that was asked for is closed, or time is up. */
  get isSettled(): boolean {
    return this.#isOver || this.#unitsLeft <= 0 || this.#isClosed;
  }

  get #isOver(): boolean {
    return this.#secondsLeft <= 0 || this.#options.shouldStop?.() === true;
  }

  get #isClosed(): boolean {
    const bound = this.#bound;
    const { value } = this.#placed;
    return bound !== null && value.subtract(bound).compare(value.multiply(this.#options.gap)) <= 0;
  }

  /**
   * Hosts in place of devices: a program of few columns, whose best placement is often near one of devices. `share`: of all work, for
   * a search for its bound.
   */
  async boundByHosts(share: number): Promise<void> {
    const { hosts, direct, starts } = this.#posedOnHosts();
    const solved = await solvePlacement(hosts, { ...this.#within(share), isOfHosts: true, starts, isBegun: true });
    // Its program was not built in time.
    if (!isDirect(solved.direct)) return;
    this.#take({ ...solved, direct: onHostsOf(this.#posed, direct) }, this.#isMemoryAside);
    this.#offerOnHosts(this.#restriction, solved.placement);
  }

  /** A search for all that the ceiling leaves; the ceiling is lowered by what it finds. */
  async solve(): Promise<void> {
    const problem = this.#posed;
    const { whole, part } = this.#restriction;
    const start = part(this.#placed.placement);
    const solve = isLarge(problem, this.#all) ? solveLargePlacement : solvePlacement;
    const starts = start === null ? [] : [start];
    const isBegun = starts.length > 0;
    const isAside = this.#isMemoryAside;
    const solution = await solve(problem, { ...this.#within(1), starts, isBegun, ...this.#fitting() });
    this.#take(solution, isAside);
    if (solution.placement !== null) this.#offer([whole(solution.placement)]);
    this.#lower();
    if (isAside && !this.#isMemoryAside && !this.isSettled) await this.solve();
  }

  /** The best bound, with the best placement; `null` where nothing was proved. */
  concluded(): PlacementSolution | null {
    if (this.#proved === null) return null;
    const { ceiling, bounded, solution } = this.#proved;
    const { direct, verdict: known } = solution;
    if (known === null) return null;
    this.#plans.requireIn(bounded);
    const point = bounded.pointOf(this.#placed.placement);
    const verdict = Verdict.ofChecked(direct.program, known.checked, point, this.#options.gap);
    const seconds = (performance.now() - this.#started) / 1000;
    return {
      ...{ direct, ceiling, verdict, point, certificate: solution.certificate, placement: this.#placed.placement },
      ...{ nodes: this.#nodes, units: this.#units, proveSeconds: this.#proveSeconds },
      solveSeconds: seconds - this.#proveSeconds,
    };
  }

  get #posed(): PlacementProblem {
    const { problem } = this.#restriction;
    return this.#isMemoryAside ? withMemoryAside(problem) : problem;
  }

  /**
   * With memory set aside placements are taken that fit all the same. Of a better one that does not memory counts from then on: a
   * search for what is left to do ends there.
   */
  #fitting(): Pick<SolvePlacementOptions, "isTaken" | "shouldStop"> {
    if (!this.#isMemoryAside) return {};
    const { problem } = this.#restriction;
    const isTaken = (placement: Placement) => {
      const { objective, violations } = evaluatePlacement(problem, placement);
      if (violations.length > 0 && objective.compare(this.#placed.value) < 0) this.#isMemoryAside = false;
      return violations.length === 0;
    };
    return { isTaken, shouldStop: () => !this.#isMemoryAside || this.#options.shouldStop?.() === true };
  }

  get #secondsLeft(): number {
    return this.#options.timeLimitSeconds - (performance.now() - this.#started) / 1000;
  }

  get #unitsLeft(): number {
    return (this.#options.mostUnits ?? Number.POSITIVE_INFINITY) - this.#units;
  }

  #within(share: number): SolvePlacementOptions {
    const left = this.#options.mostUnits === undefined && share === 1 ? Number.POSITIVE_INFINITY : this.#unitsLeft;
    const mostUnits = share === 1 ? left : Math.min(left, share * this.#all);
    const workSeconds = share === 1 ? this.#all / UNITS_PER_SECOND : mostUnits / UNITS_PER_SECOND;
    return { ...this.#options, timeLimitSeconds: Math.max(0, this.#secondsLeft), mostUnits, workSeconds };
  }

  /**
   * The bound of a search is kept where it is the best, and its program has all plans within the ceiling that are known. The
   * program of hosts may have a lower ceiling of its own: a plan that is above it says nothing of its bounds, nor they of that plan.
   */
  #take(found: PlacementSolution, isAside: boolean): void {
    const solution = isAside ? { ...found, direct: ofMemoryAside(found.direct) } : found;
    this.#units += solution.units;
    this.#nodes += solution.nodes;
    this.#proveSeconds += solution.proveSeconds;
    const bound = solution.verdict?.bound ?? null;
    const best = this.#bound;
    if (bound === null || (best !== null && bound.compare(best) <= 0)) return;
    const [ceiling, restriction] = [this.#ceiling, this.#restriction];
    const { ceiling: own = ceiling } = solution.direct;
    if (this.#placed.value.compare(own) > 0) return;
    const bounded = partOf(restriction, solution.direct, own.compare(ceiling) < 0 ? own : ceiling);
    this.#plans.requireIn(bounded);
    this.#proved = { ceiling, bounded, solution };
  }

  get #bound(): Rational | null {
    return this.#proved?.solution.verdict?.bound ?? null;
  }

  /** Hosts in place of devices, and the best placement on them. */
  #posedOnHosts() {
    const problem = this.#posed;
    const hosts = hostsProblem(problem);
    const start = this.#restriction.part(this.#placed.placement);
    return { hosts, direct: directProgram(hosts), starts: start === null ? [] : [onHosts(problem, start)] };
  }

  /** A placement of devices from one of hosts, if there is one. */
  #offerOnHosts({ problem, whole }: Restriction, placed: Placement | null): void {
    const found = placed === null ? null : fromHosts(problem, placed);
    if (found !== null) this.#offer([whole(found)]);
    this.#lower();
  }

  #offer(placements: readonly Placement[]): void {
    const found = bestOf(this.#problem, placements);
    if (found !== null && found.value.compare(this.#placed.value) < 0) this.#placed = found;
  }

  /** The ceiling becomes what the best placement costs; whether that is lower. */
  #lower(): boolean {
    if (this.#placed.value.compare(this.#ceiling) >= 0) return false;
    const below = belowCeiling(this.#problem, this.#placed.value);
    if (below === null) return false;
    this.#ceiling = this.#placed.value;
    this.#restriction = below;
    return true;
  }
}

/** Whether more of some memory would be worth anything to all devices together. */
function memoryBinds(problem: PlacementProblem): boolean {
  const { hbm, host, ssd } = memoryDuals(problem, optionTotals(problem));
  return hbm > 0 || host > 0 || ssd > 0;
}

/** The best of some placements that keep all limits. */
function bestOf(problem: PlacementProblem, placements: readonly Placement[]): Placed | null {
  let best: Placed | null = null;
  for (const placement of placements) {
    const { objective, violations } = evaluatePlacement(problem, placement);
    if (violations.length > 0 || (best !== null && objective.compare(best.value) >= 0)) continue;
    best = { placement, value: objective };
  }
  return best;
}
