import type { SizeWindow } from "../descent/limits.js";

/** An optimal assignment, with what proves it. */
export interface Transport {
  /** The cluster 0 … T−1 of each point. */
  readonly labels: Int32Array;
  /** Σ cost of each point in its cluster. */
  readonly value: number;
  /**
   * By cluster: π such that every point is where cost − π is least, and that clusters of more than `least` points have
   * π ≤ 0, those of fewer than `most` π ≥ 0 (up to rounding). So the value is Σ_i min_g (cost(i, g) − π_g) plus the
   * least of Σ_g π_g · size_g over sizes in the window, which no assignment can be below.
   */
  readonly duals: Float64Array;
}

/**
 * The assignment step of constrained K-means (Bradley, Bennett and Demiriz 2000, section 3): each of n points in one of
 * T clusters of `least` … `most` points, Σ cost least. A transportation problem, solved exactly (in doubles).
 *
 * Successive shortest paths on the graph of clusters: every point starts where it costs least, which is optimal but for
 * the sizes; then, while a cluster has too many points, one point each moves along a shortest path from it, where an
 * arc costs what the cheapest point of one cluster costs more in the other. One more node stands for the sizes between
 * `least` and `most`. Each path costs O(T²), and O(n) where the cheapest points of clusters are looked for again.
 *
 * `costs`: n × T by rows. Throws `RangeError` where n points do not make T clusters of such sizes.
 */
export function transport(costs: Float64Array, clusters: number, { least, most }: SizeWindow): Transport {
  const points = costs.length / clusters;
  if (clusters * least > points || clusters * most < points || least > most) {
    throw new RangeError(`${points} points do not make ${clusters} groups of ${least} to ${most}`);
  }
  return new Flow(costs, clusters, points, least, most).solve();
}

class Flow {
  readonly #costs: Float64Array;
  readonly #clusters: number;
  readonly #labels: Int32Array;
  readonly #members: number[][];
  /** Where each point stands among the members of its cluster. */
  readonly #place: Int32Array;
  /**
   * By pair of clusters: the point of the first that costs least more in the second, and how much; −1 and ∞ where
   * empty.
   */
  readonly #cheapest: Int32Array;
  readonly #shift: Float64Array;
  /** By cluster: points beyond `least` that count as allowed, at most `most` − `least`. */
  readonly #spare: Int32Array;
  readonly #mostSpare: number;
  /** By node, the last one for the sizes: points too many, negative where too few. */
  readonly #excess: Int32Array;
  readonly #potential: Float64Array;
  readonly #distance: Float64Array;
  readonly #parent: Int32Array;
  readonly #isDone: Uint8Array;

  constructor(costs: Float64Array, clusters: number, points: number, least: number, most: number) {
    this.#costs = costs;
    this.#clusters = clusters;
    this.#labels = new Int32Array(points);
    this.#members = Array.from({ length: clusters }, () => []);
    this.#place = new Int32Array(points);
    this.#cheapest = new Int32Array(clusters * clusters).fill(-1);
    this.#shift = new Float64Array(clusters * clusters).fill(Number.POSITIVE_INFINITY);
    this.#spare = new Int32Array(clusters);
    this.#mostSpare = most - least;
    this.#excess = new Int32Array(clusters + 1);
    this.#potential = new Float64Array(clusters + 1);
    this.#distance = new Float64Array(clusters + 1);
    this.#parent = new Int32Array(clusters + 1);
    this.#isDone = new Uint8Array(clusters + 1);
    for (let point = 0; point < points; point++) this.#join(point, this.#nearest(point));
    this.#excess[clusters] = clusters * least - points;
    for (const [cluster, { length }] of this.#members.entries()) {
      const spare = Math.min(Math.max(length - least, 0), this.#mostSpare);
      this.#spare[cluster] = spare;
      this.#excess[cluster] = length - least - spare;
      this.#excess[clusters] = (this.#excess[clusters] as number) + spare;
    }
  }

  solve(): Transport {
    const { length } = this.#excess;
    for (let node = 0; node < length; node++) {
      while ((this.#excess[node] as number) > 0) this.#send(node, this.#search(node));
    }
    const labels = this.#labels;
    const value = labels.reduce((sum, cluster, point) => sum + this.#cost(point, cluster), 0);
    const level = this.#potential[length - 1] as number;
    return { labels, value, duals: this.#potential.subarray(0, -1).map((own) => own - level) };
  }

  #cost(point: number, cluster: number): number {
    return this.#costs[point * this.#clusters + cluster] as number;
  }

  #nearest(point: number): number {
    let nearest = 0;
    for (let cluster = 1; cluster < this.#clusters; cluster++) {
      if (this.#cost(point, cluster) < this.#cost(point, nearest)) nearest = cluster;
    }
    return nearest;
  }

  /** Dijkstra's shortest paths from a node, by reduced costs, to the nearest node with too few; gives that node. */
  #search(from: number): number {
    const nodes = this.#clusters + 1;
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
    if (to === this.#clusters) return (this.#spare[from] as number) < this.#mostSpare ? 0 : Number.POSITIVE_INFINITY;
    if (from === this.#clusters) return (this.#spare[to] as number) > 0 ? 0 : Number.POSITIVE_INFINITY;
    return this.#shift[from * this.#clusters + to] as number;
  }

  /** Sends one point along the path just found. */
  #send(from: number, to: number): void {
    this.#excess[from] = (this.#excess[from] as number) - 1;
    this.#excess[to] = (this.#excess[to] as number) + 1;
    const moves: { readonly point: number; readonly cluster: number }[] = [];
    for (let node = to; node !== from; node = this.#parent[node] as number) {
      const before = this.#parent[node] as number;
      if (node === this.#clusters) this.#spare[before] = (this.#spare[before] as number) + 1;
      else if (before === this.#clusters) this.#spare[node] = (this.#spare[node] as number) - 1;
      else moves.push({ point: this.#cheapest[before * this.#clusters + node] as number, cluster: node });
    }
    const left = moves.map(({ point }) => this.#leave(point));
    for (const { point, cluster } of moves) this.#join(point, cluster);
    for (const [k, { point }] of moves.entries()) this.#lookAgain(left[k] as number, point);
  }

  #leave(point: number): number {
    const cluster = this.#labels[point] as number;
    const members = this.#members[cluster] as number[];
    const last = members.pop() as number;
    if (last !== point) {
      members[this.#place[point] as number] = last;
      this.#place[last] = this.#place[point] as number;
    }
    return cluster;
  }

  #join(point: number, cluster: number): void {
    const members = this.#members[cluster] as number[];
    this.#labels[point] = cluster;
    this.#place[point] = members.length;
    members.push(point);
    for (let other = 0; other < this.#clusters; other++) if (other !== cluster) this.#consider(point, cluster, other);
  }

  /** Finds the cheapest points of a cluster again where it was one that has left. */
  #lookAgain(cluster: number, gone: number): void {
    for (let other = 0; other < this.#clusters; other++) {
      const at = cluster * this.#clusters + other;
      if (this.#cheapest[at] !== gone) continue;
      this.#cheapest[at] = -1;
      this.#shift[at] = Number.POSITIVE_INFINITY;
      for (const point of this.#members[cluster] as number[]) this.#consider(point, cluster, other);
    }
  }

  /** Notes a point of a cluster as the cheapest to go to another if it is. */
  #consider(point: number, cluster: number, other: number): void {
    const at = cluster * this.#clusters + other;
    const shift = this.#cost(point, other) - this.#cost(point, cluster);
    if (shift >= (this.#shift[at] as number)) return;
    this.#shift[at] = shift;
    this.#cheapest[at] = point;
  }
}
