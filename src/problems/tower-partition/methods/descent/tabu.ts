import type { Random } from "../../../../exact/random.js";
import { descend } from "./descend.js";
import type { DescentProblem } from "./limits.js";
import { DescentState } from "./state.js";

export interface TabuLimits {
  /** Changes in a row that bring nothing better, after which it ends. */
  readonly idle: number;
  /** For how many changes an element does not go back to a cluster that it left, at least; at most twice as many. */
  readonly tenure: number;
  /** Asked with the pairs of elements looked at since. */
  readonly shouldStop?: (pairs: number) => boolean;
}

/** What is better counts where it is by more than this share of the largest pair: what is below may be rounding. */
const MIN_GAIN = 1e-11;

/**
 * Tabu search from a feasible labeling: always the best swap or move that keeps to sizes and loads is made, even where
 * it makes the value more, except that no element goes back to a cluster that it left a few changes ago (Palubeckis,
 * Ostreika and Rubliauskas, "Maximally diverse grouping: an iterated tabu search approach", 2015). It gives the best
 * labeling on the way, where descent from it ends; feasible, no worse than the first.
 *
 * The best swap of each two clusters is kept until one of them changes, so that a change costs O(F²/T) for even
 * clusters, and O(F·T) more where sizes may change.
 */
export function tabuSearch(
  problem: DescentProblem,
  labels: ArrayLike<number>,
  random: Random,
  { idle, tenure, shouldStop }: TabuLimits,
): readonly number[] {
  const search = new Tabu(problem, labels, tenure, random);
  const least = MIN_GAIN * problem.pairs.reduce((most, pair) => Math.max(most, pair), 0);
  let best: Int32Array | null = null;
  const looked = problem.elements ** 2 / problem.clusters + problem.clusters ** 2;
  // Σ of rises, since the first and at the best.
  let [risen, lowest] = [0, -least];
  for (let since = 0; since < idle && shouldStop?.(looked) !== true; since++) {
    risen += search.change();
    if (risen >= lowest) continue;
    lowest = risen - least;
    best = search.state.labels.slice();
    since = -1;
  }
  return descend(problem, best ?? labels, shouldStop);
}

/** An element that does not go to a cluster for some time. */
interface Bar {
  readonly element: number;
  readonly cluster: number;
}

class Tabu {
  readonly state: DescentState;
  readonly #problem: DescentProblem;
  readonly #tenure: number;
  readonly #random: Random;
  readonly #members: number[][];
  readonly #isFixed: boolean;
  /** No cluster has fewer elements. */
  readonly #least: number;
  /** By element and cluster: until when it does not go there. F × T by rows. */
  readonly #barred: Float64Array;
  /** By the time at which they end, in a ring. */
  readonly #bars: Bar[][];
  #time = 0;
  /** By clusters a < b: the best swap between them that is not barred, as of the last look; T × T by rows. */
  readonly #rises: Float64Array;
  readonly #swaps: readonly Int32Array[];
  readonly #isOld: Uint8Array;
  readonly #joins: Float64Array;

  constructor(problem: DescentProblem, labels: ArrayLike<number>, tenure: number, random: Random) {
    const { elements, clusters, windows } = problem;
    this.#problem = problem;
    this.#tenure = tenure;
    this.#random = random;
    this.#bars = Array.from({ length: 2 * tenure + 1 }, () => []);
    this.state = new DescentState(problem, labels);
    this.#members = Array.from({ length: clusters }, () => []);
    this.state.labels.forEach((cluster, element) => {
      this.#members[cluster]?.push(element);
    });
    this.#isFixed = windows.every(({ least, most }) => least === most);
    this.#least = Math.min(...windows.map(({ least }) => least));
    this.#barred = new Float64Array(elements * clusters);
    this.#rises = new Float64Array(clusters * clusters);
    this.#swaps = [new Int32Array(clusters * clusters), new Int32Array(clusters * clusters)];
    this.#isOld = new Uint8Array(clusters * clusters).fill(1);
    this.#joins = new Float64Array(elements);
  }

  /** Makes the best change that is not barred, if there is one, and says by how much the value rises. */
  change(): number {
    this.#time++;
    this.#lift();
    const { clusters } = this.#problem;
    let [rise, at] = [Number.POSITIVE_INFINITY, -1];
    for (let a = 0; a < clusters; a++) {
      for (let b = a + 1; b < clusters; b++) {
        const pair = a * clusters + b;
        if (this.#isOld[pair] === 1) this.#look(a, b);
        if ((this.#rises[pair] as number) < rise) [rise, at] = [this.#rises[pair] as number, pair];
      }
    }
    const move = this.#isFixed ? null : this.#bestMove(rise);
    if (move !== null) {
      const from = this.state.labels[move.element] as number;
      this.state.move(move.element, move.to);
      this.#moved(move.element, from);
      return move.rise;
    }
    if (at === -1) return 0;
    const [one, other] = this.#swaps.map((elements) => elements[at] as number) as [number, number];
    const [a, b] = [this.state.labels[one] as number, this.state.labels[other] as number];
    this.state.swap(one, other);
    this.#moved(one, a);
    this.#moved(other, b);
    return rise;
  }

  /** Notes that an element has gone from a cluster to where it is. */
  #moved(element: number, from: number): void {
    const { clusters } = this.#problem;
    const to = this.state.labels[element] as number;
    const left = this.#members[from] as number[];
    left.splice(left.indexOf(element), 1);
    this.#members[to]?.push(element);
    const until = this.#time + this.#tenure + this.#random.integer(this.#tenure + 1);
    this.#barred[element * clusters + from] = until;
    this.#bars[until % this.#bars.length]?.push({ element, cluster: from });
    for (let cluster = 0; cluster < clusters; cluster++) {
      this.#age(from, cluster);
      this.#age(to, cluster);
    }
  }

  /** Clusters between which a bar has ended are looked at again. */
  #lift(): void {
    const ended = this.#bars[this.#time % this.#bars.length] as Bar[];
    for (const { element, cluster } of ended) this.#age(this.state.labels[element] as number, cluster);
    ended.length = 0;
  }

  #age(a: number, b: number): void {
    this.#isOld[Math.min(a, b) * this.#problem.clusters + Math.max(a, b)] = 1;
  }

  /** Finds the best swap between two clusters. */
  #look(a: number, b: number): void {
    const { elements, clusters, pairs, share } = this.#problem;
    const { sizes, joined } = this.state;
    const [shareA, shareB] = [share[sizes[a] as number] as number, share[sizes[b] as number] as number];
    const both = shareA + shareB;
    const others = this.#members[b] as number[];
    const joins = this.#joins;
    others.forEach((j, k) => {
      const isBarred = (this.#barred[j * clusters + a] as number) > this.#time;
      const rise = shareA * (joined[j * clusters + a] as number) - shareB * (joined[j * clusters + b] as number);
      joins[k] = isBarred ? Number.POSITIVE_INFINITY : rise;
    });
    let [least, one, other] = [Number.POSITIVE_INFINITY, -1, -1];
    for (const i of this.#members[a] as number[]) {
      if ((this.#barred[i * clusters + b] as number) > this.#time) continue;
      const own = shareB * (joined[i * clusters + b] as number) - shareA * (joined[i * clusters + a] as number);
      for (let k = 0; k < others.length; k++) {
        const j = others[k] as number;
        const rise = own + (joins[k] as number) - both * (pairs[i * elements + j] as number);
        if (rise >= least || !this.state.fitSwapped(i, j)) continue;
        [least, one, other] = [rise, i, j];
      }
    }
    const pair = a * clusters + b;
    this.#rises[pair] = least;
    (this.#swaps[0] as Int32Array)[pair] = one;
    (this.#swaps[1] as Int32Array)[pair] = other;
    this.#isOld[pair] = 0;
  }

  /** The best move that is not barred and raises the value by less than `below`. */
  #bestMove(below: number): { readonly element: number; readonly to: number; readonly rise: number } | null {
    const { clusters } = this.#problem;
    const { sizes } = this.state;
    let [least, element, to] = [below, -1, -1];
    for (let from = 0; from < clusters; from++) {
      if ((sizes[from] as number) <= this.#least) continue;
      for (let cluster = 0; cluster < clusters; cluster++) {
        if (from === cluster || !this.state.sizesAllow(from, cluster)) continue;
        for (const i of this.#members[from] as number[]) {
          if ((this.#barred[i * clusters + cluster] as number) > this.#time) continue;
          if (!this.state.fits(i, cluster)) continue;
          const rise = this.state.moveRise(i, cluster);
          if (rise < least) [least, element, to] = [rise, i, cluster];
        }
      }
    }
    return element === -1 ? null : { element, to, rise: least };
  }
}
