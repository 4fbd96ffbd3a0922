import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Rational } from "../../../../exact/rational.js";
import { type Grouping, pairIndex } from "../../../../program/grouping/grouping.js";
import { type ElementPair, type GroupingNode, unitsOf } from "../../../../proof/kernel/grouping/node.js";
import {
  leftBySemidefinite,
  type SemidefiniteBound,
  type SemidefiniteStep,
  semidefiniteBound,
  settledPairs,
} from "../../../../proof/kernel/grouping/semidefinite.js";
import { UNITS, type Work } from "../../../../search/work.js";
import { keyOf, pricedCut } from "./cut.js";
import { DualAscent, type Multipliers } from "./dual-ascent.js";
import { type Relaxation, relaxationOf } from "./relaxation.js";
import { roundedStep, zeroStep } from "./rounded-step.js";
import { violatedCuts, violatedTriangles } from "./separate.js";

export interface SemidefiniteRequest {
  readonly work: Work;
  readonly seed: number;
  /** The least value that is known: nothing is left to prove once there is nothing below it. */
  readonly incumbent: () => Rational | null;
  /** A bound that is enough; default: the incumbent. */
  readonly target?: Rational;
  /** What was reached of a node that this one is a part of: where it begins. */
  readonly parent?: Continuation;
  /** Asked with the units of work that are kept for the checker. */
  readonly shouldStop?: (checking: number) => boolean;
  /** Told of better bounds, in doubles and not yet checked. */
  readonly onProgress?: (bound: number) => void;
}

/** What the children of a node begin with. */
export interface Continuation {
  readonly ascent: DualAscent;
  /** The pair that the node is best branched on, by the relaxation's matrix; `null` where all pairs are settled. */
  readonly pair: ElementPair | null;
}

/** What was proved of a node. */
export interface SemidefiniteProof {
  /** The step proves that no labeling of the node has a value below this, or below any lesser claim. */
  readonly bound: Rational;
  readonly step: SemidefiniteStep;
  /**
   * What the step leaves open where the incumbent is claimed, with the pairs apart that nothing better has in one
   * cluster; the node itself where it decides nothing or there is no incumbent, `null` where nothing is left. Steps
   * that close it may follow.
   */
  readonly left: GroupingNode | null;
  /** What the checker makes of the step: what it leaves open where something else is claimed follows from it. */
  readonly proved: SemidefiniteBound;
  /** Units of work that the checker takes. */
  readonly checking: number;
  readonly continuation: Continuation;
}

/** Iterations between rounds of cuts, at least and at most. */
const LEAST = 25;
const MAX = 500;
/** Residuals at which cuts are added, and at which more iterations without cuts bring nothing. */
const SETTLED = 3e-4;
const EXACT = 1e-8;
/** Iterations until a first bound is noted. */
const FIRST = 20;
/**
 * Cuts violated by less are let be, at first and at last: half of it where a round finds fewer than one for two
 * elements. Of the others so many are added in a round, for each element.
 */
const TOLERANCE = 0.02;
const FINEST = 1e-3;
const TRIANGLES = 3;
const CUTS = 3;
/** Descents for each floor and round; the values of floor that are tried. */
const STARTS = 200;
const FLOORS = [0, 1, 2];
/** Cuts are dropped when they have had no price for so many rounds. */
const IDLE = 2;
/** It ends after so many rounds that have raised the bound by less than this part of it. */
const ROUNDS = 15;
const RISE = 2e-5;
/** A bound so close to what is wanted is looked at exactly, and again when only so much of what was missing is. */
const CLOSE = 2e-3;
const CLOSER = 0.7;
/**
 * A node that is so close to what is wanted is branched rather when, at the pace of the last rounds, it would take so
 * many more; of nodes of a tree, and of their root.
 */
const PACE = 4;
const NODE_ROUNDS = 10;
const ROOT_ROUNDS = 40;
/** What is worth branching lacks at most such a part of what is wanted. */
export const BRANCHED = 0.02;
/** Units of work that are kept for putting the certificate into integers and checking it, for n³ = 10⁶. */
const RESERVE = 300;

/**
 * The best bound that the semidefinite relaxation gives for the labelings of a node, with its step of a certificate;
 * better the more time there is. It ends early when the incumbent is proved optimal, when the target is reached or when
 * cuts no longer raise the bound. `null` where no sizes fit.
 *
 * Bounds of the search are doubles; what is returned is what the checker makes of the step.
 */
export function semidefiniteProof(
  grouping: Grouping,
  node: GroupingNode,
  request: SemidefiniteRequest,
): SemidefiniteProof | null {
  const relaxation = relaxationOf(grouping, node);
  return relaxation === null ? null : new Search(grouping, node, relaxation, request).run();
}

interface CheckedStep {
  readonly step: SemidefiniteStep;
  readonly proved: SemidefiniteBound;
  readonly checking: number;
}

class Search {
  readonly #grouping: Grouping;
  readonly #node: GroupingNode;
  readonly #relaxation: Relaxation;
  readonly #request: SemidefiniteRequest;
  readonly #ascent: DualAscent;
  /** No labeling has a greater value. */
  readonly #most: number;
  /** The best so far, in the relaxation's units. */
  #best = Number.NEGATIVE_INFINITY;
  #multipliers: Multipliers | null = null;
  /** What was missing when it was last looked at exactly. */
  #looked = Number.POSITIVE_INFINITY;
  #tolerance = TOLERANCE;
  #proof: CheckedStep | null = null;

  constructor(grouping: Grouping, node: GroupingNode, relaxation: Relaxation, request: SemidefiniteRequest) {
    this.#grouping = grouping;
    this.#node = node;
    this.#relaxation = relaxation;
    this.#request = request;
    this.#ascent = new DualAscent(relaxation, request.parent?.ascent);
    this.#most = grouping.pairs.reduce((sum, pair) => sum + 2 * pair.toNumber(), 0);
  }

  run(): SemidefiniteProof | null {
    const random = seededRandom(this.#request.seed);
    if (this.#request.parent === undefined) this.#keep(zeroStep(this.#relaxation));
    this.#settle(FIRST, 0, FIRST);
    const bounds: number[] = [];
    let [stale, last] = [0, Number.NEGATIVE_INFINITY];
    while (!this.#isLate() && stale < ROUNDS) {
      this.#settle(LEAST, SETTLED, MAX);
      if (this.#isEnough()) break;
      bounds.push(this.#best);
      if (this.#isTooSlow(bounds)) break;
      stale = this.#best - last > RISE * Math.abs(last) ? 0 : stale + 1;
      last = Math.max(last, this.#best);
      if (this.#addCuts(random) > 0) continue;
      // Without cuts to add there is only precision to be had.
      if (this.#ascent.residual < EXACT) break;
      this.#settle(LEAST, EXACT, MAX);
      if (this.#isEnough()) break;
    }
    return this.#answer();
  }

  /** Iterates until the residual is below a tolerance, at least and at most so often, and notes the bound there. */
  #settle(least: number, tolerance: number, most: number): void {
    for (let k = 0; k < most && !this.#isLate(); k++) {
      if (k >= least && this.#ascent.residual < tolerance) break;
      this.#ascent.iterate();
      this.#request.work.spend(this.#relaxation.elements ** 3 * UNITS.matrix);
    }
    const estimate = this.#ascent.estimate();
    if (!(estimate > this.#best)) return;
    this.#best = estimate;
    this.#multipliers = this.#ascent.multipliers();
    this.#request.onProgress?.(estimate * this.#relaxation.unit);
  }

  get #reserve(): number {
    return RESERVE * (this.#relaxation.elements / 100) ** 3;
  }

  #isLate(): boolean {
    return this.#request.shouldStop?.(this.#reserve) === true;
  }

  /** Whether what is proved is as good as is wanted. The checker is only asked where the estimate is close to that. */
  #isEnough(): boolean {
    // More than all pairs together: the node is empty, and the dual without end.
    if (this.#best * this.#relaxation.unit > this.#most) return true;
    const incumbent = this.#request.incumbent();
    const target = this.#target;
    if (target === null) return false;
    const missing = target.toNumber() - this.#best * this.#relaxation.unit;
    if (missing > CLOSE * Math.abs(target.toNumber()) || missing > CLOSER * this.#looked) return false;
    this.#looked = Math.max(0, missing);
    this.#prove();
    if (this.#proof === null) return false;
    if ((this.#proof.proved.bound ?? target).compare(target) >= 0) return true;
    return incumbent !== null && this.#leftBelow(this.#proof, incumbent) === null;
  }

  /**
   * Whether branching is better than more rounds: too many would be needed for what is left, at the pace of the last.
   */
  #isTooSlow(bounds: readonly number[]): boolean {
    const earlier = bounds.at(-1 - PACE);
    const missing = this.#missing;
    if (earlier === undefined || missing > BRANCHED) return false;
    const rise = (this.#best - earlier) / this.#best / PACE;
    return missing > rise * (this.#request.parent === undefined ? ROOT_ROUNDS : NODE_ROUNDS);
  }

  /** The part of the target that the best bound lacks; 0 where there is no target. */
  get #missing(): number {
    const target = this.#target?.toNumber();
    return target === undefined ? 0 : 1 - (this.#best * this.#relaxation.unit) / target;
  }

  get #target(): Rational | null {
    return this.#request.target ?? this.#request.incumbent();
  }

  #leftBelow({ proved }: CheckedStep, claim: Rational): GroupingNode | null {
    return leftBySemidefinite(this.#grouping, this.#node, proved, claim);
  }

  /** Takes the best multipliers to the checker, if that has not been done. */
  #prove(): void {
    if (this.#multipliers === null) return;
    const step = roundedStep(this.#relaxation, this.#multipliers);
    this.#multipliers = null;
    if (step !== null) this.#keep(step);
  }

  /** Has a step checked, and keeps it if it is better than what there is. */
  #keep(step: SemidefiniteStep): void {
    const proved = semidefiniteBound(this.#grouping, this.#node, step);
    const checking = this.#reserve;
    this.#request.work.spend(checking);
    const known = this.#proof?.proved.bound ?? null;
    if (proved.bound !== null && (known === null || proved.bound.compare(known) > 0))
      this.#proof = { proved, step, checking };
  }

  #answer(): SemidefiniteProof | null {
    this.#prove();
    const bound = this.#proof?.proved.bound ?? null;
    if (this.#proof === null || bound === null) return null;
    const incumbent = this.#request.incumbent();
    const left = incumbent === null ? this.#node : this.#leftBelow(this.#proof, incumbent);
    const isBetter = incumbent !== null && left === null && incumbent.compare(bound) > 0;
    const pair = left === null ? null : branchingPair(this.#ascent.matrix(), this.#relaxation.elements, left);
    const continuation = { ascent: this.#ascent, pair };
    return { bound: isBetter ? incumbent : bound, left, ...this.#proof, continuation };
  }

  /** Drops cuts that have long had no price, adds violated ones; how many. */
  #addCuts(random: Random): number {
    const ascent = this.#ascent;
    const kept = ascent.cuts.filter((entry) => {
      entry.idle = entry.dual > 0 ? 0 : entry.idle + 1;
      return entry.idle < IDLE;
    });
    const matrix = ascent.matrix();
    const { elements } = this.#relaxation;
    this.#request.work.spend(FLOORS.length * STARTS * elements ** 2 * UNITS.pair);
    const known = new Set(kept.map(({ cut }) => keyOf(cut)));
    const found = [
      ...violatedTriangles(matrix, this.#relaxation, this.#tolerance / 2, TRIANGLES * elements),
      ...violatedCuts(matrix, this.#relaxation, random, {
        ...{ floors: FLOORS, starts: STARTS, tolerance: this.#tolerance, limit: CUTS * elements },
      }),
    ];
    const added = found.filter(({ cut }) => !known.has(keyOf(cut)) && known.add(keyOf(cut)));
    ascent.cuts = [...kept, ...added.map(({ cut }) => pricedCut(cut, this.#relaxation))];
    if (2 * added.length < elements) this.#tolerance = Math.max(FINEST, this.#tolerance / 2);
    return added.length;
  }
}

/** Pairs of which the matrix says less, or more, are left alone: one of the children would be as the node itself. */
const UNSURE = { least: 0.15, most: 0.85 };

/**
 * The pair to branch a node on, by a matrix M of its relaxation, F × F by rows: of those that M neither joins nor
 * parts, the one whose rows of M are furthest apart, Σ_k (M_ik − M_jk)². Joining these changes M most. Where M is sure
 * of all, the pair that it is least sure of; `null` where the node settles all pairs.
 */
export function branchingPair(matrix: Float64Array, elements: number, node: GroupingNode): ElementPair | null {
  const settled = settledPairs(unitsOf(elements, node));
  let best: ElementPair | null = null;
  let [isOpen, most] = [false, Number.NEGATIVE_INFINITY];
  for (let j = 0; j < elements; j++) {
    for (let i = 0; i < j; i++) {
      if (settled.has(pairIndex(i, j))) continue;
      const share = matrix[i * elements + j] as number;
      const isUnsure = share >= UNSURE.least && share <= UNSURE.most;
      if (isOpen && !isUnsure) continue;
      const worth = isUnsure ? rowDistance(matrix, elements, i, j) : share * (1 - share);
      if (isUnsure === isOpen && worth <= most) continue;
      [best, isOpen, most] = [[i, j], isUnsure, worth];
    }
  }
  return best;
}

function rowDistance(matrix: Float64Array, elements: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < elements; k++) {
    sum += ((matrix[i * elements + k] as number) - (matrix[j * elements + k] as number)) ** 2;
  }
  return sum;
}
