import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { ShouldStop } from "../../../../search/work.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { type Begun, type Decision, type DecisionOptions, LimitDecision } from "./base-search.js";
import { Reach } from "./reach.js";

/** What the ladder came to last. */
export type LadderAnswer =
  | { readonly kind: "bound"; readonly proof: BoundProof }
  | { readonly kind: "found"; readonly placement: Placement }
  /** A better placement is known meanwhile. */
  | { readonly kind: "improved" };

/** Units that a decision gets before the other one does, at first, and by how much that grows. */
const FIRST_SLICE = 500;
const GROWTH = 1.5;

/** "Below the best placement" begins below it by this part, so that sums of doubles tell the two apart. */
export const JUST_BELOW = 3e-10;

/**
 * A placement that is known to be within this part of the best may well be the best: then it is asked about itself. Where memory
 * binds the best is found on the way sooner than by anything else.
 */
export const NEAR = 0.02;
const NEAR_IF_SCARCE = 0.15;

/** Below this part of the gap a limit is not worth asking about; relaxations alone take little. */
const LEAST_PART = 0.02;
const LEAST_RELAXED = 0.005;

/**
 * Where the bound is far from the placement: the part of the way at which the upper limit is, and the part of the way to that at
 * which the lower one is. Where memory binds higher limits take hardly longer, and what is closed there stays closed.
 */
const PARTS = { ample: { high: 0.5, low: 0.4 }, scarce: { high: 0.85, low: 0.8 } };

/** Units after which a lower limit is given up for one at this part of its way; twice as many each time. */
const PATIENCE = 1500;
const LOWER = { ample: 0.5, scarce: 0.85 };

/** And near the placement only after so many times what the highest limit refuted took. */
const NEAR_PATIENCE = 2;

/** Branching on options alone raises a relaxation without bases by little: it is for placements within this part of it. */
const NEAR_RELAXED = 0.005;

/** A relaxation without bases that takes more units than this is as good as not refuted. */
const LONG_RELAXATION = 2500;

/** A limit is jumped to where it takes up to this share of the units that are left, about; and gets so many times that. */
const IN_REACH = 0.5;
const JUMP = 2;

/**
 * And only where that is no more than so many times what the last lower limit has taken: such steps are sure to come to something,
 * though to ever less of what is left where the placement stays the same, so that a limit begun before may take longer.
 */
const DEAR = { fresh: 3, begun: 4 };

/** Checks take as much longer than was thought as the last one did, where that is so many times as long; less may be the machine. */
const FAR_DEARER = 2;

/** What was closed at a limit with so many units is not closed again at a lower one. */
const WORTH_COPYING = 1000;

/** Trees that are kept for that at a time, for the memory they take. */
const MAX_LEFT = 4;

export interface LadderOptions extends DecisionOptions {
  /** Units of work that are left in all. */
  readonly unitsLeft: () => number;
}

/** A bound that is not checked yet, and about what that takes. */
export interface Pending {
  readonly claim: number;
  readonly proof: BoundProof;
  readonly milliseconds: number;
}

/**
 * Decisions at two limits in turn, each gone on with where it was left. The upper one is just below the best placement,
 * and either proves it or finds a better one; while the bound is far from it, at a part of the way. The lower one is at a part
 * of that, and lifts the bound meanwhile; with ample memory it is alone mostly. Once what lower limits took says that the
 * placement itself is in reach of the work that is left, it is asked about alone.
 */
export class BaseLadder {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #options: LadderOptions;
  /** The upper limit's decision and the lower one's, where they are begun. */
  readonly #begun = new Map<boolean, LimitDecision>();
  /** The value below which there is no use in asking: the tree got stuck there. */
  #stuckAt: number | null = null;
  /** How far from the bound to the placement limits are, where they are not at it. */
  #part = 0.5;
  #slice = FIRST_SLICE;
  /** Units that a lower limit may take, and the part of its way that the next one is at. */
  #patience = PATIENCE;
  #fallen = 1;
  #isUpperNext = true;
  /** With ample memory a lower limit comes between two jumps: those find many placements, each hardly better, before they end. */
  #hasJumped = false;
  /** Units that the last lower limit took. */
  #lastLower = 0;
  #hasModel: boolean;
  /** Without bases to branch on, relaxations of limits between the two first: they do most of what there is to do. */
  #mayBranch: boolean;
  /** The placement's value at which they came to their end. */
  #relaxedAt: number | null = null;
  /** What the next of them begins with. */
  #relaxed: Begun | null = null;
  /** Trees that were left with nodes open: what they closed is closed at lower limits. */
  #left: readonly Begun[] = [];
  readonly #reach = new Reach();
  /** The best bounds of this turn, two at most, the better one last: it makes the check of the other needless, unless it is refused. */
  #pending: Pending[] = [];
  /** How many times as long as was thought a check has taken. */
  #dearer = 1;
  nodes = 0;

  constructor(problem: PlacementProblem, direct: DirectProgram, options: LadderOptions) {
    this.#problem = problem;
    this.#direct = direct;
    this.#options = {
      ...options,
      affordsChecking: (milliseconds) => options.affordsChecking(this.#dearer * milliseconds),
    };
    this.#hasModel = direct.structure.bases.length > 0;
    this.#mayBranch = direct.structure.bases.some(({ switches }) => switches.length > 0);
  }

  /** Whether there is anything left to ask, between a bound and a placement of a value. */
  applies(bound: number, value: number): boolean {
    return (
      this.#hasModel &&
      value > 0 &&
      bound < value * (1 - JUST_BELOW) &&
      this.#part >= (this.#mayBranch ? LEAST_PART : LEAST_RELAXED)
    );
  }

  /** Whether relaxations alone have more to give. */
  get isRelaxing(): boolean {
    return this.#hasModel && !this.#mayBranch;
  }

  /** Whether they have come to their end, and at a placement of this value. */
  get hasEnded(): boolean {
    return this.#relaxedAt !== null;
  }

  hasEndedAt(value: number | undefined): boolean {
    return this.#relaxedAt === value;
  }

  /**
   * Goes on until something better is known, or it is told to stop: then `null`, and {@link told} has the bound. Where
   * HiGHS ends, it asks nothing more.
   */
  async step(bound: number, value: number, shouldStop: ShouldStop): Promise<LadderAnswer | null> {
    try {
      return await this.#step(bound, value, shouldStop);
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.giveUp();
      return null;
    }
  }

  /** The best bound of this turn that was not told yet; `null` where there is none. */
  told(): Pending | null {
    return this.#pending.pop() ?? null;
  }

  /** The bound told was looked at, which took so long; accepted, it makes the others needless. */
  learnCheck({ milliseconds: thought }: Pending, milliseconds: number, isAccepted: boolean): void {
    this.#dearer = milliseconds > FAR_DEARER * thought ? milliseconds / thought : 1;
    if (isAccepted) this.#pending = [];
  }

  async #step(known: number, value: number, shouldStop: ShouldStop): Promise<LadderAnswer | null> {
    for (;;) {
      const bound = Math.max(known, this.#pending.at(-1)?.claim ?? 0);
      if (!this.applies(bound, value) || !this.#affordsPending()) return null;
      const isNear = !this.#mayBranch || value - bound <= (this.#options.memoryBinds ? NEAR_IF_SCARCE : NEAR) * value;
      const isAsked = this.#mayBranch && isNear && this.#stuckAt !== value;
      const top = value * (1 - JUST_BELOW);
      const jump = isAsked && !this.#hasJumped ? this.#jumpTo(top) : null;
      // What is in reach does not wait for another turn, and ends where all work does.
      if (jump === null ? shouldStop() : this.#options.work.ask()) return null;
      this.#hasJumped = jump !== null && !this.#options.memoryBinds;
      const isUpper = jump !== null || (this.#isUpperNext && this.#asksAbove(isNear, isAsked));
      this.#isUpperNext = !isUpper;
      const isTop = isUpper && isNear;
      const decision = await (isTop ? this.#topAt(value) : this.#between(isUpper, isNear, bound, value));
      if (decision === null) {
        this.#hasModel = false;
        return null;
      }
      if (!(decision instanceof LimitDecision)) return { kind: "bound", proof: decision };
      const own = jump ?? this.#options.work.slice(this.#slice);
      const answer = await this.#run(decision, own, jump === null ? shouldStop : () => false);
      if (!isUpper) this.#lastLower = decision.units;
      if (answer.kind === "stopped") {
        if (isTop) this.#reach.learnOpen(top, decision.units);
        // Not by its own slice: there is no time to check a longer proof.
        if (!own()) return null;
        if (!isUpper) {
          this.#slice *= GROWTH;
          if (!isNear || this.#isLongNear(decision.units)) this.#tire(decision.units);
          if (!this.#mayBranch && decision.units > LONG_RELAXATION) {
            this.#drop(false);
            this.#lowerPart(value, bound);
          }
        }
        continue;
      }
      if (answer.kind === "improved") return { kind: "improved" };
      // What was closed is closed below the placement found as well.
      if (answer.kind === "found") return answer;
      if (answer.kind === "stuck") this.#leave(isUpper);
      else this.#drop(isUpper);
      if (answer.kind === "refuted") {
        if (!isTop) this.#part = Math.min(0.5, 2 * this.#part);
        if (!isUpper) [this.#patience, this.#fallen] = [PATIENCE, 1];
        this.#reach.learn(decision.claim, decision.unitsFor(top));
        const refuted = { claim: decision.claim, proof: answer.proof, milliseconds: decision.checking };
        this.#pending = [...this.#pending.slice(-1), refuted];
      } else if (isTop) this.#stuckAt = value;
      else this.#lowerPart(value, bound);
    }
  }

  /**
   * Whether the upper limit has its turn. With ample memory placements come from the search beside, and lower limits say
   * when the best one is in reach: it is asked about before only while they have said nothing.
   */
  #asksAbove(isNear: boolean, isAsked: boolean): boolean {
    const { memoryBinds } = this.#options;
    return isNear ? isAsked && (memoryBinds || !this.#reach.hasDecided) : memoryBinds;
  }

  /** A lower limit is next; where no relaxation comes nearer, a tree, unless it is far: branching on options alone does not get there. */
  #lowerPart(value: number, bound: number): void {
    this.#part /= 2;
    if (this.#mayBranch || this.#part >= LEAST_RELAXED) return;
    [this.#mayBranch, this.#relaxedAt, this.#part] = [true, value, 0.5];
    if (value - bound > NEAR_RELAXED * value) this.giveUp();
  }

  /** Whether a lower limit near the placement takes long: where memory binds the next one would be nearly the same. */
  #isLongNear(units: number): boolean {
    return !this.#options.memoryBinds && units > NEAR_PATIENCE * this.#reach.lastUnits;
  }

  /**
   * A limit that takes long is given up for a lower one: where memory binds some trees take many times as long as others of nearly
   * the same limit, and otherwise a bound in hand is worth more than a better one that may not come.
   */
  #tire(units: number): void {
    if (!this.#mayBranch || units <= this.#patience) return;
    this.#leave(false);
    this.#patience *= 2;
    this.#fallen *= this.#options.memoryBinds ? LOWER.scarce : LOWER.ample;
  }

  /** The work that a limit gets which is in reach; `null`: it is not. */
  #jumpTo(claim: number): ShouldStop | null {
    const units = this.#reach.units(claim);
    const dear = this.#reach.hasBegun(claim) ? DEAR.begun : DEAR.fresh;
    if (units === null || units > IN_REACH * this.#options.unitsLeft() || units > dear * this.#lastLower) return null;
    return this.#options.work.slice(JUMP * units);
  }

  async #run(decision: LimitDecision, own: ShouldStop, shouldStop: ShouldStop): Promise<Decision> {
    const before = decision.nodes;
    const answer = await decision.run((units) => own(units) || shouldStop() || !this.#affordsPending());
    this.nodes += decision.nodes - before;
    return answer;
  }

  #affordsPending(): boolean {
    const last = this.#pending.at(-1);
    return last === undefined || this.#options.affordsChecking(last.milliseconds);
  }

  /** Relaxations alone would not come to their end, nor would trees: as if they had, at a placement of this value. */
  endRelaxing(value: number): void {
    if (!this.isRelaxing) return;
    [this.#mayBranch, this.#relaxedAt] = [true, value];
    this.giveUp();
  }

  /** Asks nothing more. */
  giveUp(): void {
    this.#hasModel = false;
  }

  /** Lets go of what is open; the next step begins anew. */
  dispose(): void {
    this.#drop(true);
    this.#drop(false);
    this.#left = [];
  }

  async #topAt(value: number): Promise<LimitDecision | BoundProof | null> {
    const claim = value * (1 - JUST_BELOW);
    const known = this.#begun.get(true);
    if (known?.claim === claim) return known;
    this.#leave(true);
    return this.#open(true, claim);
  }

  /** The decision at hand between bound and placement, or a new one. */
  async #between(
    isUpper: boolean,
    isNear: boolean,
    bound: number,
    value: number,
  ): Promise<LimitDecision | BoundProof | null> {
    const known = this.#begun.get(isUpper);
    if (known !== undefined && bound < known.claim && known.claim < value) return known;
    this.#leave(isUpper);
    const { high, low } = this.#options.memoryBinds ? PARTS.scarce : PARTS.ample;
    const whole = isNear ? this.#part : 2 * this.#part * high * (isUpper ? 1 : low);
    const part = isUpper ? whole : whole * this.#fallen;
    return this.#open(isUpper, bound + part * (value - bound));
  }

  async #open(isUpper: boolean, claim: number): Promise<LimitDecision | BoundProof | null> {
    const begun = this.#closedAbove(claim) ?? this.#relaxed;
    const options = { ...this.#options, mayBranch: this.#mayBranch };
    const decision = await LimitDecision.open(this.#problem, this.#direct, claim, options, begun);
    if (!(decision instanceof LimitDecision)) return decision;
    this.#begun.set(isUpper, decision);
    return decision;
  }

  /** The tree at a higher limit that most work went into, where that is worth it. */
  #closedAbove(claim: number): Begun | null {
    const trees = [...this.#left, this.#begun.get(true)?.begun() ?? []]
      .flat()
      .filter((tree) => tree.claim > claim && tree.units >= WORTH_COPYING);
    return trees.reduce<Begun | null>((most, tree) => (tree.units > (most?.units ?? 0) ? tree : most), null);
  }

  /** Lets go of a decision that is open; lower limits may begin with its tree. */
  #leave(isUpper: boolean): void {
    const decision = this.#begun.get(isUpper);
    if (decision !== undefined && this.#mayBranch) this.#left = [...this.#left, decision.begun()].slice(-MAX_LEFT);
    this.#drop(isUpper);
  }

  #drop(isUpper: boolean): void {
    const decision = this.#begun.get(isUpper);
    this.#relaxed = this.#mayBranch ? null : (decision?.relaxed() ?? this.#relaxed);
    decision?.dispose();
    this.#begun.delete(isUpper);
  }
}
