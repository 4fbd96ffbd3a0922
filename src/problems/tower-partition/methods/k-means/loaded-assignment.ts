import type { LoadLimit, SizeWindow } from "../descent/limits.js";
import { relieve } from "../descent/relieve.js";
import { type Transport, transport } from "./transport.js";

/** An assignment that keeps to sizes and loads. */
export interface LoadedAssignment {
  /** The cluster of each point; `null` where none was found. */
  readonly labels: Int32Array | null;
  /** Whether the search ended: then this is an optimal assignment (in doubles), or there is none. */
  readonly isExact: boolean;
}

/** Steps of the subgradient method, and the share of the cost's spread that its first step is worth. */
const MULTIPLIER_STEPS = 20;
const FIRST_STEP = 0.5;

/** Nodes of the search: enough to end on a few tens of points with loads that are not tight. */
const NODES = 4000;

/**
 * The assignment step with loads: each point in one cluster, sizes in the window, the weights of each cluster at most
 * `load.most`, Σ cost least. A generalised assignment program.
 *
 * Where the transportation problem without loads keeps to them, that is it. Otherwise loads are priced (Lagrangian
 * relaxation, subgradient steps, each a transportation problem whose answer is mended where it is over; Fisher 1981),
 * and a depth-first search, heaviest points first, looks for the best by the reduced costs of the best bound. The
 * search ends at 4,000 nodes: exact on small problems, a good assignment on others, `isExact` says which.
 *
 * `costs`: n × T by rows, not negative. Throws `RangeError` where n points do not make T clusters of such sizes.
 */
export function assignWithinLoad(
  costs: Float64Array,
  clusters: number,
  window: SizeWindow,
  load: LoadLimit,
): LoadedAssignment {
  const relaxed = transport(costs, clusters, window);
  if (keeps(relaxed.labels, clusters, load)) return { labels: relaxed.labels, isExact: true };
  return new Search(costs, clusters, window, load, relaxed).run();
}

function keeps(labels: Int32Array, clusters: number, load: LoadLimit): boolean {
  return loadsOf(labels, clusters, load).every((own) => own <= load.most);
}

function loadsOf(labels: Int32Array, clusters: number, { weights }: LoadLimit): Float64Array {
  const loads = new Float64Array(clusters);
  for (const [point, cluster] of labels.entries())
    loads[cluster] = (loads[cluster] as number) + (weights[point] as number);
  return loads;
}

class Search {
  readonly #costs: Float64Array;
  readonly #clusters: number;
  readonly #window: SizeWindow;
  readonly #load: LoadLimit;
  /** The best assignment without loads. */
  readonly #relaxed: Transport;
  /** The points, heaviest first. */
  readonly #order: readonly number[];
  readonly #labels: Int32Array;
  readonly #sizes: Int32Array;
  readonly #loads: Float64Array;
  #bound: number;
  /** By point and cluster: by how much the bound rises when the point goes there. */
  #rises: Float64Array;
  #best: Int32Array | null = null;
  #leastValue = Number.POSITIVE_INFINITY;
  #nodes = 0;

  constructor(costs: Float64Array, clusters: number, window: SizeWindow, load: LoadLimit, relaxed: Transport) {
    this.#costs = costs;
    this.#clusters = clusters;
    this.#window = window;
    this.#load = load;
    this.#relaxed = relaxed;
    const points = costs.length / clusters;
    this.#order = Array.from({ length: points }, (_, point) => point).sort(
      (a, b) => (load.weights[b] as number) - (load.weights[a] as number) || a - b,
    );
    this.#labels = new Int32Array(points);
    this.#sizes = new Int32Array(clusters);
    this.#loads = new Float64Array(clusters);
    this.#bound = relaxed.value;
    this.#rises = this.#risesOf(costs, relaxed);
  }

  run(): LoadedAssignment {
    this.#dualLoads();
    const isExact = this.#visit(0, this.#bound, this.#order.length);
    return { labels: this.#best, isExact };
  }

  /** Improves the bound by dual values on loads; assignments on the way that keep to them are candidates. */
  #dualLoads(): void {
    const { weights, most } = this.#load;
    const duals = new Float64Array(this.#clusters);
    const heaviest = weights[this.#order[0] as number] as number;
    const spread = this.#costs.reduce((largest, cost) => Math.max(largest, cost), 0);
    let { labels } = this.#relaxed;
    for (let step = 0; step < MULTIPLIER_STEPS; step++) {
      const loads = loadsOf(labels, this.#clusters, this.#load);
      const size = (FIRST_STEP * spread) / heaviest / (1 + step);
      for (const [cluster, own] of loads.entries()) {
        duals[cluster] = Math.max(0, (duals[cluster] as number) + (size * (own - most)) / Math.max(heaviest, most));
      }
      const priced = this.#costs.map((cost, at) => {
        return cost + (duals[at % this.#clusters] as number) * (weights[Math.floor(at / this.#clusters)] as number);
      });
      const relaxed = transport(priced, this.#clusters, this.#window);
      ({ labels } = relaxed);
      const bound = relaxed.value - most * duals.reduce((sum, dual) => sum + dual, 0);
      if (bound > this.#bound) {
        this.#bound = bound;
        this.#rises = this.#risesOf(priced, relaxed);
      }
      const relieved = relieve(labels, this.#clusters, this.#window, this.#load);
      if (relieved !== null) this.#offer(relieved);
    }
  }

  #risesOf(costs: Float64Array, { labels, duals }: Transport): Float64Array {
    return costs.map((cost, at) => {
      const point = Math.floor(at / this.#clusters);
      const home = labels[point] as number;
      const reduced = cost - (duals[at % this.#clusters] as number);
      const least = (costs[point * this.#clusters + home] as number) - (duals[home] as number);
      return Math.max(0, reduced - least);
    });
  }

  #offer(labels: Int32Array): void {
    const value = labels.reduce((sum, cluster, point) => {
      return sum + (this.#costs[point * this.#clusters + cluster] as number);
    }, 0);
    if (value >= this.#leastValue) return;
    this.#leastValue = value;
    this.#best = labels.slice();
  }

  /** Places the points from `depth` on in every way that may be better; `false` where it had to stop. */
  #visit(depth: number, bound: number, missing: number): boolean {
    if (bound >= this.#leastValue) return true;
    if (depth === this.#order.length) {
      this.#offer(this.#labels);
      return true;
    }
    if (++this.#nodes > NODES) return false;
    const point = this.#order[depth] as number;
    const weight = this.#load.weights[point] as number;
    const row = point * this.#clusters;
    const homes = Array.from({ length: this.#clusters }, (_, cluster) => cluster)
      .filter((cluster) => this.#takes(cluster, weight))
      .sort((a, b) => (this.#rises[row + a] as number) - (this.#rises[row + b] as number) || a - b);
    for (const cluster of homes) {
      const before = this.#loads[cluster] as number;
      this.#labels[point] = cluster;
      this.#loads[cluster] = before + weight;
      this.#sizes[cluster] = (this.#sizes[cluster] as number) + 1;
      const isWhole =
        !this.#canFill(missing - 1) ||
        this.#visit(depth + 1, bound + (this.#rises[row + cluster] as number), missing - 1);
      this.#sizes[cluster] = (this.#sizes[cluster] as number) - 1;
      this.#loads[cluster] = before;
      if (!isWhole) return false;
    }
    return true;
  }

  #takes(cluster: number, weight: number): boolean {
    const { most } = this.#window;
    return (this.#sizes[cluster] as number) < most && (this.#loads[cluster] as number) + weight <= this.#load.most;
  }

  /** Whether so many more points can bring all clusters to their least size. */
  #canFill(points: number): boolean {
    let short = 0;
    for (const size of this.#sizes) short += Math.max(0, this.#window.least - size);
    return short <= points;
  }
}
