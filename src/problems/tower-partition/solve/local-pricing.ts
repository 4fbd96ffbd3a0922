import type { SizeWindow } from "../../../program/grouping/grouping.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Cluster, clusterOf } from "./clusters.js";
import { reducedCost, type SearchDuals, SubsetRowMoves } from "./dual-values.js";

const MIN_GAIN = 1e-9;

/**
 * Descends from a cluster to one of less reduced cost, see {@link reducedCost}, that no element put in, left out or
 * exchanged makes better, by steepest descent. The reduced cost of what it ends with comes with it.
 */
export function descendCluster(
  numbers: DescentProblem,
  window: SizeWindow,
  duals: SearchDuals,
  start: readonly number[],
): { readonly cluster: Cluster; readonly reduced: number } {
  return new Descent(numbers, window, duals, start).run();
}

class Descent {
  readonly #numbers: DescentProblem;
  readonly #window: SizeWindow;
  readonly #all: SearchDuals;
  readonly #duals: Float64Array;
  /** `null` where no triple has a price. */
  readonly #moves: SubsetRowMoves | null;
  readonly #isInside: Uint8Array;
  readonly #inside: number[] = [];
  readonly #outside: number[] = [];
  /** By element: Σ pairs with the cluster. */
  readonly #joined: Float64Array;
  #pairs = 0;
  #dual = 0;
  #weight = 0;

  constructor(numbers: DescentProblem, window: SizeWindow, duals: SearchDuals, start: readonly number[]) {
    this.#numbers = numbers;
    this.#window = window;
    this.#all = duals;
    this.#duals = duals.elements;
    this.#moves = duals.sets.length === 0 ? null : new SubsetRowMoves(numbers.elements, duals.sets);
    this.#isInside = new Uint8Array(numbers.elements);
    this.#joined = new Float64Array(numbers.elements);
    const members = new Set(start);
    for (let element = 0; element < numbers.elements; element++)
      (members.has(element) ? this.#inside : this.#outside).push(element);
    for (const element of this.#inside) this.#account(element, 1);
  }

  run(): { readonly cluster: Cluster; readonly reduced: number } {
    while (this.#step());
    const cluster = clusterOf(this.#numbers, this.#inside);
    return { cluster, reduced: reducedCost(cluster, this.#all) };
  }

  /** Makes the best move; `false` where none is an improvement. */
  #step(): boolean {
    const { share, pairs, elements } = this.#numbers;
    const size = this.#inside.length;
    const moves = this.#moves;
    moves?.update(this.#isInside);
    const paid = moves?.paid ?? 0;
    const now = (share[size] as number) * this.#pairs - this.#dual + paid;
    let best = now - MIN_GAIN * (1 + Math.abs(now));
    let [leaves, enters] = [-1, -1];
    const consider = (drop: number, add: number, sum: number, dual: number, shareOf: number) => {
      const value = shareOf * sum - dual;
      if (value >= best || !this.#isAdmitted(drop, add)) return;
      best = value;
      [leaves, enters] = [drop, add];
    };
    if (size < this.#window.most) {
      for (let b = 0; b < this.#outside.length; b++) {
        const j = this.#outside[b] as number;
        if (!this.#fits(0, j)) continue;
        const sum = this.#pairs + (this.#joined[j] as number);
        const dual = this.#dual + (this.#duals[j] as number) - paid - (moves === null ? 0 : (moves.enter[j] as number));
        consider(-1, b, sum, dual, share[size + 1] as number);
      }
    }
    for (let a = 0; a < size; a++) {
      const i = this.#inside[a] as number;
      const without = this.#pairs - (this.#joined[i] as number);
      const refund = moves === null ? 0 : (moves.leave[i] as number);
      const dual = this.#dual - (this.#duals[i] as number) - paid + refund;
      if (size > this.#window.least) consider(a, -1, without, dual, share[size - 1] as number);
      const row = i * elements;
      for (let b = 0; b < this.#outside.length; b++) {
        const j = this.#outside[b] as number;
        const sum = without + (this.#joined[j] as number) - (pairs[row + j] as number);
        let value = (share[size] as number) * sum - dual - (this.#duals[j] as number);
        if (moves !== null) value += (moves.enter[j] as number) + (moves.both[row + j] as number);
        if (value < best && this.#fits(this.#weightOf(i), j) && this.#isAdmitted(a, b)) {
          best = value;
          [leaves, enters] = [a, b];
        }
      }
    }
    if (leaves === -1 && enters === -1) return false;
    const [leaving] = leaves === -1 ? [] : this.#inside.splice(leaves, 1);
    const [entering] = enters === -1 ? [] : this.#outside.splice(enters, 1);
    if (leaving !== undefined) {
      this.#account(leaving, -1);
      this.#outside.push(leaving);
    }
    if (entering !== undefined) {
      this.#account(entering, 1);
      this.#inside.push(entering);
    }
    return true;
  }

  #weightOf(element: number): number {
    return this.#numbers.load === null ? 0 : (this.#numbers.load.weights[element] as number);
  }

  /** Whether an element has room when so much weight leaves. */
  #fits(leaving: number, entering: number): boolean {
    const { load } = this.#numbers;
    return load === null || this.#weight - leaving + this.#weightOf(entering) <= load.most;
  }

  /**
   * Whether the cluster is within its further limits once one inside has left and one outside has entered, by place;
   * −1: none.
   */
  #isAdmitted(leaves: number, enters: number): boolean {
    const { admits } = this.#numbers;
    if (admits === undefined) return true;
    const after = this.#inside.filter((_, a) => a !== leaves);
    return admits(enters === -1 ? after : [...after, this.#outside[enters] as number]);
  }

  /** Puts an element in (1) or takes it out (−1). */
  #account(element: number, sign: 1 | -1): void {
    const { elements, pairs } = this.#numbers;
    this.#isInside[element] = sign === 1 ? 1 : 0;
    // Leaving, an element takes its pairs with what is left: its pair with itself is zero.
    this.#pairs += sign * (this.#joined[element] as number);
    this.#dual += sign * (this.#duals[element] as number);
    this.#weight += sign * this.#weightOf(element);
    const row = element * elements;
    for (let other = 0; other < elements; other++) {
      this.#joined[other] = (this.#joined[other] as number) + sign * (pairs[row + other] as number);
    }
  }
}
