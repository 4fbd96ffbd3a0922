import { Rational } from "../../../exact/rational.js";
import { clusterCost } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { clusterCount, type PricedList } from "./column-pool.js";
import { worthOf } from "./dual-values.js";
import { floorOver, integerCutoff, scaledDown, scaleFor } from "./scaled-integers.js";
import { leastTable } from "./size-vectors.js";

/** When to stop before the end. */
export interface PartitionLimits {
  /** Clusters looked at, and elements, over all partial partitions. */
  readonly maxLooks?: number;
  /** Asked now and then, with how many more were looked at. */
  readonly shouldStop?: (nodes: number) => boolean;
}

/** What a walk through partitions found. */
export type PartitionSearch =
  /** No partition of the clusters is below the claim. */
  | { readonly kind: "none" }
  /** One that is: its groups. */
  | { readonly kind: "found"; readonly clusters: readonly (readonly number[])[] }
  /** A limit ended the walk. */
  | { readonly kind: "too-many" };

/** The most that a checker looks at for one step: some twenty seconds. */
const MAX_LOOKS = 4_000_000_000;

/** With more clusters than this, partitions are not gone through. */
const MAX_CLUSTERS = 100_000;

/**
 * Goes through the partitions that can be made of the clusters that dual values left below a claim (`null`: any
 * partition), for one whose value is below it. `left` is what the claim leaves (see column-pool.ts).
 *
 * With k clusters still to choose for m elements, the rest costs at least LB(k, m), the least Σ λ over sizes that add
 * up to m; a cluster's slack is its reduced cost less λ of its size, and the slacks of the rest must stay below what
 * the claim leaves. Each open element i costs a slack of at least m_i, the least of the clusters that can still take
 * it, and a cluster of most elements takes so many of them: Σ m_i / most is a bound too. The open element that the
 * fewest clusters can take is covered next, by each of them in turn.
 *
 * Reduced costs are rounded down to integers held in doubles, sums of which are exact; a partition that survives is
 * judged in exact arithmetic.
 */
export function betterPartition(
  grouping: Grouping,
  left: PricedList,
  claim: Rational | null,
  limits: PartitionLimits = {},
): PartitionSearch {
  if (left.blocks.length === 0) return { kind: "none" };
  if (clusterCount(left.blocks) > MAX_CLUSTERS) return { kind: "too-many" };
  return new PartitionWalk(grouping, left, claim, limits).run();
}

const NODES_BETWEEN_QUESTIONS = 256;

class PartitionWalk {
  readonly #grouping: Grouping;
  readonly #claim: Rational | null;
  readonly #limits: PartitionLimits;
  readonly #left: readonly (readonly number[])[];
  /** Sums of reduced costs of whole partitions stay below it. */
  readonly #budget: number;
  /** By clusters to choose, then by elements: the least sum; ∞ where no sizes add up. */
  readonly #least: readonly Float64Array[];
  readonly #most: number;
  /** Of each cluster; those of least slack come first. */
  readonly #reduced: Float64Array;
  readonly #slack: Float64Array;
  readonly #words: number;
  readonly #masks: Int32Array;
  readonly #covered: Uint8Array;
  readonly #counts: Int32Array;
  readonly #leastSlack: Float64Array;
  /** The lists of clusters that are still possible, of each depth after that of the one above. */
  #stack: Int32Array;
  readonly #chosen: number[] = [];
  #looks = 0;
  #nodes = 0;

  constructor(grouping: Grouping, { duals, blocks }: PricedList, claim: Rational | null, limits: PartitionLimits) {
    this.#grouping = grouping;
    this.#claim = claim;
    this.#limits = limits;
    const all = grouping.elements.length;
    const room = (claim ?? Rational.zero).subtract(worthOf(duals));
    let reach = room.absolute();
    const widen = (value: Rational) => {
      if (value.absolute().compare(reach) > 0) reach = value.absolute();
    };
    for (const { sums, priced, least } of blocks) {
      if (least !== null) widen(least);
      for (const end of [sums.reduce((a, b) => Math.min(a, b)), sums.reduce((a, b) => Math.max(a, b))]) {
        widen(priced.reducedOf(end));
      }
    }
    // A slack is the difference of two numbers, and the slacks of all elements are added.
    const k = scaleFor(reach.multiply(Rational.of(BigInt(2 * (all + grouping.clusters + 1)))));
    const scaled = (value: Rational) => Number(scaledDown(value, 1n, k));
    this.#budget = integerCutoff(room, 1n, k, claim === null);
    const bySize = new Map<number, number>();
    for (const { size, least } of blocks) if (least !== null) bySize.set(size, scaled(least));
    this.#most = Math.max(...bySize.keys());
    const table = leastTable(grouping.clusters, all, [...bySize.keys()], (size) => BigInt(bySize.get(size) as number));
    this.#least = table.map((sums) => Float64Array.from(sums, (sum) => (sum === null ? Infinity : Number(sum))));
    const left: { readonly elements: readonly number[]; readonly reduced: number; readonly slack: number }[] = [];
    for (const { size, elements, sums, priced } of blocks) {
      sums.forEach((sum, g) => {
        const reduced = priced.scaledTo(k, sum);
        const slack = reduced - (bySize.get(size) as number);
        left.push({ elements: [...elements.subarray(g * size, (g + 1) * size)], reduced, slack });
      });
    }
    left.sort((a, b) => a.slack - b.slack);
    this.#left = left.map(({ elements }) => elements);
    this.#reduced = Float64Array.from(left, ({ reduced }) => reduced);
    this.#slack = Float64Array.from(left, ({ slack }) => slack);
    this.#words = Math.ceil(all / 32);
    this.#masks = new Int32Array(left.length * this.#words);
    this.#left.forEach((elements, g) => {
      for (const element of elements) {
        const at = g * this.#words + (element >> 5);
        this.#masks[at] = (this.#masks[at] as number) | (1 << (element & 31));
      }
    });
    this.#covered = new Uint8Array(all);
    this.#counts = new Int32Array(all);
    this.#leastSlack = new Float64Array(all);
    this.#stack = Int32Array.from(left.keys());
  }

  run(): PartitionSearch {
    const { clusters, elements } = this.#grouping;
    const end = this.#visit(clusters, elements.length, 0, 0, this.#left.length);
    if (end === "found") {
      return { kind: "found", clusters: this.#chosen.map((g) => this.#left[g] as readonly number[]) };
    }
    return { kind: end };
  }

  /**
   * Chooses k clusters for m elements from the list at from … to − 1 of the stack, beside clusters with a sum of
   * reduced costs.
   */
  #visit(k: number, m: number, sum: number, from: number, to: number): PartitionSearch["kind"] {
    if (k === 0) return m === 0 && this.#isBelow() ? "found" : "none";
    const room = this.#budget - sum - (this.#leastOf(k, m) as number);
    if (!(room > 0)) return "none";
    this.#looks += to - from + this.#counts.length;
    if (this.#looks > (this.#limits.maxLooks ?? MAX_LOOKS)) return "too-many";
    if (++this.#nodes % NODES_BETWEEN_QUESTIONS === 0 && this.#limits.shouldStop?.(NODES_BETWEEN_QUESTIONS) === true)
      return "too-many";
    const element = this.#nextElement(from, to, room);
    if (element === -1) return "none";
    const word = element >> 5;
    const bit = 1 << (element & 31);
    for (let at = from; at < to; at++) {
      const g = this.#stack[at] as number;
      if (((this.#masks[g * this.#words + word] as number) & bit) === 0) continue;
      const elements = this.#left[g] as readonly number[];
      const next = sum + (this.#reduced[g] as number);
      const rest = m - elements.length;
      const open = this.#budget - next - this.#leastOf(k - 1, rest);
      if (!(open > 0)) continue;
      const end = this.#keep(g, k - 1, rest, next, open, from, to);
      for (const i of elements) this.#covered[i] = 1;
      this.#chosen.push(g);
      const found = this.#visit(k - 1, rest, next, to, end);
      if (found !== "none") return found;
      this.#chosen.pop();
      for (const i of elements) this.#covered[i] = 0;
    }
    return "none";
  }

  /**
   * Lists, after `to`, the clusters that can still be chosen beside g, k of them for m elements; returns where the list
   * ends.
   */
  #keep(g: number, k: number, m: number, sum: number, room: number, from: number, to: number): number {
    if (k === 0) return to;
    if (this.#stack.length < 2 * to - from) {
      const wider = new Int32Array(2 * (2 * to - from));
      wider.set(this.#stack);
      this.#stack = wider;
    }
    const stack = this.#stack;
    const words = this.#words;
    const masks = this.#masks;
    const mine = g * words;
    let end = to;
    for (let at = from; at < to; at++) {
      const other = stack[at] as number;
      // In rising order: all further ones have at least this slack.
      if ((this.#slack[other] as number) >= room) break;
      const theirs = other * words;
      let word = 0;
      while (word < words && ((masks[mine + word] as number) & (masks[theirs + word] as number)) === 0) word++;
      if (word < words) continue;
      const rest = m - (this.#left[other] as readonly number[]).length;
      if (sum + (this.#reduced[other] as number) + this.#leastOf(k - 1, rest) >= this.#budget) continue;
      stack[end++] = other;
    }
    return end;
  }

  /** The open element that the fewest clusters can take; −1 where one is left without, or slacks add up to the room. */
  #nextElement(from: number, to: number, room: number): number {
    const counts = this.#counts.fill(0);
    for (let at = from; at < to; at++) {
      const g = this.#stack[at] as number;
      const elements = this.#left[g] as readonly number[];
      for (let n = 0; n < elements.length; n++) {
        const element = elements[n] as number;
        const count = counts[element] as number;
        if (count === 0) this.#leastSlack[element] = this.#slack[g] as number;
        counts[element] = count + 1;
      }
    }
    let fewest = Number.POSITIVE_INFINITY;
    let best = -1;
    let slacks = 0;
    for (let element = 0; element < counts.length; element++) {
      if (this.#covered[element] === 1) continue;
      const count = counts[element] as number;
      if (count === 0) return -1;
      slacks += this.#leastSlack[element] as number;
      if (count >= fewest) continue;
      fewest = count;
      best = element;
    }
    return floorOver(slacks, this.#most) >= room ? -1 : best;
  }

  #leastOf(k: number, m: number): number {
    return m < 0 ? Number.POSITIVE_INFINITY : ((this.#least[k] as Float64Array)[m] as number);
  }

  #isBelow(): boolean {
    if (this.#claim === null) return true;
    const value = this.#chosen.reduce(
      (sum, g) => sum.add(clusterCost(this.#grouping, this.#left[g] as readonly number[])),
      Rational.zero,
    );
    return value.compare(this.#claim) < 0;
  }
}
