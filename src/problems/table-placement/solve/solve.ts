import { type DirectProgram, directProgram } from "../../../../models/table-placement/direct-program.js";
import { patternModel } from "../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { type Restriction, withFewerOptions } from "../../../../models/table-placement/restriction.js";
import { Rational } from "../../../exact/rational.js";
import { entriesOf } from "../../../program/program.js";
import type { Certificate } from "../../../proof/certificate.js";
import { relativeGap } from "../../../proof/verdict.js";
import { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../search/branch-and-bound/space.js";
import { withRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { BestBound } from "./best-bound.js";
import { aggregatedBound } from "./bounds/aggregated-bound.js";
import { averageBound } from "./bounds/average.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { countingBound } from "./bounds/counting.js";
import { largestBound } from "./bounds/largest.js";
import { liftedBound } from "./bounds/lifted.js";
import { pigeonholeBound } from "./bounds/pigeonhole.js";
import { distinctOptions, reducedLimit, reduceOptions } from "./bounds/reduction.js";
import { reducedBound, reductionSteps } from "./bounds/reduction-steps.js";
import { type Grain, grainOf } from "./cost-granularity.js";
import { searchPlacement } from "./local-search/index.js";
import { OptionTree } from "./option-tree.js";
import { PatternBounds } from "./pattern-bound.js";
import { placedPoint } from "./placed-point.js";
import type { PlacementProgress, PlacementSolution, SolvePlacementOptions } from "./solve-options.js";

/** The first slice of local search in units of work, for a program of so many columns: small ones are proved at once. */
function firstSlice(columns: number): number {
  return Math.min(columns, 300) + 0.1 * columns;
}

/** The longest slice of anything, as a share of all work; each is longer than the one before by this factor. */
const LONGEST_SLICE = 0.25;
const SLICE_GROWTH = 1.6;

/** What lifting costs may take, as a share of all work. */
const LIFTING_SHARE = 0.1;

/**
 * What column generation may take at once, as a share of all work: little at first, then more, in turn with local
 * search.
 */
const PATTERN_SHARE = 0.08;
const MAX_PATTERN_SHARE = 0.3;

/** What local search gets beside searches that take longer, as a share of all work. */
const SEARCH_SHARE = 0.08;

/** The most of it that one limit on cost may take before a lower one is asked about. */
const PER_LIMIT = 0.2;

/** What a bound found in doubles is lowered by until it holds in exact arithmetic. */
const LOST_TO_ROUNDING = [1e-12, 1e-8];

/** Checks of the pooled bound that a proof takes as long as that leaves out options, and its share of all work at most. */
const REDUCTION_CHECKS = 12;
const REDUCTION_SHARE = 0.3;

/** Patterns begin anew where so few of the options are left. */
const WORTH_A_NEW_MODEL = 0.85;

/** What the tree over options gets of its time before column generation has come to its end. */
const BEFORE_THE_LAST_PATTERN = 0.25;

/** A gap that may be due to rounding alone. */
const HAIR = Rational.parse("1e-9");

/** Above this many columns our branch and bound has nothing to offer. */
const MAX_TREE_COLUMNS = 4000;

/**
 * Places tables and proves how good the placement is, bound first: pooled and combinatorial bounds, local search towards them,
 * then in turn, until the gap asked for is closed or time is up: options that no better placement uses are left out, pattern
 * bounds by column generation, a tree over options, branch and bound over the direct program, and local search again.
 * Certificates are checked in exact arithmetic before anything is said of them.
 *
 * Throws `RangeError` for costs or bytes that {@link directProgram} does not take.
 */
export async function solvePlacement(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<PlacementSolution> {
  return new PlacementSolver(problem, options).run();
}

class PlacementSolver {
  readonly #problem: PlacementProblem;
  readonly #options: SolvePlacementOptions;
  readonly #budget: TimeBudget;
  readonly #work: Work;
  /** Units of work that shares are of: those of the time limit that was asked for. */
  readonly #all: number;
  readonly #direct: DirectProgram;
  readonly #grain: Grain | null;
  readonly #incumbent: Incumbent;
  readonly #best: BestBound;
  #patterns: PatternBounds | null = null;
  /** A limit on cost that no placement keeps. */
  #refused = 0;
  /** Column generation has nothing more to give. */
  #isExhausted = false;
  /** Options that patterns know of, and the value of the placement by which others were left out. */
  #alive: number;
  #reducedAt: number | null = null;
  /** What local search looks at: options that may be in a better placement. */
  #searched: Restriction;
  #slice: number;
  #slices = 0;
  #patternShare = PATTERN_SHARE;
  #nodes = 0;
  /** What was claimed of the value last. */
  #claimed: { readonly certificate: Certificate; readonly value: Rational } | null = null;

  constructor(problem: PlacementProblem, options: SolvePlacementOptions) {
    this.#problem = problem;
    this.#options = options;
    this.#budget = new TimeBudget(options.timeLimitSeconds, options.shouldStop);
    this.#all = UNITS_PER_SECOND * (options.workSeconds ?? options.timeLimitSeconds);
    this.#work = new Work(this.#budget.isOver, options.mostUnits);
    this.#direct = directProgram(problem);
    this.#best = new BestBound(this.#direct.program, this.#budget);
    this.#grain = grainOf(problem, this.#direct.structure.unit);
    this.#alive = problem.tables.reduce((sum, { options: own }) => sum + own.length, 0);
    this.#searched = withFewerOptions(problem, distinctOptions(problem));
    this.#incumbent = new Incumbent(this.#direct.program, (point) => placedPoint(this.#direct, point));
    this.#slice = Math.min(firstSlice(this.#direct.program.columns.length), this.#longest);
  }

  async run(): Promise<PlacementSolution> {
    for (const start of this.#options.starts ?? []) this.#incumbent.offer(this.#direct.pointOf(start));
    this.#boundFirst();
    this.#search();
    while (!this.#isSettled()) {
      this.#claimValue();
      if (this.#isSettled()) break;
      this.#reduce();
      if (this.#isSettled()) break;
      const started = this.#work.done;
      this.#generatePatterns();
      if (this.#isSettled()) break;
      // Local search gets about as much, up to its share.
      this.#slice = Math.max(this.#slice, Math.min(this.#work.done - started, SEARCH_SHARE * this.#all));
      this.#branchOnOptions();
      if (this.#isSettled()) break;
      await this.#branch();
      if (this.#isSettled()) break;
      this.#search();
      this.#slice = Math.min(SLICE_GROWTH * this.#slice, this.#longest);
    }
    return this.#conclude();
  }

  get #longest(): number {
    return LONGEST_SLICE * this.#all;
  }

  /** Whether going through the whole program as often as leaving out options does is no more than its share. */
  get #affordsReduction(): boolean {
    return entriesOf(this.#direct.program) * UNITS.checking * REDUCTION_CHECKS <= REDUCTION_SHARE * this.#all;
  }

  /** Units of work for the tree over options: as long as patterns have more to give, they need them themselves. */
  get #besidePatterns(): number {
    return this.#isExhausted ? this.#slice : BEFORE_THE_LAST_PATTERN * this.#slice;
  }

  #boundFirst(): void {
    this.#report("pooled bound");
    this.#add(aggregatedBound(this.#problem, this.#direct));
    if (this.#budget.isOver()) return;
    const model = patternModel(this.#problem, this.#direct);
    if (model === null) return;
    this.#patterns = new PatternBounds(this.#problem, this.#direct, model, this.#grain);
    const grain = this.#grain;
    const quick = [
      () => largestBound(this.#direct, model, grain),
      () => pigeonholeBound(this.#problem, this.#direct, model, grain),
      () => countingBound(this.#problem, this.#direct, model, grain),
      () => (grain === null ? null : averageBound(this.#problem, this.#direct, model, grain)),
    ];
    for (const boundOf of quick) {
      // Quick, but for programs of ten thousands of columns.
      if (this.#budget.isOver()) return;
      const bound = boundOf();
      if (bound !== null) this.#add(bound);
    }
    if (grain === null || this.#budget.isOver()) return;
    const shouldStop = this.#work.slice(LIFTING_SHARE * this.#all);
    const lifted = liftedBound(this.#problem, this.#direct, model, grain, shouldStop);
    if (lifted !== null) this.#add(lifted);
  }

  #add(proof: BoundProof): void {
    // A placement beside a proof that there is none: one is wrong, and it is not the placement.
    if (proof.claim !== null || this.#incumbent.point === null) this.#best.offer(proof);
  }

  /** The best bound claimed so far. */
  get #bound(): Rational {
    return this.#best.value;
  }

  #search(): void {
    this.#report("local search");
    const { seed, gap } = this.#options;
    const known = this.#incumbent.point;
    const target = this.#bound.multiply(Rational.one.add(gap)).toNumber();
    const { problem, whole, part } = this.#searched;
    const start = known === null ? null : part(this.#direct.recover(known));
    const { placement } = searchPlacement(problem, {
      seed: seed + this.#slices++,
      shouldStop: this.#work.slice(this.#slice),
      target,
      ...(start === null ? {} : { starts: [start] }),
    });
    if (placement !== null) this.#incumbent.offer(this.#direct.pointOf(whole(placement)));
  }

  /** Leaves out the options that no better placement uses: the pooled bound rises, and patterns are fewer. */
  #reduce(): void {
    if (this.#problem.tables.every(({ options }) => options.length === 1)) return;
    const value = this.#incumbent.value?.toNumber();
    if (value === undefined || value === this.#reducedAt) return;
    if (!this.#affordsReduction) return;
    this.#reducedAt = value;
    const reached = reducedLimit(this.#problem, this.#bound.toNumber(), value);
    for (const lost of LOST_TO_ROUNDING) {
      const limit = reached * (1 - lost);
      if (limit <= this.#bound.toNumber()) break;
      this.#add(reducedBound(this.#problem, this.#direct, reduceOptions(this.#problem, limit), limit));
    }
    const reduction = reduceOptions(this.#problem, value);
    this.#searched = withFewerOptions(this.#problem, reduction.alive);
    const alive = reduction.alive.flat().filter(Boolean).length;
    if (alive > WORTH_A_NEW_MODEL * this.#alive) return;
    const model = patternModel(this.#problem, this.#direct, reduction.alive);
    if (model === null) return;
    const steps = reductionSteps(this.#problem, this.#direct, reduction);
    this.#alive = alive;
    this.#isExhausted = false;
    this.#patterns = new PatternBounds(this.#problem, this.#direct, model, this.#grain, steps);
  }

  #generatePatterns(): void {
    const patterns = this.#patterns;
    if (patterns === null || this.#isExhausted) return;
    this.#report("pattern bound");
    const share = this.#patternShare * this.#all;
    this.#patternShare = Math.min(2 * this.#patternShare, MAX_PATTERN_SHARE);
    const shouldStop = this.#work.slice(share);
    if (this.#incumbent.value === null) {
      const proof = patterns.memory(shouldStop);
      if (proof !== null) this.#add(proof);
      return;
    }
    const high = this.#incumbent.value.toNumber();
    const precision = Math.max(1e-7, 0.1 * this.#options.gap.toNumber());
    const low = this.#bound.toNumber();
    // With grains a bound of n grains refuses n − 1.
    const from = this.#grain === null ? low : low - this.#grain.approximate;
    const { refused, refusal, complete } = patterns.search(Math.max(from, this.#refused), high, {
      shouldStop,
      precision,
      perLimit: () => this.#work.slice(PER_LIMIT * share),
    });
    this.#isExhausted = complete;
    if (refusal === null) return;
    this.#refused = refused;
    this.#add(patterns.proof(refused, refusal));
  }

  /** Branches on options, towards a proof that the best placement is optimal. */
  #branchOnOptions(): void {
    const value = this.#incumbent.value;
    if (this.#patterns === null || value === null || !this.#affordsReduction) return;
    if (this.#problem.tables.every(({ options }) => options.length === 1)) return;
    this.#report("option tree");
    const limit = this.#patterns.below(value.toNumber());
    const claim = this.#patterns.claim(limit);
    const tree = new OptionTree(this.#problem, this.#direct, this.#grain, {
      ...{
        claim,
        limit,
        seed: this.#options.seed,
        shouldStop: this.#work.slice(this.#besidePatterns),
        work: this.#work,
      },
    });
    const answer = tree.run();
    this.#nodes += tree.nodes;
    if (answer.kind === "refuted") this.#add({ claim, steps: answer.steps });
    else if (answer.kind === "found") this.#incumbent.offer(this.#direct.pointOf(answer.placement));
  }

  async #branch(): Promise<void> {
    if (this.#direct.program.columns.length > MAX_TREE_COLUMNS) return;
    this.#report("branch and bound");
    const { program } = this.#direct;
    const isSliceOver = this.#work.slice(this.#slice);
    const shouldStop = (checking = 0) => isSliceOver() || !this.#budget.affordsChecking(checking);
    const { gap } = this.#options;
    const result = await withRelaxation(program, isSliceOver, (open) =>
      branchAndBound(SearchSpace.of(program), this.#incumbent, open, {
        ...{ gap, maxNodes: Number.POSITIVE_INFINITY, shouldStop },
      }),
    );
    this.#nodes += result.nodes;
    const best = this.#incumbent.value;
    const claim = result.bound !== null && best !== null && best.compare(result.bound) < 0 ? best : result.bound;
    if (claim !== null || (result.complete && best === null)) this.#add({ claim, steps: result.steps });
  }

  /** The gap is closed, it is known that there is no placement, or time is up. */
  #isSettled(): boolean {
    if (this.#work.ask() || this.#best.isInfeasible) return true;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    return cutoff !== null && this.#bound.compare(cutoff) >= 0;
  }

  #conclude(): PlacementSolution {
    this.#report("proof");
    this.#claimValue();
    const { recover } = this.#direct;
    const { point } = this.#incumbent;
    const { certificate } = this.#best;
    const started = this.#budget.secondsUsed;
    const verdict = this.#best.verdict(point, this.#options.gap);
    const ended = this.#budget.secondsUsed;
    const proveSeconds = this.#best.milliseconds / 1000 + ended - started;
    return {
      direct: this.#direct,
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

  /**
   * Searches stop at the gap that was asked for, and bounds in doubles are lowered by a hair: what they leave often proves
   * that the value itself is the optimum.
   */
  #claimValue(): void {
    const claim = this.#incumbent.value;
    const { certificate } = this.#best;
    const cutoff = this.#incumbent.cutoff(this.#options.gap);
    if (claim === null || cutoff === null || certificate === null || this.#best.isInfeasible) return;
    if (this.#bound.compare(cutoff) < 0 && relativeGap(claim, this.#bound).compare(HAIR) > 0) return;
    if (this.#claimed?.certificate === certificate && this.#claimed.value.equals(claim)) return;
    this.#claimed = { certificate, value: claim };
    this.#best.offer({ claim, steps: certificate.steps });
  }

  #report(phase: PlacementProgress["phase"]): void {
    this.#options.onProgress?.({
      phase,
      nodes: this.#nodes,
      openNodes: 0,
      incumbent: this.#incumbent.value,
      bound: this.#best.certificate === null || this.#best.isInfeasible ? null : this.#bound,
    });
  }
}
