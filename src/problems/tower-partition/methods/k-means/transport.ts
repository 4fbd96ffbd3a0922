import type { SizeWindow } from "../descent/limits.js";
import { PointHeap } from "./point-heap.js";

/** An optimal assignment, with what proves it. */
export interface Transport {
  /** The group 0 … T−1 of each point. */
  readonly numbering: Int32Array;
  /** Σ cost of each point in its group. */
  readonly value: number;
  /**
   * By group: π such that every point is where cost − π is least, and that groups of more than `least` points have π ≤ 0,
   * those of fewer than `most` π ≥ 0 (up to rounding). So the value is Σ_i min_g (cost(i, g) − π_g) plus the least of
   * Σ_g π_g · size_g over sizes in the window, which no assignment can be below.
   */
  readonly prices: Float64Array;
}

/**
 * The assignment step of constrained K-means (Bradley, Bennett and Demiriz 2000, section 3): each of n points in one of T
 * groups of `least` … `most` points, Σ cost least. A transportation problem, solved exactly (in doubles).
 *
 * Successive shortest paths on the graph of groups: every point starts where it costs least, which is optimal but for the
 * sizes; then, while a group has too many points, one point each moves along a shortest path from it, where an arc costs what
 * the cheapest point of one group costs more in the other. One more node stands for the sizes between `least` and `most`.
 * Each path costs O(T²); the points of one group by what they cost more in another are kept in a heap, once they are asked
 * for again.
 *
 * `costs`: n × T by rows. Throws `RangeError` where n points do not make T groups of such sizes.
 */
export function transport(costs: Float64Array, groups: number, { least, most }: SizeWindow): Transport {
  const points = costs.length / groups;
  if (groups * least > points || groups * most < points || least > most) {
    throw new RangeError(`${points} points do not make ${groups} groups of ${least} to ${most}`);
  }
  return new Flow(costs, groups, points, least, most).solve();
}

class Flow {
  readonly #costs: Float64Array;
  readonly #groups: number;
  readonly #numbering: Int32Array;
  readonly #members: number[][];
  /** Where each point stands among the members of its group. */
  readonly #place: Int32Array;
  /** By pair of groups: the point of the first that costs least more in the second, and how much; −1 and ∞ where empty. */
  readonly #cheapest: Int32Array;
  readonly #shift: Float64Array;
  /** By pair of groups: points that are or were in the first, all of those that are; where they were needed. */
  readonly #heaps: (PointHeap | undefined)[];
  /** By group: points beyond `least` that count as allowed, at most `most` − `least`. */
  readonly #spare: Int32Array;
  readonly #mostSpare: number;
  /** By node, the last one for the sizes: points too many, negative where too few. */
  readonly #excess: Int32Array;
  readonly #potential: Float64Array;
  readonly #distance: Float64Array;
  readonly #parent: Int32Array;
  readonly #isDone: Uint8Array;

  constructor(costs: Float64Array, groups: number, points: number, least: number, most: number) {
    this.#costs = costs;
    this.#groups = groups;
    this.#numbering = new Int32Array(points);
    this.#members = Array.from({ length: groups }, () => []);
    this.#place = new Int32Array(points);
    this.#cheapest = new Int32Array(groups * groups).fill(-1);
    this.#shift = new Float64Array(groups * groups).fill(Number.POSITIVE_INFINITY);
    this.#heaps = new Array(groups * groups);
    this.#spare = new Int32Array(groups);
    this.#mostSpare = most - least;
    this.#excess = new Int32Array(groups + 1);
    this.#potential = new Float64Array(groups + 1);
    this.#distance = new Float64Array(groups + 1);
    this.#parent = new Int32Array(groups + 1);
    this.#isDone = new Uint8Array(groups + 1);
    for (let point = 0; point < points; point++) this.#join(point, this.#nearest(point));
    this.#excess[groups] = groups * least - points;
    for (const [group, { length }] of this.#members.entries()) {
      const spare = Math.min(Math.max(length - least, 0), this.#mostSpare);
      this.#spare[group] = spare;
      this.#excess[group] = length - least - spare;
      this.#excess[groups] = (this.#excess[groups] as number) + spare;
    }
  }

  solve(): Transport {
    const { length } = this.#excess;
    for (let node = 0; node < length; node++) {
      while ((this.#excess[node] as number) > 0) this.#send(node, this.#search(node));
    }
    const numbering = this.#numbering;
    const value = numbering.reduce((sum, group, point) => sum + this.#cost(point, group), 0);
    const level = this.#potential[length - 1] as number;
    return { numbering, value, prices: this.#potential.subarray(0, -1).map((own) => own - level) };
  }

  #cost(point: number, group: number): number {
    return this.#costs[point * this.#groups + group] as number;
  }

  #nearest(point: number): number {
    let nearest = 0;
    for (let group = 1; group < this.#groups; group++) {
      if (this.#cost(point, group) < this.#cost(point, nearest)) nearest = group;
    }
    return nearest;
  }

  /** Dijkstra's shortest paths from a node, by reduced costs, to the nearest node with too few; gives that node. */
  #search(from: number): number {
    const nodes = this.#groups + 1;
    this.#distance.fill(Number.POSITIVE_INFINITY);
    this.#isDone.fill(0);
    this.#distance[from] = 0;
    for (;;) {
      let node = -1;
      let near = Number.POSITIVE_INFINITY;
      for (let other = 0; other < nodes; other++) {
        if (this.#isDone[other] === 0 && (this.#distance[other] as number) < near) {
          near = this.#distance[other] as number;
          node = other;
        }
      }
      if (node === -1) throw new RangeError("costs must be numbers");
      this.#isDone[node] = 1;
      if ((this.#excess[node] as number) < 0) {
        for (let other = 0; other < nodes; other++) {
          const lift = Math.min(near, this.#distance[other] as number);
          this.#potential[other] = (this.#potential[other] as number) + lift;
        }
        return node;
      }
      const base = near + (this.#potential[node] as number);
      for (let other = 0; other < nodes; other++) {
        if (this.#isDone[other] === 1) continue;
        // Reduced costs are not negative but for rounding.
        const reached = Math.max(near, base + this.#arc(node, other) - (this.#potential[other] as number));
        if (reached >= (this.#distance[other] as number)) continue;
        this.#distance[other] = reached;
        this.#parent[other] = node;
      }
    }
  }

  #arc(from: number, to: number): number {
    if (to === this.#groups) return (this.#spare[from] as number) < this.#mostSpare ? 0 : Number.POSITIVE_INFINITY;
    if (from === this.#groups) return (this.#spare[to] as number) > 0 ? 0 : Number.POSITIVE_INFINITY;
    return this.#shift[from * this.#groups + to] as number;
  }

  /** Sends one point along the path just found. */
  #send(from: number, to: number): void {
    this.#excess[from] = (this.#excess[from] as number) - 1;
    this.#excess[to] = (this.#excess[to] as number) + 1;
    const moves: { readonly point: number; readonly group: number }[] = [];
    for (let node = to; node !== from; node = this.#parent[node] as number) {
      const before = this.#parent[node] as number;
      if (node === this.#groups) this.#spare[before] = (this.#spare[before] as number) + 1;
      else if (before === this.#groups) this.#spare[node] = (this.#spare[node] as number) - 1;
      else moves.push({ point: this.#cheapest[before * this.#groups + node] as number, group: node });
    }
    const left = moves.map(({ point }) => this.#leave(point));
    for (const { point, group } of moves) this.#join(point, group);
    for (const [k, { point }] of moves.entries()) this.#lookAgain(left[k] as number, point);
  }

  #leave(point: number): number {
    const group = this.#numbering[point] as number;
    const members = this.#members[group] as number[];
    const last = members.pop() as number;
    if (last !== point) {
      members[this.#place[point] as number] = last;
      this.#place[last] = this.#place[point] as number;
    }
    return group;
  }

  #join(point: number, group: number): void {
    const members = this.#members[group] as number[];
    this.#numbering[point] = group;
    this.#place[point] = members.length;
    members.push(point);
    for (let other = 0; other < this.#groups; other++) {
      const at = group * this.#groups + other;
      const shift = this.#cost(point, other) - this.#cost(point, group);
      this.#heaps[at]?.push(point, shift);
      if (other === group || shift >= (this.#shift[at] as number)) continue;
      this.#shift[at] = shift;
      this.#cheapest[at] = point;
    }
  }

  /** Finds the cheapest points of a group again where it was one that has left. */
  #lookAgain(group: number, gone: number): void {
    for (let other = 0; other < this.#groups; other++) {
      const at = group * this.#groups + other;
      if (this.#cheapest[at] !== gone) continue;
      const heap = this.#heaps[at] ?? this.#heapOf(group, other);
      this.#heaps[at] = heap;
      while (heap.first !== -1 && this.#numbering[heap.first] !== group) heap.pop();
      this.#cheapest[at] = heap.first;
      this.#shift[at] = heap.leastKey;
    }
  }

  #heapOf(group: number, other: number): PointHeap {
    const heap = new PointHeap();
    for (const point of this.#members[group] as number[]) {
      heap.push(point, this.#cost(point, other) - this.#cost(point, group));
    }
    return heap;
  }
}
