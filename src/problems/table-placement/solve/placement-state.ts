import type { PlacementProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import { relativeGap } from "../../../proof/verdict.js";
import type { OpenRelaxation } from "../../../search/branch-and-bound/relaxation.js";
import { branchAndBound, type Progress } from "../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../search/branch-and-bound/space.js";
import { askSolver, offerClaim } from "../../../search/exact-milp/claims.js";
import { withRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import type { Anytime } from "../../../search/strategies.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { type ShouldStop, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { BestBound } from "./best-bound.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { type BoundedProgram, type Judge, KnownPlans } from "./known-plans.js";
import { PlacementIncumbent } from "./placement-incumbent.js";
import type { PlacementProgress, PlacementSolution, SolvePlacementOptions } from "./solve-options.js";

/** A gap that may be due to rounding alone. */
const HAIR = Rational.parse("1e-9");

/** The share of the work that is done before a gap is good enough: what is proved with little is proved to the end. */
const ENOUGH_SHARE = 0.1;

/** What of an allowance a gap may be that is good enough, and what it may be at most: goals after it would hardly notice. */
const ENOUGH = Rational.of(1n, 20n);
const MOST_ENOUGH = Rational.parse("5e-4");

/** How branch and bound goes, beside what the program says. */
export interface BranchHow {
  /** Rounds of cuts at the root; default: none. */
  readonly cutRounds?: number;
  readonly relaxation?: (open: OpenRelaxation) => OpenRelaxation;
  readonly onProgress?: (progress: Progress) => void;
}

/** What is known of a placement program in the end, and why. */
export type ProgramSolution = Omit<PlacementSolution, "direct" | "ceiling">;

/** Where a solve of a placement program stands, which strategies work on: the best placement, the best bound, and work done. */
export class PlacementState implements Anytime {
  readonly built: PlacementProgram;
  readonly options: SolvePlacementOptions;
  readonly budget: TimeBudget;
  readonly work: Work;
  /** Units of work that shares are of: those of the time limit that was asked for. */
  readonly all: number;
  readonly incumbent: PlacementIncumbent;
  readonly best: BestBound;
  readonly #plans: KnownPlans;
  nodes = 0;
  /** What had been done when this round began. */
  #effortBefore = -1;
  /** What was claimed of the value last. */
  #claimed: { readonly certificate: Certificate; readonly value: Rational } | null = null;

  /** `judge`: of what plans come to without the program; `budget`, `work`: begun before the program was built; default: begin now. */
  constructor(
    built: PlacementProgram,
    options: SolvePlacementOptions,
    judge: Judge,
    budget = budgetOf(options),
    work = new Work(budget.isOver, options.mostUnits),
  ) {
    this.built = built;
    this.options = options;
    this.budget = budget;
    this.work = work;
    this.all = unitsOf(options);
    this.#plans = new KnownPlans(judge, () => this.incumbent.placement);
    this.best = new BestBound(built, this.#plans, budget);
    this.incumbent = new PlacementIncumbent(built, this.#plans, options.isTaken);
  }

  /** The best bound proved so far. */
  get bound(): Rational {
    return this.best.value;
  }

  /** The other program that the best bound is of; `null` where it is of its own. */
  get provedOnOther(): BoundedProgram | null {
    return this.best.proved === this.built ? null : this.best.proved;
  }

  /** The value that closes the gap that was asked for. */
  get target(): number {
    return this.bound.multiply(Rational.one.add(this.options.gap)).toNumber();
  }

  beginRound(): void {
    this.#effortBefore = this.#effort;
  }

  /** Whether the round has done anything: one that has not is the last. */
  get hasProgressed(): boolean {
    return this.#effort > this.#effortBefore;
  }

  get #effort(): number {
    return this.work.done + this.nodes;
  }

  /** The gap is closed, or enough of it, it is known that there is no placement, or time is up. */
  isSettled(): boolean {
    if (this.work.ask() || this.best.isInfeasible || this.#isWithin(this.options.gap)) return true;
    const { allowed } = this.options;
    const isEnough = allowed !== undefined && this.work.done >= ENOUGH_SHARE * this.all;
    if (!isEnough) return false;
    const gap = allowed.multiply(ENOUGH);
    return this.#isWithin(gap.compare(MOST_ENOUGH) < 0 ? gap : MOST_ENOUGH);
  }

  /** Whether the gap is less than the goal may become worse: better placements are worth more then than trees. */
  get isWithinAllowance(): boolean {
    const { allowed } = this.options;
    return allowed !== undefined && this.#isWithin(allowed);
  }

  #isWithin(gap: Rational): boolean {
    const cutoff = this.incumbent.cutoff(gap);
    return this.best.certificate !== null && cutoff !== null && this.bound.compare(cutoff) >= 0;
  }

  /**
   * Branch and bound over the program's linear relaxation, from its root; `relaxation`: what is made of it. The milliseconds that
   * checking the bound was expected to take.
   */
  async branch(
    maxNodes: number,
    isSliceOver: ShouldStop,
    { relaxation = (open) => open, ...how }: BranchHow = {},
  ): Promise<number> {
    this.report("branch and bound");
    const { program, isPropagated: propagate = false } = this.built;
    const follows = this.built.follows === undefined ? {} : { follows: this.built.follows };
    const { gap } = this.options;
    const shouldStop = (checking = 0) => isSliceOver() || !this.budget.affordsChecking(checking);
    const result = await withRelaxation(program, isSliceOver, (open) =>
      branchAndBound(SearchSpace.of(program), this.incumbent, relaxation(open), {
        ...{ gap, maxNodes, shouldStop, propagate },
        ...{ ...follows, ...how },
      }),
    );
    this.nodes += result.nodes;
    const best = this.incumbent.value;
    const claim = result.bound !== null && best !== null && best.compare(result.bound) < 0 ? best : result.bound;
    if (claim !== null || (result.complete && best === null)) this.best.offer({ claim, steps: result.steps });
    return result.checking;
  }

  /** Has HiGHS look for a placement in a share of the work that is left; `space`: where, in place of the whole program. */
  async ask(share: number, space: SearchSpace | null = null): Promise<void> {
    const { program } = this.built;
    const units = share * Math.max(0, this.all - this.work.done);
    const limits = { units, timeLimitSeconds: this.budget.secondsLeft, seed: this.options.seed };
    const answer = await askSolver("highs", space?.openProgram() ?? program, limits, this.work);
    if (!("claim" in answer)) return;
    const { claim } = answer;
    if (space === null) await offerClaim(program, claim, this.incumbent, this.budget.isOver);
    else if (claim.point !== undefined) this.incumbent.offer(space.expand(claim.point));
  }

  add(proof: BoundProof): void {
    this.best.offer(proof);
  }

  /** A placement to begin from: programs that bounds are of must have it. */
  start(placement: Placement): void {
    this.#plans.add(placement);
    this.incumbent.offer(this.built.pointOf(placement));
  }

  report(phase: PlacementProgress["phase"]): void {
    this.options.onProgress?.({
      phase,
      nodes: this.nodes,
      openNodes: 0,
      incumbent: this.incumbent.value,
      bound: this.best.certificate === null || this.best.isInfeasible ? null : this.bound,
    });
  }

  /**
   * Searches stop at the gap that was asked for, and bounds in doubles are lowered by a hair: what they leave often
   * proves that the value itself is the optimum.
   */
  claimValue(): void {
    const claim = this.incumbent.value;
    const { certificate } = this.best;
    const cutoff = this.incumbent.cutoff(this.options.gap);
    if (claim === null || cutoff === null || certificate === null || this.best.isInfeasible) return;
    if (this.bound.compare(cutoff) < 0 && relativeGap(claim, this.bound).compare(HAIR) > 0) return;
    if (this.#claimed?.certificate === certificate && this.#claimed.value.equals(claim)) return;
    this.#claimed = { certificate, value: claim };
    this.best.offer({ claim, steps: certificate.steps }, this.best.proved);
  }

  concluded(): ProgramSolution {
    if (this.options.without?.has("value as bound") !== true) this.claimValue();
    this.report("proof");
    const { certificate } = this.best;
    const { point: found, placement } = this.incumbent;
    const proved = this.provedOnOther;
    const point = placement === null || proved === null ? found : proved.pointOf(placement);
    const started = this.budget.secondsUsed;
    const verdict = this.best.verdict(point, this.options.gap);
    const ended = this.budget.secondsUsed;
    const proveSeconds = this.best.milliseconds / 1000 + ended - started;
    return {
      verdict,
      certificate,
      placement,
      point,
      nodes: this.nodes,
      units: this.work.done,
      solveSeconds: ended - proveSeconds,
      proveSeconds,
    };
  }
}

/** Units of work that shares are of. */
export function unitsOf({ workSeconds, timeLimitSeconds }: SolvePlacementOptions): number {
  return UNITS_PER_SECOND * (workSeconds ?? timeLimitSeconds);
}

export function budgetOf({ timeLimitSeconds, shouldStop }: SolvePlacementOptions): TimeBudget {
  return new TimeBudget(timeLimitSeconds, shouldStop);
}
