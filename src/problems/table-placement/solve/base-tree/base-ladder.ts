import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { type DecisionOptions, LimitDecision } from "./base-search.js";

/** What the ladder came to last. */
export type LadderAnswer =
  | { readonly kind: "bound"; readonly proof: BoundProof }
  | { readonly kind: "found"; readonly placement: Placement };

/** Units that a decision gets before the other one does, at first, and by how much that grows. */
const FIRST_SLICE = 500;
const GROWTH = 1.5;

/** "Below the best placement" begins below it by this part, so that sums of doubles tell the two apart. */
const JUST_BELOW = 3e-10;

/** A placement that is known to be within this part of the best may well be the best: then it is asked about itself. */
const NEAR = 0.02;

/** Below this part of the gap a limit is not worth asking about. */
const LEAST_PART = 0.02;

/**
 * Decisions at two limits in turn, each gone on with where it was left: just below the best placement, which either
 * proves it or finds a better one, and at a part of the way there from the best bound, which lifts the bound meanwhile.
 */
export class BaseLadder {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #options: DecisionOptions;
  #top: LimitDecision | null = null;
  #middle: LimitDecision | null = null;
  /** The value below which there is no use in asking: the tree got stuck there. */
  #stuckAt: number | null = null;
  /** How far from the bound to the placement the lower limit is. */
  #part = 0.5;
  #slice = FIRST_SLICE;
  #isTopNext = true;
  #hasModel: boolean;
  nodes = 0;

  constructor(problem: PlacementProblem, direct: DirectProgram, options: DecisionOptions) {
    this.#problem = problem;
    this.#direct = direct;
    this.#options = options;
    this.#hasModel = direct.structure.bases.length > 0;
  }

  /** Whether there is anything left to ask, between a bound and a placement of a value. */
  applies(bound: number, value: number): boolean {
    return this.#hasModel && value > 0 && bound < value * (1 - JUST_BELOW) && this.#part >= LEAST_PART;
  }

  /** Goes on until something better is known, or it is told to stop: then `null`. */
  async step(bound: number, value: number, shouldStop: ShouldStop): Promise<LadderAnswer | null> {
    while (this.applies(bound, value) && !shouldStop()) {
      const isNear = value - bound <= NEAR * value;
      const isTop = this.#isTopNext && isNear && this.#stuckAt !== value;
      this.#isTopNext = !isTop;
      const decision = isTop ? await this.#topAt(value) : await this.#middleAt(bound, value);
      if (decision === null) {
        this.#hasModel = false;
        return null;
      }
      if (!(decision instanceof LimitDecision)) return { kind: "bound", proof: decision };
      const own = this.#options.work.slice(this.#slice);
      const before = decision.nodes;
      const answer = decision.run((units) => own(units) || shouldStop());
      this.nodes += decision.nodes - before;
      if (answer.kind === "stopped") {
        // Not by its own slice: there is no time to check a longer proof.
        if (!own()) return null;
        if (!isTop) this.#slice *= GROWTH;
        continue;
      }
      this.#drop(isTop);
      if (answer.kind === "found") return answer;
      if (answer.kind === "refuted") {
        if (!isTop) this.#part = Math.min(0.5, 2 * this.#part);
        return { kind: "bound", proof: answer.proof };
      }
      if (isTop) this.#stuckAt = value;
      else this.#part /= 2;
    }
    return null;
  }

  /** Asks nothing more. */
  giveUp(): void {
    this.#hasModel = false;
  }

  dispose(): void {
    this.#drop(true);
    this.#drop(false);
  }

  async #topAt(value: number): Promise<LimitDecision | BoundProof | null> {
    const claim = value * (1 - JUST_BELOW);
    if (this.#top !== null && this.#top.claim !== claim) this.#drop(true);
    if (this.#top !== null) return this.#top;
    const decision = await this.#open(claim);
    if (decision instanceof LimitDecision) this.#top = decision;
    return decision;
  }

  async #middleAt(bound: number, value: number): Promise<LimitDecision | BoundProof | null> {
    const { claim } = this.#middle ?? { claim: 0 };
    if (this.#middle !== null && (claim <= bound || claim >= value)) this.#drop(false);
    if (this.#middle !== null) return this.#middle;
    const decision = await this.#open(bound + this.#part * (value - bound));
    if (decision instanceof LimitDecision) this.#middle = decision;
    return decision;
  }

  #open(claim: number): Promise<LimitDecision | BoundProof | null> {
    return LimitDecision.open(this.#problem, this.#direct, claim, this.#options);
  }

  #drop(isTop: boolean): void {
    (isTop ? this.#top : this.#middle)?.dispose();
    if (isTop) this.#top = null;
    else this.#middle = null;
  }
}
