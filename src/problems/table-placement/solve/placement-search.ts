import { type DirectProgram, directProgram } from "../../../../models/table-placement/direct-program.js";
import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import type { PatternModel } from "../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import { entriesOf } from "../../../program/program.js";
import type { Without } from "../../../search/strategies.js";
import type { TimeBudget } from "../../../search/time/time-budget.js";
import { UNITS, Work } from "../../../search/work.js";
import { BaseLadder, NEAR } from "./base-tree/base-ladder.js";
import { BaseTurns } from "./base-turns.js";
import { aggregatedBound } from "./bounds/aggregated-bound.js";
import { liftedBound } from "./bounds/lifted.js";
import { memoryBinds } from "./bounds/memory-prices.js";
import { distinctOptions, reducedLimit, reduceOptions } from "./bounds/reduction.js";
import { reducedBound, reductionSteps } from "./bounds/reduction-steps.js";
import { type Granule, granuleOf } from "./cost-granularity.js";
import { CountedTurns } from "./counted/counted-turns.js";
import { GuidedSearch } from "./guided/guided-search.js";
import { JOB_UNITS } from "./guided/job.js";
import { judgeOf } from "./known-plans.js";
import { coreStarts, searchedOptions } from "./local-search/core-options.js";
import { searchPlacement } from "./local-search/index.js";
import { NumberedTurns } from "./numbered/numbered-turns.js";
import { OptionDiveTurns } from "./option-dive/option-dive-turns.js";
import { PatternTurns } from "./pattern-turns.js";
import { PlacementState, unitsOf } from "./placement-state.js";
import { FEW_COLUMNS, firstSlice } from "./problem-size.js";
import type { PlacementProgress, PlacementSolution, SolvePlacementOptions } from "./solve-options.js";

/** The longest slice of anything, as a share of all work; each is longer than the one before by this factor. */
const LONGEST_SLICE = 0.25;
const SLICE_GROWTH = 1.6;

/** What lifting costs may take, as a share of all work. */
const LIFTING_SHARE = 0.1;

/** What local search gets beside searches that take longer, as a share of all work. */
const SEARCH_SHARE = 0.08;

/** What dives over options may take at once, as a share of all work. */
const DIVE_SHARE = 0.2;

/** What a bound found in doubles is lowered by until it holds in exact arithmetic. */
const LOST_TO_ROUNDING = [1e-12, 1e-8];

/** Checks of the pooled bound that a proof takes as long as that leaves out options, and its share of all work at most. */
export const REDUCTION_CHECKS = 12;
const REDUCTION_SHARE = 0.3;

/** Patterns begin anew where so few of the options are left. */
const WORTH_A_NEW_MODEL = 0.85;

/** What trees get of their time before column generation has come to its end. */
const BEFORE_THE_LAST_PATTERN = 0.25;

/** Above this many columns our branch and bound has nothing to offer. */
const MAX_TREE_COLUMNS = 4000;

/** Up to about so many entries local search finds what it begins with soon, however many sizes of caches and hot rows there are. */
const FEW_ENTRIES = 5000;

/** A start that is so many times the bound is nothing to go on from, unless local search finds nothing by itself. */
const FAR_START = 1.1;

/** The name of a strategy that is asked for here too. */
export const GUIDED = "guided search";

/** A solve of table placement: what strategies do in turn, and whether there is reason to. */
export class PlacementSearch extends PlacementState {
  readonly problem: PlacementProblem;
  readonly direct: DirectProgram;
  readonly #without: Without;
  readonly #grain: Granule | null;
  /** Whether the program has many entries: of few local search finds the same wherever it begins. */
  readonly #hasManyEntries: boolean;
  /** Whether some table has a choice of options. */
  readonly #hasOptions: boolean;
  readonly bases: BaseTurns;
  readonly #numbered: NumberedTurns;
  readonly #dives: OptionDiveTurns;
  readonly counted: CountedTurns;
  /** `null` where local search is done here alone. */
  readonly guided: GuidedSearch | null;
  readonly #memoryBinds: boolean;
  readonly #patterns: PatternTurns;
  /** Options that patterns know of, and the value by which others were left out. */
  #alive: number;
  #reducedAt: number | null = null;
  /** What local search looks at: options that may be in a better placement. */
  open: readonly (readonly boolean[])[];
  #slice: number;
  #slices = 0;
  /** Rounds so far. */
  #rounds = 0;

  /** `opening`: what is known before the program is built. `null` where the time is over before it is. */
  static begun(
    problem: PlacementProblem,
    options: SolvePlacementOptions,
    budget: TimeBudget,
    opening: PlacementSolution | null,
  ): PlacementSearch | null {
    const work = new Work(budget.isOver, options.mostUnits);
    work.spend(opening?.units ?? 0);
    const hasManyEntries = estimatedEntries(problem) > FEW_ENTRIES;
    const starts = hasManyEntries ? coreStarts(problem, options, work, unitsOf(options)) : [];
    const direct = budget.within((checkTime) => directProgram(problem, checkTime));
    if (direct === null) return null;
    work.spend(entriesOf(direct.program) * UNITS.building);
    const search = new PlacementSearch(problem, direct, hasManyEntries, options, budget, work);
    for (const start of starts) search.start(start);
    if (opening !== null) search.begin(opening);
    return search;
  }

  private constructor(
    problem: PlacementProblem,
    direct: DirectProgram,
    hasManyEntries: boolean,
    options: SolvePlacementOptions,
    budget: TimeBudget,
    work: Work,
  ) {
    super(direct, options, options.judge ?? judgeOf(problem), budget, work);
    this.problem = problem;
    this.direct = direct;
    this.#hasManyEntries = hasManyEntries;
    this.#without = options.without ?? new Set();
    this.#grain = this.#without.has("grains") ? null : granuleOf(problem, direct.structure.unit);
    this.#patterns = new PatternTurns(problem, direct, this.#grain);
    this.#memoryBinds = memoryBinds(problem);
    this.guided = this.#without.has(GUIDED) ? null : new GuidedSearch(problem, direct, this, this.#memoryBinds);
    this.#dives = new OptionDiveTurns(problem, direct, options.seed);
    const ladder = new BaseLadder(problem, direct, {
      work: this.work,
      affordsChecking: (milliseconds) => this.budget.affordsChecking(milliseconds),
      memoryBinds: this.#memoryBinds,
      beside: this.guided,
      unitsLeft: () => this.all - this.work.done,
    });
    this.bases = new BaseTurns(problem.nodes > 1 || options.isOfHosts === true, ladder, this.#memoryBinds);
    this.#numbered = new NumberedTurns(problem, this.guided);
    this.counted = new CountedTurns(problem, this.#memoryBinds);
    this.#hasOptions = problem.tables.some(({ options: own }) => own.length !== 1);
    this.#alive = problem.tables.reduce((sum, { options: own }) => sum + own.length, 0);
    this.open = distinctOptions(problem);
    this.#slice = Math.min(firstSlice(direct.program.columns.length), this.#longest);
  }

  get model(): PatternModel | null {
    return this.#patterns.model;
  }

  /** A small program is often proved by branching on its columns before other trees have begun. */
  get isSmall(): boolean {
    return this.direct.program.columns.length <= FEW_COLUMNS;
  }

  get hasReduction(): boolean {
    const value = this.incumbent.value?.toNumber();
    return this.#hasOptions && value !== undefined && value !== this.#reducedAt && this.#affordsReduction;
  }

  get hasBaseTree(): boolean {
    const [bound, value] = this.#ends;
    // On one host patterns often prove the value itself, and this tree what is just below: first only where much is open.
    const isFar = this.problem.nodes > 1 || value - bound > NEAR * value;
    if (this.counted.leads(this) || (this.#rounds === 0 && (this.isSmall || !isFar)) || this.isWithinAllowance)
      return false;
    return this.#hasOptions && this.#affordsReduction && this.bases.ladder.applies(bound, value);
  }

  /** Where relaxations on one host have come to their end: better placements are what is left. */
  get hasDives(): boolean {
    const isHard = this.#numbered.hasRaised;
    return this.bases.hasEnded && !isHard && this.#dives.applies(...this.#ends);
  }

  /** Where relaxations on one host are what there is to ask first. */
  get hasNumbered(): boolean {
    return this.hasBaseTree && this.bases.isRelaxing && this.#numbered.applies(this);
  }

  /** The best bound, and the best placement's value. */
  get #ends(): readonly [bound: number, value: number] {
    return [this.bound.toNumber(), this.incumbent.value?.toNumber() ?? 0];
  }

  /** Whether counts of like tables, or bases, have more to give than what knows neither. */
  get isLed(): boolean {
    if (this.counted.leads(this)) return true;
    return !this.isSmall && this.bases.leads(...this.#ends);
  }

  /**
   * Where costs are multiples of one number, or each host is one device, patterns often prove the placement itself, in less time
   * than a tree over bases takes to begin.
   */
  get hasFirstPatterns(): boolean {
    const { nodes, gpusPerNode } = this.problem;
    const isForPatterns = nodes > 1 && (this.#grain !== null || gpusPerNode === 1) && !this.#memoryBinds;
    return isForPatterns && this.#rounds === 0 && this.hasBaseTree && this.hasMorePatterns;
  }

  get hasMorePatterns(): boolean {
    // Bounds of patterns have nothing to add to relaxations that have come to their end below the same placement.
    const hasRelaxed = this.bases.ladder.hasEndedAt(this.incumbent.value?.toNumber());
    return !this.isLed && !hasRelaxed && this.model !== null && !this.#patterns.isExhausted;
  }

  get hasTree(): boolean {
    return !this.isLed && this.direct.program.columns.length <= MAX_TREE_COLUMNS;
  }

  /** Local search is beside this one, unless nothing else is left to do. */
  get isSearchedHere(): boolean {
    return this.guided?.isAtWork !== true || !this.hasProgressed;
  }

  /** Takes what is known before the program was built. */
  begin({ certificate, direct, placement }: PlacementSolution): void {
    if (certificate?.claim.kind === "bound") {
      this.best.offer({ claim: Rational.parse(certificate.claim.bound), steps: certificate.steps }, direct);
    }
    if (placement !== null) this.start(placement);
  }

  pool(): void {
    this.report("pooled bound");
    this.add(aggregatedBound(this.problem, this.direct));
  }

  lift(): void {
    if (this.#grain === null) return;
    const shouldStop = this.work.slice(LIFTING_SHARE * this.all);
    const model = this.model as PatternModel;
    const lifted = liftedBound(this.problem, this.direct, model, this.#grain, shouldStop);
    if (lifted !== null) this.add(lifted);
  }

  search(): void {
    this.report("local search");
    const { point } = this.incumbent;
    const isFar = (this.incumbent.value?.toNumber() ?? 0) > FAR_START * this.bound.toNumber();
    const isAfresh = this.#hasManyEntries && this.#slices === 0 && isFar;
    const known = point === null || isAfresh ? null : this.direct.recover(point);
    const { problem, whole, part } = searchedOptions(this.problem, this.open, known);
    const start = known === null ? null : part(known);
    const { placement } = searchPlacement(problem, {
      seed: this.options.seed + this.#slices++,
      shouldStop: this.work.slice(this.guided?.isAtWork === true ? Math.min(this.#slice, JOB_UNITS) : this.#slice),
      target: this.target,
      ...(start === null ? {} : { starts: [start] }),
      without: this.#without,
    });
    if (placement !== null) this.incumbent.offer(this.direct.pointOf(whole(placement)));
  }

  /** Leaves out the options that no better placement uses: the pooled bound rises, and patterns are fewer. */
  reduce(): void {
    const value = this.incumbent.value?.toNumber() as number;
    this.#reducedAt = value;
    // The largest limit that leaving out options refutes, below the placement.
    const reached = this.#without.has("reduced bound") ? 0 : reducedLimit(this.problem, this.bound.toNumber(), value);
    for (const lost of LOST_TO_ROUNDING) {
      const limit = reached * (1 - lost);
      if (limit <= this.bound.toNumber()) break;
      this.add(reducedBound(this.problem, this.direct, reduceOptions(this.problem, limit), limit));
    }
    const reduction = reduceOptions(this.problem, value);
    this.open = reduction.open;
    const alive = reduction.open.flat().filter(Boolean).length;
    if (alive > WORTH_A_NEW_MODEL * this.#alive) return;
    const steps = () => reductionSteps(this.problem, this.direct, reduction);
    if (this.#patterns.restrict(reduction.open, steps)) this.#alive = alive;
  }

  async turn(phase: PlacementProgress["phase"], turns: Pick<BaseTurns, "turn">): Promise<void> {
    this.report(phase);
    await turns.turn(this);
  }

  async diveOverOptions(): Promise<void> {
    this.report("option dives");
    await this.#dives.turn(this, this.work.slice(DIVE_SHARE * this.all));
  }

  /** Where that raises the bound relaxations of patterns say less, and take longer. */
  async branchOnLargeShards(): Promise<void> {
    await this.turn("large shards", this.#numbered);
    if (this.#numbered.hasRaised) this.bases.ladder.endRelaxing(this.incumbent.value?.toNumber() as number);
  }

  async generatePatterns(): Promise<void> {
    this.report("pattern bound");
    const started = this.work.done;
    await this.#patterns.turn(this);
    this.#slice = Math.max(this.#slice, Math.min(this.work.done - started, SEARCH_SHARE * this.all));
  }

  /** As long as patterns have more to give, they need the work themselves. */
  async branchOnColumns(): Promise<void> {
    const share = this.#patterns.isExhausted ? 1 : BEFORE_THE_LAST_PATTERN;
    await this.branch(Number.POSITIVE_INFINITY, this.work.slice(share * this.#slice));
  }

  lengthen(): void {
    this.#rounds++;
    this.#slice = Math.min(SLICE_GROWTH * this.#slice, this.#longest);
  }

  async dispose(): Promise<void> {
    this.bases.ladder.dispose();
    this.#dives.dispose();
    await this.guided?.dispose();
  }

  get #longest(): number {
    return LONGEST_SLICE * this.all;
  }

  /** Whether going through the whole program as often as leaving out options does is no more than its share. */
  get #affordsReduction(): boolean {
    return entriesOf(this.direct.program) * UNITS.checking * REDUCTION_CHECKS <= REDUCTION_SHARE * this.all;
  }
}
