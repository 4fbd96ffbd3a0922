import type { Random } from "../../../../exact/random.js";
import { descend } from "./descend.js";
import type { DescentProblem } from "./limits.js";
import { DescentState } from "./state.js";

export interface TabuLimits {
  /** Changes in a row that bring nothing better, after which it ends. */
  readonly idle: number;
  /** For how many changes an item does not go back to a group that it left, at least; at most twice as many. */
  readonly tenure: number;
  /** Asked with the pairs of items looked at since. */
  readonly shouldStop?: (pairs: number) => boolean;
}

/** What is better counts where it is by more than this share of the largest pair: what is below may be rounding. */
const MIN_GAIN = 1e-11;

/**
 * Tabu search from a feasible numbering: always the best swap or move that keeps to sizes and loads is made, even where it
 * makes the value more, except that no item goes back to a group that it left a few changes ago (Palubeckis, Ostreika and
 * Rubliauskas, "Maximally diverse grouping: an iterated tabu search approach", 2015). It gives the best numbering on the
 * way, where descent from it ends; feasible, no worse than the first.
 *
 * The best swap of each two groups is kept until one of them changes, so that a change costs O(F²/T) for even groups, and
 * O(F·T) more where sizes may change.
 */
export function tabuSearch(
  problem: DescentProblem,
  numbering: ArrayLike<number>,
  random: Random,
  { idle, tenure, shouldStop }: TabuLimits,
): readonly number[] {
  const search = new Tabu(problem, numbering, tenure, random);
  const least = MIN_GAIN * problem.pairs.reduce((most, pair) => Math.max(most, pair), 0);
  let best: Int32Array | null = null;
  const looked = problem.items ** 2 / problem.groups + problem.groups ** 2;
  // Σ of rises, since the first and at the best.
  let [risen, lowest] = [0, -least];
  for (let since = 0; since < idle && shouldStop?.(looked) !== true; since++) {
    risen += search.change();
    if (risen >= lowest) continue;
    lowest = risen - least;
    best = search.state.numbering.slice();
    since = -1;
  }
  return descend(problem, best ?? numbering, shouldStop);
}

/** An item that does not go to a group for some time. */
interface Bar {
  readonly item: number;
  readonly group: number;
}

class Tabu {
  readonly state: DescentState;
  readonly #problem: DescentProblem;
  readonly #tenure: number;
  readonly #random: Random;
  readonly #members: number[][];
  readonly #isFixed: boolean;
  /** No group has fewer items. */
  readonly #least: number;
  /** By item and group: until when it does not go there. F × T by rows. */
  readonly #barred: Float64Array;
  /** By the time at which they end, in a ring. */
  readonly #bars: Bar[][];
  #time = 0;
  /** By groups a < b: the best swap between them that is not barred, as of the last look; T × T by rows. */
  readonly #rises: Float64Array;
  readonly #swaps: readonly Int32Array[];
  readonly #isOld: Uint8Array;
  readonly #joins: Float64Array;

  constructor(problem: DescentProblem, numbering: ArrayLike<number>, tenure: number, random: Random) {
    const { items, groups, windows } = problem;
    this.#problem = problem;
    this.#tenure = tenure;
    this.#random = random;
    this.#bars = Array.from({ length: 2 * tenure + 1 }, () => []);
    this.state = new DescentState(problem, numbering);
    this.#members = Array.from({ length: groups }, () => []);
    this.state.numbering.forEach((group, item) => {
      this.#members[group]?.push(item);
    });
    this.#isFixed = windows.every(({ least, most }) => least === most);
    this.#least = Math.min(...windows.map(({ least }) => least));
    this.#barred = new Float64Array(items * groups);
    this.#rises = new Float64Array(groups * groups);
    this.#swaps = [new Int32Array(groups * groups), new Int32Array(groups * groups)];
    this.#isOld = new Uint8Array(groups * groups).fill(1);
    this.#joins = new Float64Array(items);
  }

  /** Makes the best change that is not barred, if there is one, and says by how much the value rises. */
  change(): number {
    this.#time++;
    this.#lift();
    const { groups } = this.#problem;
    let [rise, at] = [Number.POSITIVE_INFINITY, -1];
    for (let a = 0; a < groups; a++) {
      for (let b = a + 1; b < groups; b++) {
        const pair = a * groups + b;
        if (this.#isOld[pair] === 1) this.#look(a, b);
        if ((this.#rises[pair] as number) < rise) [rise, at] = [this.#rises[pair] as number, pair];
      }
    }
    const move = this.#isFixed ? null : this.#bestMove(rise);
    if (move !== null) {
      const from = this.state.numbering[move.item] as number;
      this.state.move(move.item, move.to);
      this.#moved(move.item, from);
      return move.rise;
    }
    if (at === -1) return 0;
    const [one, other] = this.#swaps.map((items) => items[at] as number) as [number, number];
    const [a, b] = [this.state.numbering[one] as number, this.state.numbering[other] as number];
    this.state.swap(one, other);
    this.#moved(one, a);
    this.#moved(other, b);
    return rise;
  }

  /** Notes that an item has gone from a group to where it is. */
  #moved(item: number, from: number): void {
    const { groups } = this.#problem;
    const to = this.state.numbering[item] as number;
    const left = this.#members[from] as number[];
    left.splice(left.indexOf(item), 1);
    this.#members[to]?.push(item);
    const until = this.#time + this.#tenure + this.#random.integer(this.#tenure + 1);
    this.#barred[item * groups + from] = until;
    this.#bars[until % this.#bars.length]?.push({ item, group: from });
    for (let group = 0; group < groups; group++) {
      this.#age(from, group);
      this.#age(to, group);
    }
  }

  /** Groups between which a bar has ended are looked at again. */
  #lift(): void {
    const ended = this.#bars[this.#time % this.#bars.length] as Bar[];
    for (const { item, group } of ended) this.#age(this.state.numbering[item] as number, group);
    ended.length = 0;
  }

  #age(a: number, b: number): void {
    this.#isOld[Math.min(a, b) * this.#problem.groups + Math.max(a, b)] = 1;
  }

  /** Finds the best swap between two groups. */
  #look(a: number, b: number): void {
    const { items, groups, pairs, share, load } = this.#problem;
    const { sizes, loads, joined } = this.state;
    const [shareA, shareB] = [share[sizes[a] as number] as number, share[sizes[b] as number] as number];
    const both = shareA + shareB;
    const others = this.#members[b] as number[];
    const joins = this.#joins;
    others.forEach((j, k) => {
      const isBarred = (this.#barred[j * groups + a] as number) > this.#time;
      const rise = shareA * (joined[j * groups + a] as number) - shareB * (joined[j * groups + b] as number);
      joins[k] = isBarred ? Number.POSITIVE_INFINITY : rise;
    });
    let [least, one, other] = [Number.POSITIVE_INFINITY, -1, -1];
    for (const i of this.#members[a] as number[]) {
      if ((this.#barred[i * groups + b] as number) > this.#time) continue;
      const own = shareB * (joined[i * groups + b] as number) - shareA * (joined[i * groups + a] as number);
      for (let k = 0; k < others.length; k++) {
        const j = others[k] as number;
        const rise = own + (joins[k] as number) - both * (pairs[i * items + j] as number);
        if (rise >= least) continue;
        if (load !== null) {
          const more = this.state.weight(j) - this.state.weight(i);
          if ((loads[a] as number) + more > load.most || (loads[b] as number) - more > load.most) continue;
        }
        [least, one, other] = [rise, i, j];
      }
    }
    const pair = a * groups + b;
    this.#rises[pair] = least;
    (this.#swaps[0] as Int32Array)[pair] = one;
    (this.#swaps[1] as Int32Array)[pair] = other;
    this.#isOld[pair] = 0;
  }

  /** The best move that is not barred and raises the value by less than `below`. */
  #bestMove(below: number): { readonly item: number; readonly to: number; readonly rise: number } | null {
    const { groups, load } = this.#problem;
    const { sizes, loads } = this.state;
    let [least, item, to] = [below, -1, -1];
    for (let from = 0; from < groups; from++) {
      if ((sizes[from] as number) <= this.#least) continue;
      for (let group = 0; group < groups; group++) {
        if (from === group || !this.state.sizesAllow(from, group)) continue;
        for (const i of this.#members[from] as number[]) {
          if ((this.#barred[i * groups + group] as number) > this.#time) continue;
          if (load !== null && (loads[group] as number) + this.state.weight(i) > load.most) continue;
          const rise = this.state.moveRise(i, group);
          if (rise < least) [least, item, to] = [rise, i, group];
        }
      }
    }
    return item === -1 ? null : { item, to, rise: least };
  }
}
