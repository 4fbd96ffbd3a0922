import type { LoadLimit, SizeWindow } from "../descent/limits.js";
import { relieve } from "../descent/relieve.js";
import { type Transport, transport } from "./transport.js";

/** An assignment that keeps to sizes and loads. */
export interface LoadedAssignment {
  /** The group of each point; `null` where none was found. */
  readonly numbering: Int32Array | null;
  /** Whether the search ended: then this is an optimal assignment (in doubles), or there is none. */
  readonly isExact: boolean;
}

/** Steps of the subgradient method, and the share of the cost's spread that its first step is worth. */
const MULTIPLIER_STEPS = 20;
const FIRST_STEP = 0.5;

/** Nodes of the search: enough to end on a few tens of points with loads that are not tight. */
const NODES = 4000;

/**
 * The assignment step with loads: each point in one group, sizes in the window, the weights of each group at most `load.most`,
 * Σ cost least. A generalised assignment program.
 *
 * Where the transportation problem without loads keeps to them, that is it. Otherwise loads are priced (Lagrangian
 * relaxation, subgradient steps, each a transportation problem whose answer is mended where it is over; Fisher 1981), and a
 * depth-first search, heaviest points first, looks for the best by the reduced costs of the best bound. The search ends at 4,000 nodes: exact on small
 * problems, a good assignment on others, `isExact` says which.
 *
 * `costs`: n × T by rows, not negative. Throws `RangeError` where n points do not make T groups of such sizes.
 */
export function assignWithinLoad(
  costs: Float64Array,
  groups: number,
  window: SizeWindow,
  load: LoadLimit,
): LoadedAssignment {
  const relaxed = transport(costs, groups, window);
  if (keeps(relaxed.numbering, groups, load)) return { numbering: relaxed.numbering, isExact: true };
  return new Search(costs, groups, window, load, relaxed).run();
}

function keeps(numbering: Int32Array, groups: number, load: LoadLimit): boolean {
  return loadsOf(numbering, groups, load).every((own) => own <= load.most);
}

function loadsOf(numbering: Int32Array, groups: number, { weights }: LoadLimit): Float64Array {
  const loads = new Float64Array(groups);
  for (const [point, group] of numbering.entries())
    loads[group] = (loads[group] as number) + (weights[point] as number);
  return loads;
}

class Search {
  readonly #costs: Float64Array;
  readonly #groups: number;
  readonly #window: SizeWindow;
  readonly #load: LoadLimit;
  /** The points, heaviest first. */
  readonly #order: readonly number[];
  readonly #numbering: Int32Array;
  readonly #sizes: Int32Array;
  readonly #loads: Float64Array;
  #bound: number;
  /** By point and group: by how much the bound rises when the point goes there. */
  #rises: Float64Array;
  #best: Int32Array | null = null;
  #leastValue = Number.POSITIVE_INFINITY;
  #nodes = 0;

  constructor(costs: Float64Array, groups: number, window: SizeWindow, load: LoadLimit, relaxed: Transport) {
    this.#costs = costs;
    this.#groups = groups;
    this.#window = window;
    this.#load = load;
    const points = costs.length / groups;
    this.#order = Array.from({ length: points }, (_, point) => point).sort(
      (a, b) => (load.weights[b] as number) - (load.weights[a] as number) || a - b,
    );
    this.#numbering = new Int32Array(points);
    this.#sizes = new Int32Array(groups);
    this.#loads = new Float64Array(groups);
    this.#bound = relaxed.value;
    this.#rises = this.#risesOf(costs, relaxed);
  }

  run(): LoadedAssignment {
    this.#priceLoads();
    const isExact = this.#visit(0, this.#bound, this.#order.length);
    return { numbering: this.#best, isExact };
  }

  /** Improves the bound by prices on loads; assignments on the way that keep to them are candidates. */
  #priceLoads(): void {
    const { weights, most } = this.#load;
    const prices = new Float64Array(this.#groups);
    const heaviest = weights[this.#order[0] as number] as number;
    const spread = this.#costs.reduce((largest, cost) => Math.max(largest, cost), 0);
    let { numbering } = transport(this.#costs, this.#groups, this.#window);
    for (let step = 0; step < MULTIPLIER_STEPS; step++) {
      const loads = loadsOf(numbering, this.#groups, this.#load);
      const size = (FIRST_STEP * spread) / heaviest / (1 + step);
      for (const [group, own] of loads.entries()) {
        prices[group] = Math.max(0, (prices[group] as number) + (size * (own - most)) / Math.max(heaviest, most));
      }
      const priced = this.#costs.map((cost, at) => {
        return cost + (prices[at % this.#groups] as number) * (weights[Math.floor(at / this.#groups)] as number);
      });
      const relaxed = transport(priced, this.#groups, this.#window);
      ({ numbering } = relaxed);
      const bound = relaxed.value - most * prices.reduce((sum, price) => sum + price, 0);
      if (bound > this.#bound) {
        this.#bound = bound;
        this.#rises = this.#risesOf(priced, relaxed);
      }
      const relieved = relieve(numbering, this.#groups, this.#window, this.#load);
      if (relieved !== null) this.#offer(relieved);
    }
  }

  #risesOf(costs: Float64Array, { numbering, prices }: Transport): Float64Array {
    return costs.map((cost, at) => {
      const point = Math.floor(at / this.#groups);
      const home = numbering[point] as number;
      const reduced = cost - (prices[at % this.#groups] as number);
      const least = (costs[point * this.#groups + home] as number) - (prices[home] as number);
      return Math.max(0, reduced - least);
    });
  }

  #offer(numbering: Int32Array): void {
    const value = numbering.reduce((sum, group, point) => {
      return sum + (this.#costs[point * this.#groups + group] as number);
    }, 0);
    if (value >= this.#leastValue) return;
    this.#leastValue = value;
    this.#best = numbering.slice();
  }

  /** Places the points from `depth` on in every way that may be better; `false` where it had to stop. */
  #visit(depth: number, bound: number, missing: number): boolean {
    if (bound >= this.#leastValue) return true;
    if (depth === this.#order.length) {
      this.#offer(this.#numbering);
      return true;
    }
    if (++this.#nodes > NODES) return false;
    const point = this.#order[depth] as number;
    const weight = this.#load.weights[point] as number;
    const row = point * this.#groups;
    const homes = Array.from({ length: this.#groups }, (_, group) => group)
      .filter((group) => this.#takes(group, weight))
      .sort((a, b) => (this.#rises[row + a] as number) - (this.#rises[row + b] as number) || a - b);
    for (const group of homes) {
      const before = this.#loads[group] as number;
      this.#numbering[point] = group;
      this.#loads[group] = before + weight;
      this.#sizes[group] = (this.#sizes[group] as number) + 1;
      const isWhole =
        !this.#canFill(missing - 1) ||
        this.#visit(depth + 1, bound + (this.#rises[row + group] as number), missing - 1);
      this.#sizes[group] = (this.#sizes[group] as number) - 1;
      this.#loads[group] = before;
      if (!isWhole) return false;
    }
    return true;
  }

  #takes(group: number, weight: number): boolean {
    const { most } = this.#window;
    return (this.#sizes[group] as number) < most && (this.#loads[group] as number) + weight <= this.#load.most;
  }

  /** Whether so many more points can bring all groups to their least size. */
  #canFill(points: number): boolean {
    let short = 0;
    for (const size of this.#sizes) short += Math.max(0, this.#window.least - size);
    return short <= points;
  }
}
