import { isConflicting } from "../../../program/grouping/conflict.js";
import { weightOf } from "../../../program/grouping/evaluate.js";
import type { Grouping, SizeWindow } from "../../../program/grouping/grouping.js";
import { type ShouldStop, UNITS } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { clusterOf } from "./clusters.js";

/**
 * Changes in a row that bring nothing before the search ends, by element; and for how many an element stays where it
 * was put.
 */
const IDLE = 2;
const TENURE = 4;

/** A labeling is better where it costs less by more than this part. */
const MIN_GAIN = 1e-9;

/**
 * A good labeling within all limits of clusters, from one with sizes in the window that may break others. A tabu
 * search: an element moves, or two change places, so that least is broken; of such changes, the cheapest. `null`: it
 * met no labeling within all limits, though there may be one.
 */
export function limitedDescent(
  grouping: Grouping,
  numbers: DescentProblem,
  window: SizeWindow,
  start: readonly number[],
  shouldStop: ShouldStop,
): readonly number[] | null {
  return new Search(grouping, numbers, window, start).run(shouldStop);
}

/** One cluster: what it costs, and by how much it breaks its limits. */
interface Worth {
  readonly elements: readonly number[];
  readonly cost: number;
  readonly excess: number;
}

/** What two clusters become, and the elements that go from one to the other. */
interface Change {
  readonly clusters: readonly [number, number];
  readonly after: readonly [Worth, Worth];
  readonly moved: readonly number[];
  readonly excess: number;
  readonly cost: number;
}

class Search {
  readonly #grouping: Grouping;
  readonly #numbers: DescentProblem;
  readonly #window: SizeWindow;
  readonly #clusters: Worth[];
  /** By element: the round from which on it may leave again. */
  readonly #free: Int32Array;

  constructor(grouping: Grouping, numbers: DescentProblem, window: SizeWindow, start: readonly number[]) {
    this.#grouping = grouping;
    this.#numbers = numbers;
    this.#window = window;
    this.#clusters = Array.from({ length: numbers.clusters }, (_, g) =>
      this.#worthOf([...start.keys()].filter((element) => start[element] === g)),
    );
    this.#free = new Int32Array(numbers.elements);
  }

  run(shouldStop: ShouldStop): readonly number[] | null {
    let best: { readonly labels: readonly number[]; readonly cost: number } | null = null;
    const { elements, clusters } = this.#numbers;
    const units = (elements ** 4 / clusters ** 2) * UNITS.pair;
    for (let round = 0, idle = 0; idle < IDLE * this.#numbers.elements && !shouldStop(units); round++, idle++) {
      const cost = this.#clusters.reduce((sum, cluster) => sum + cluster.cost, 0);
      const isWithin = this.#clusters.every(({ excess }) => excess === 0);
      if (isWithin && (best === null || cost < best.cost - MIN_GAIN * Math.abs(best.cost))) {
        best = { labels: this.#labels(), cost };
        idle = 0;
      }
      const change = this.#bestChange(round);
      if (change === null) break;
      change.clusters.forEach((cluster, k) => {
        this.#clusters[cluster] = change.after[k] as Worth;
      });
      for (const element of change.moved) this.#free[element] = round + 1 + TENURE;
    }
    return best?.labels ?? null;
  }

  #bestChange(round: number): Change | null {
    const { least, most } = this.#window;
    const isFree = (element: number) => (this.#free[element] as number) <= round;
    let best: Change | null = null;
    const consider = (a: number, b: number, leaving: number, entering: number | null) => {
      const [one, other] = [this.#clusters[a] as Worth, this.#clusters[b] as Worth];
      const first = one.elements.filter((element) => element !== leaving);
      const second = [...other.elements.filter((element) => element !== entering), leaving];
      const after = [this.#worthOf(entering === null ? first : [...first, entering]), this.#worthOf(second)] as const;
      const excess = after[0].excess + after[1].excess - one.excess - other.excess;
      const cost = after[0].cost + after[1].cost - one.cost - other.cost;
      if (best !== null && (excess > best.excess || (excess === best.excess && cost >= best.cost))) return;
      const moved = entering === null ? [leaving] : [leaving, entering];
      best = { clusters: [a, b], after, moved, excess, cost };
    };
    const all = [...this.#clusters.entries()];
    for (const [a, one] of all) {
      for (const [b, other] of all) {
        if (a === b) continue;
        const hasRoom = one.elements.length > least && other.elements.length < most;
        for (const leaving of one.elements.filter(isFree)) {
          if (hasRoom) consider(a, b, leaving, null);
          if (a < b) for (const entering of other.elements.filter(isFree)) consider(a, b, leaving, entering);
        }
      }
    }
    return best;
  }

  #worthOf(elements: readonly number[]): Worth {
    const { load, furtherLoads = [], conflicts = [] } = this.#grouping;
    let excess = conflicts.filter((conflict) => isConflicting(conflict, elements)).length;
    for (const one of load === null ? furtherLoads : [load, ...furtherLoads]) {
      const over = weightOf(one, elements).subtract(one.most);
      if (over.sign() > 0) excess += over.toNumber() / (one.most.toNumber() || 1);
    }
    return { elements, cost: clusterOf(this.#numbers, elements).cost, excess };
  }

  #labels(): readonly number[] {
    const labels = new Array<number>(this.#numbers.elements).fill(0);
    for (const [cluster, { elements }] of this.#clusters.entries())
      for (const element of elements) labels[element] = cluster;
    return labels;
  }
}
