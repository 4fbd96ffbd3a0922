import type { DescentProblem } from "./limits.js";

/**
 * A labeling under moves and swaps, with what each element has in common with each cluster: a change is valued in O(1)
 * and made in O(F).
 */
export class DescentState {
  readonly labels: Int32Array;
  readonly sizes: Int32Array;
  /** The weight of each cluster; zeros where there is no load. */
  readonly loads: Float64Array;
  readonly #problem: DescentProblem;
  readonly #joined: Float64Array;
  /** By cluster: Σ pairs in it. */
  readonly #sums: Float64Array;
  /** How many clusters have each size. */
  readonly #countOfSize: Int32Array;
  readonly #widest: { readonly least: number; readonly most: number };

  constructor(problem: DescentProblem, labels: ArrayLike<number>) {
    const { elements, clusters, pairs, windows } = problem;
    this.#problem = problem;
    this.labels = Int32Array.from(labels);
    this.sizes = new Int32Array(clusters);
    this.loads = new Float64Array(clusters);
    this.#joined = new Float64Array(elements * clusters);
    this.#sums = new Float64Array(clusters);
    this.#countOfSize = new Int32Array(elements + 2);
    this.#widest = {
      least: Math.min(...windows.map(({ least }) => least)),
      most: Math.max(...windows.map(({ most }) => most)),
    };
    for (let i = 0; i < elements; i++) {
      const cluster = this.labels[i] as number;
      this.sizes[cluster] = (this.sizes[cluster] as number) + 1;
      this.loads[cluster] = (this.loads[cluster] as number) + this.weight(i);
      for (let j = 0; j < elements; j++) {
        const at = i * clusters + (this.labels[j] as number);
        this.#joined[at] = (this.#joined[at] as number) + (pairs[i * elements + j] as number);
      }
      this.#sums[cluster] = (this.#sums[cluster] as number) + (this.#joined[i * clusters + cluster] as number) / 2;
    }
    for (const size of this.sizes) this.#countOfSize[size] = (this.#countOfSize[size] as number) + 1;
  }

  /** By element and cluster: Σ pair(element, j) over j in the cluster. F × T by rows. */
  get joined(): Readonly<Float64Array> {
    return this.#joined;
  }

  weight(element: number): number {
    return this.#problem.load === null ? 0 : (this.#problem.load.weights[element] as number);
  }

  /** Whether an element has room in another cluster. */
  fits(element: number, to: number): boolean {
    const { load } = this.#problem;
    return load === null || (this.loads[to] as number) + this.weight(element) <= load.most;
  }

  /** Whether two elements of different clusters have room in each other's. */
  fitSwapped(one: number, other: number): boolean {
    const { load } = this.#problem;
    if (load === null) return true;
    const more = this.weight(other) - this.weight(one);
    const [a, b] = [this.labels[one] as number, this.labels[other] as number];
    return (this.loads[a] as number) + more <= load.most && (this.loads[b] as number) - more <= load.most;
  }

  /** By how much the value rises when an element goes to another cluster. */
  moveRise(element: number, to: number): number {
    const { clusters, share } = this.#problem;
    const from = this.labels[element] as number;
    const [rest, joins] = [
      this.#joined[element * clusters + from] as number,
      this.#joined[element * clusters + to] as number,
    ];
    const [left, taken] = [this.sizes[from] as number, this.sizes[to] as number];
    const [old, other] = [this.#sums[from] as number, this.#sums[to] as number];
    return (
      (old - rest) * (share[left - 1] as number) -
      old * (share[left] as number) +
      (other + joins) * (share[taken + 1] as number) -
      other * (share[taken] as number)
    );
  }

  /** By how much the value rises when two elements of different clusters change places. */
  swapRise(one: number, other: number): number {
    const { elements, clusters, pairs, share } = this.#problem;
    const a = this.labels[one] as number;
    const b = this.labels[other] as number;
    const pair = pairs[one * elements + other] as number;
    const [atOne, atOther] = [one * clusters, other * clusters];
    const joined = this.#joined;
    return (
      ((joined[atOther + a] as number) - pair - (joined[atOne + a] as number)) *
        (share[this.sizes[a] as number] as number) +
      ((joined[atOne + b] as number) - pair - (joined[atOther + b] as number)) *
        (share[this.sizes[b] as number] as number)
    );
  }

  /** Whether sizes are within a window after one element goes from a cluster to another. */
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

  move(element: number, to: number): void {
    const from = this.labels[element] as number;
    const [left, taken] = [this.sizes[from] as number, this.sizes[to] as number];
    this.#countSizes(left, taken, -1);
    this.#countSizes(left - 1, taken + 1, 1);
    this.#leave(element);
    this.#enter(element, to);
  }

  swap(one: number, other: number): void {
    const a = this.labels[one] as number;
    const b = this.labels[other] as number;
    this.#leave(one);
    this.#leave(other);
    this.#enter(one, b);
    this.#enter(other, a);
  }

  #leave(element: number): void {
    const from = this.labels[element] as number;
    this.#account(element, from, -1);
    this.#sums[from] = (this.#sums[from] as number) - (this.#joined[element * this.#problem.clusters + from] as number);
  }

  #enter(element: number, to: number): void {
    this.labels[element] = to;
    this.#account(element, to, 1);
    this.#sums[to] = (this.#sums[to] as number) + (this.#joined[element * this.#problem.clusters + to] as number);
  }

  #account(element: number, cluster: number, sign: 1 | -1): void {
    const { elements, clusters, pairs } = this.#problem;
    this.sizes[cluster] = (this.sizes[cluster] as number) + sign;
    this.loads[cluster] = (this.loads[cluster] as number) + sign * this.weight(element);
    for (let j = 0; j < elements; j++) {
      const at = j * clusters + cluster;
      this.#joined[at] = (this.#joined[at] as number) + sign * (pairs[element * elements + j] as number);
    }
  }

  #countSizes(one: number, other: number, sign: 1 | -1): void {
    this.#countOfSize[one] = (this.#countOfSize[one] as number) + sign;
    this.#countOfSize[other] = (this.#countOfSize[other] as number) + sign;
  }
}
