import type { SizeWindow } from "../../../program/grouping/grouping.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Group, groupOf } from "./clusters.js";
import { reducedCost, type SearchPrices, TripleMoves } from "./dual-values.js";

const MIN_GAIN = 1e-9;

/**
 * Descends from a group to one of less reduced cost, see {@link reducedCost}, that no item put in, left out or exchanged
 * makes better, by steepest descent. The reduced cost of what it ends with comes with it.
 */
export function descendGroup(
  numbers: DescentProblem,
  window: SizeWindow,
  prices: SearchPrices,
  start: readonly number[],
): { readonly group: Group; readonly reduced: number } {
  return new Descent(numbers, window, prices, start).run();
}

class Descent {
  readonly #numbers: DescentProblem;
  readonly #window: SizeWindow;
  readonly #all: SearchPrices;
  readonly #prices: Float64Array;
  /** `null` where no triple has a price. */
  readonly #moves: TripleMoves | null;
  readonly #isInside: Uint8Array;
  readonly #inside: number[] = [];
  readonly #outside: number[] = [];
  /** By item: Σ pairs with the group. */
  readonly #joined: Float64Array;
  #pairs = 0;
  #price = 0;
  #weight = 0;

  constructor(numbers: DescentProblem, window: SizeWindow, prices: SearchPrices, start: readonly number[]) {
    this.#numbers = numbers;
    this.#window = window;
    this.#all = prices;
    this.#prices = prices.items;
    this.#moves = prices.triples.length === 0 ? null : new TripleMoves(numbers.items, prices.triples);
    this.#isInside = new Uint8Array(numbers.items);
    this.#joined = new Float64Array(numbers.items);
    const members = new Set(start);
    for (let item = 0; item < numbers.items; item++) (members.has(item) ? this.#inside : this.#outside).push(item);
    for (const item of this.#inside) this.#account(item, 1);
  }

  run(): { readonly group: Group; readonly reduced: number } {
    while (this.#step());
    const group = groupOf(this.#numbers, this.#inside);
    return { group, reduced: reducedCost(group, this.#all) };
  }

  /** Makes the best move; `false` where none is an improvement. */
  #step(): boolean {
    const { share, pairs, items } = this.#numbers;
    const size = this.#inside.length;
    const moves = this.#moves;
    moves?.update(this.#isInside);
    const paid = moves?.paid ?? 0;
    const now = (share[size] as number) * this.#pairs - this.#price + paid;
    let best = now - MIN_GAIN * (1 + Math.abs(now));
    let [leaves, enters] = [-1, -1];
    const consider = (drop: number, add: number, sum: number, price: number, shareOf: number) => {
      const value = shareOf * sum - price;
      if (value >= best || !this.#isAdmitted(drop, add)) return;
      best = value;
      [leaves, enters] = [drop, add];
    };
    if (size < this.#window.most) {
      for (let b = 0; b < this.#outside.length; b++) {
        const j = this.#outside[b] as number;
        if (!this.#fits(0, j)) continue;
        const sum = this.#pairs + (this.#joined[j] as number);
        const price =
          this.#price + (this.#prices[j] as number) - paid - (moves === null ? 0 : (moves.enter[j] as number));
        consider(-1, b, sum, price, share[size + 1] as number);
      }
    }
    for (let a = 0; a < size; a++) {
      const i = this.#inside[a] as number;
      const without = this.#pairs - (this.#joined[i] as number);
      const refund = moves === null ? 0 : (moves.leave[i] as number);
      const price = this.#price - (this.#prices[i] as number) - paid + refund;
      if (size > this.#window.least) consider(a, -1, without, price, share[size - 1] as number);
      const row = i * items;
      for (let b = 0; b < this.#outside.length; b++) {
        const j = this.#outside[b] as number;
        const sum = without + (this.#joined[j] as number) - (pairs[row + j] as number);
        let value = (share[size] as number) * sum - price - (this.#prices[j] as number);
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

  #weightOf(item: number): number {
    return this.#numbers.load === null ? 0 : (this.#numbers.load.weights[item] as number);
  }

  /** Whether an item has room when so much weight leaves. */
  #fits(leaving: number, entering: number): boolean {
    const { load } = this.#numbers;
    return load === null || this.#weight - leaving + this.#weightOf(entering) <= load.most;
  }

  /** Whether the group is within its further limits once one inside has left and one outside has entered, by place; −1: none. */
  #isAdmitted(leaves: number, enters: number): boolean {
    const { admits } = this.#numbers;
    if (admits === undefined) return true;
    const after = this.#inside.filter((_, a) => a !== leaves);
    return admits(enters === -1 ? after : [...after, this.#outside[enters] as number]);
  }

  /** Puts an item in (1) or takes it out (−1). */
  #account(item: number, sign: 1 | -1): void {
    const { items, pairs } = this.#numbers;
    this.#isInside[item] = sign === 1 ? 1 : 0;
    // Leaving, an item takes its pairs with what is left: its pair with itself is zero.
    this.#pairs += sign * (this.#joined[item] as number);
    this.#price += sign * (this.#prices[item] as number);
    this.#weight += sign * this.#weightOf(item);
    const row = item * items;
    for (let other = 0; other < items; other++) {
      this.#joined[other] = (this.#joined[other] as number) + sign * (pairs[row + other] as number);
    }
  }
}
