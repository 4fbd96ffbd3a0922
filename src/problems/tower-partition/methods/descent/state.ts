import type { DescentProblem } from "./limits.js";

/**
 * A numbering under moves and swaps, with what each item has in common with each group: a change is valued in O(1) and made
 * in O(F).
 */
export class DescentState {
  readonly numbering: Int32Array;
  readonly sizes: Int32Array;
  /** The weight of each group; zeros where there is no load. */
  readonly loads: Float64Array;
  readonly #problem: DescentProblem;
  readonly #joined: Float64Array;
  /** By group: Σ pairs in it. */
  readonly #sums: Float64Array;
  /** How many groups have each size. */
  readonly #countOfSize: Int32Array;
  readonly #widest: { readonly least: number; readonly most: number };

  constructor(problem: DescentProblem, numbering: ArrayLike<number>) {
    const { items, groups, pairs, windows } = problem;
    this.#problem = problem;
    this.numbering = Int32Array.from(numbering);
    this.sizes = new Int32Array(groups);
    this.loads = new Float64Array(groups);
    this.#joined = new Float64Array(items * groups);
    this.#sums = new Float64Array(groups);
    this.#countOfSize = new Int32Array(items + 2);
    this.#widest = {
      least: Math.min(...windows.map(({ least }) => least)),
      most: Math.max(...windows.map(({ most }) => most)),
    };
    for (let i = 0; i < items; i++) {
      const group = this.numbering[i] as number;
      this.sizes[group] = (this.sizes[group] as number) + 1;
      this.loads[group] = (this.loads[group] as number) + this.weight(i);
      for (let j = 0; j < items; j++) {
        const at = i * groups + (this.numbering[j] as number);
        this.#joined[at] = (this.#joined[at] as number) + (pairs[i * items + j] as number);
      }
      this.#sums[group] = (this.#sums[group] as number) + (this.#joined[i * groups + group] as number) / 2;
    }
    for (const size of this.sizes) this.#countOfSize[size] = (this.#countOfSize[size] as number) + 1;
  }

  /** By item and group: Σ pair(item, j) over j in the group. F × T by rows. */
  get joined(): Readonly<Float64Array> {
    return this.#joined;
  }

  weight(item: number): number {
    return this.#problem.load === null ? 0 : (this.#problem.load.weights[item] as number);
  }

  /** By how much the value rises when an item goes to another group. */
  moveRise(item: number, to: number): number {
    const { groups, share } = this.#problem;
    const from = this.numbering[item] as number;
    const [rest, joins] = [this.#joined[item * groups + from] as number, this.#joined[item * groups + to] as number];
    const [left, taken] = [this.sizes[from] as number, this.sizes[to] as number];
    const [old, other] = [this.#sums[from] as number, this.#sums[to] as number];
    return (
      (old - rest) * (share[left - 1] as number) -
      old * (share[left] as number) +
      (other + joins) * (share[taken + 1] as number) -
      other * (share[taken] as number)
    );
  }

  /** By how much the value rises when two items of different groups change places. */
  swapRise(one: number, other: number): number {
    const { items, groups, pairs, share } = this.#problem;
    const a = this.numbering[one] as number;
    const b = this.numbering[other] as number;
    const pair = pairs[one * items + other] as number;
    const [atOne, atOther] = [one * groups, other * groups];
    const joined = this.#joined;
    return (
      ((joined[atOther + a] as number) - pair - (joined[atOne + a] as number)) *
        (share[this.sizes[a] as number] as number) +
      ((joined[atOne + b] as number) - pair - (joined[atOther + b] as number)) *
        (share[this.sizes[b] as number] as number)
    );
  }

  /** Whether sizes are within a window after one item goes from a group to another. */
  sizesAllow(from: number, to: number): boolean {
    const { windows } = this.#problem;
    const [left, taken] = [this.sizes[from] as number, this.sizes[to] as number];
    if (left - 1 < this.#widest.least || taken + 1 > this.#widest.most) return false;
    if (windows.length === 1) return true;
    this.#countSizes(left, taken, -1);
    this.#countSizes(left - 1, taken + 1, 1);
    let smallest = this.#widest.least;
    while (this.#countOfSize[smallest] === 0) smallest++;
    let largest = this.#widest.most;
    while (this.#countOfSize[largest] === 0) largest--;
    this.#countSizes(left - 1, taken + 1, -1);
    this.#countSizes(left, taken, 1);
    return windows.some(({ least, most }) => least <= smallest && largest <= most);
  }

  move(item: number, to: number): void {
    const from = this.numbering[item] as number;
    const [left, taken] = [this.sizes[from] as number, this.sizes[to] as number];
    this.#countSizes(left, taken, -1);
    this.#countSizes(left - 1, taken + 1, 1);
    this.#leave(item);
    this.#enter(item, to);
  }

  swap(one: number, other: number): void {
    const a = this.numbering[one] as number;
    const b = this.numbering[other] as number;
    this.#leave(one);
    this.#leave(other);
    this.#enter(one, b);
    this.#enter(other, a);
  }

  #leave(item: number): void {
    const from = this.numbering[item] as number;
    this.#account(item, from, -1);
    this.#sums[from] = (this.#sums[from] as number) - (this.#joined[item * this.#problem.groups + from] as number);
  }

  #enter(item: number, to: number): void {
    this.numbering[item] = to;
    this.#account(item, to, 1);
    this.#sums[to] = (this.#sums[to] as number) + (this.#joined[item * this.#problem.groups + to] as number);
  }

  #account(item: number, group: number, sign: 1 | -1): void {
    const { items, groups, pairs } = this.#problem;
    this.sizes[group] = (this.sizes[group] as number) + sign;
    this.loads[group] = (this.loads[group] as number) + sign * this.weight(item);
    for (let j = 0; j < items; j++) {
      const at = j * groups + group;
      this.#joined[at] = (this.#joined[at] as number) + sign * (pairs[item * items + j] as number);
    }
  }

  #countSizes(one: number, other: number, sign: 1 | -1): void {
    this.#countOfSize[one] = (this.#countOfSize[one] as number) + sign;
    this.#countOfSize[other] = (this.#countOfSize[other] as number) + sign;
  }
}
