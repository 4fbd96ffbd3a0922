import { greatestCommonDivisor, Rational } from "../../../exact/rational.js";
import { evaluateGrouping } from "../../../program/grouping/evaluate.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import { ChosenLimits, clusterLimits } from "./cluster-limits.js";
import { type IntegerLoad, integerLoad } from "./integer-load.js";
import type { GroupingNode } from "./node.js";
import type { WalkLimits } from "./priced-units.js";
import { floorOver, integerCutoff, scaledDown, scaleFor } from "./scaled-integers.js";
import { TooMany } from "./too-many.js";

/** Partial halves that are looked at before the step is refused. */
const MAX_NODES = 2_000_000_000;

const NODES_BETWEEN_QUESTIONS = 4096;

/**
 * A labeling, of a node of a grouping into two, whose value is below the claim (`null`: any labeling); `null` where all
 * were gone through and there is none. Throws `RangeError` where the grouping has more than two clusters.
 *
 * Element 0 is in cluster A. For sizes a + b = F the value is (α·pairs(A) + β·pairs(B)) / γ with integers α, β, γ (1,
 * 1, 1, or with costs shared by size b/d, a/d, ab/d, d = gcd(a, b)). Elements are put into A or B one by one. An
 * element j that is left costs at least α·(its pairs with A so far + half the least that the further elements of A have
 * between them and j) in A, likewise in B; as many as A has room for are in A, those that save most.
 */
export function halvesBelow(
  grouping: Grouping,
  node: GroupingNode,
  claim: Rational | null,
  limits: WalkLimits = {},
): readonly number[] | null | TooMany {
  const all = grouping.elements.length;
  if (grouping.clusters !== 2) throw new RangeError(`halves are of two groups, not of ${grouping.clusters}`);
  const { least, most } = node.window;
  const later = grouping.windows.filter((window) => window.least > least);
  for (let size = Math.max(1, least); size <= most && size < all; size++) {
    if (all - size < least || all - size > most) continue;
    // Windows overlap: what the node of a later one holds is left to that one.
    const smaller = Math.min(size, all - size);
    if (later.some((window) => smaller >= window.least && all - smaller <= window.most)) continue;
    const found = new HalvesSearch(grouping, node, size, claim, limits).run();
    if (found !== null) return found;
  }
  return null;
}

class HalvesSearch {
  readonly #grouping: Grouping;
  readonly #claim: Rational | null;
  readonly #until: WalkLimits;
  readonly #all: number;
  readonly #shares: readonly [number, number];
  readonly #rooms: [number, number];
  /** By places; `null` where nothing limits. */
  readonly #load: IntegerLoad | null;
  readonly #carried: [number, number] = [0, 0];
  /** Of each side, by places; `null` where nothing limits beside the load. */
  readonly #limits: readonly [ChosenLimits, ChosenLimits] | null;
  /** Elements in the order in which they are put, 0 first. */
  readonly #order: Int32Array;
  /** By places in the order: F × F. */
  readonly #pairs: Float64Array;
  /** 1: together, 2: apart; by places. */
  readonly #ties: Uint8Array;
  /**
   * leastHalves[(from · F + j) · F + r]: half the least pairs of the element at j with r others at places from … F−1.
   */
  readonly #leastHalves: Float64Array;
  /** By depth: pairs with A and with B of the elements left. */
  readonly #gains: readonly [Float64Array, Float64Array][];
  readonly #savings: Float64Array;
  readonly #side: Uint8Array;
  readonly #cutoff: number;
  #nodes = 0;
  #isStopped = false;

  constructor(grouping: Grouping, node: GroupingNode, size: number, claim: Rational | null, until: WalkLimits) {
    this.#until = until;
    const all = grouping.elements.length;
    this.#grouping = grouping;
    this.#claim = claim;
    this.#all = all;
    this.#rooms = [size, all - size];
    const divisor = Number(greatestCommonDivisor(BigInt(size), BigInt(all - size)));
    const isShared = grouping.share === "bySize";
    this.#shares = isShared ? [(all - size) / divisor, size / divisor] : [1, 1];
    const gamma = isShared ? (size * (all - size)) / divisor : 1;
    const total = grouping.pairs.reduce((sum, pair) => sum.add(pair), Rational.zero);
    // All pairs in both clusters, and the halves of the rest.
    const k = scaleFor(total.multiply(Rational.of(BigInt(2 * (this.#shares[0] + this.#shares[1])))));
    this.#order = orderOf(grouping, claim === null);
    const places = Array.from(this.#order, (element) => [element]);
    this.#load = grouping.load && integerLoad(grouping, grouping.load, places);
    const limits = clusterLimits(grouping, places);
    this.#limits = limits && [new ChosenLimits(limits, all), new ChosenLimits(limits, all)];
    this.#pairs = new Float64Array(all * all);
    for (let v = 1; v < all; v++) {
      for (let u = 0; u < v; u++) {
        const [i, j] = [this.#order[u] as number, this.#order[v] as number];
        const pair = grouping.pairs[pairIndex(Math.min(i, j), Math.max(i, j))] as Rational;
        const scaled = Number(scaledDown(pair, 1n, k));
        this.#pairs[u * all + v] = scaled;
        this.#pairs[v * all + u] = scaled;
      }
    }
    this.#ties = new Uint8Array(all * all);
    const placeOf = new Int32Array(all);
    this.#order.forEach((element, place) => {
      placeOf[element] = place;
    });
    for (const [pairs, kind] of [
      [node.together, 1],
      [node.apart, 2],
    ] as const) {
      for (const [i, j] of pairs) {
        const [u, v] = [placeOf[i] as number, placeOf[j] as number];
        this.#ties[u * all + v] = (this.#ties[u * all + v] as number) | kind;
        this.#ties[v * all + u] = (this.#ties[v * all + u] as number) | kind;
      }
    }
    this.#leastHalves = leastHalvesOf(this.#pairs, all);
    this.#gains = Array.from({ length: all + 1 }, () => [new Float64Array(all), new Float64Array(all)]);
    this.#savings = new Float64Array(all);
    this.#side = new Uint8Array(all);
    this.#cutoff = claim === null ? Number.POSITIVE_INFINITY : integerCutoff(claim, BigInt(gamma), k);
  }

  run(): readonly number[] | null | TooMany {
    const isOver = this.#put(0, 0, 0);
    if (this.#isStopped) return new TooMany("there are too many halves to go through");
    return isOver ? this.#labels() : null;
  }

  /**
   * Puts the element at a place into one side, and all after it; `true` where that ends below the claim, or a limit
   * ends all.
   */
  #put(place: number, side: 0 | 1, sum: number): boolean {
    const { maxNodes, shouldStop } = this.#until;
    const isOver = ++this.#nodes > (maxNodes ?? MAX_NODES);
    if (isOver || (this.#nodes % NODES_BETWEEN_QUESTIONS === 0 && shouldStop?.(NODES_BETWEEN_QUESTIONS) === true)) {
      this.#isStopped = true;
      return true;
    }
    const all = this.#all;
    const weight = this.#load?.weights[place] ?? 0;
    const isFull = this.#load !== null && this.#carried[side] + weight > this.#load.most;
    const limits = this.#limits?.[side];
    if (isFull || limits?.admits(place) === false || !this.#allows(place, side)) return false;
    const added = this.#shares[side] * (this.#gains[place]?.[side][place] as number);
    const reached = sum + added;
    this.#side[place] = side;
    if (place === all - 1) return reached < this.#cutoff && this.#isBelow();
    this.#rooms[side]--;
    this.#carried[side] += weight;
    limits?.choose(place);
    const before = this.#gains[place] as [Float64Array, Float64Array];
    const after = this.#gains[place + 1] as [Float64Array, Float64Array];
    const row = place * all;
    for (let v = place + 1; v < all; v++) {
      const pair = this.#pairs[row + v] as number;
      after[side][v] = (before[side][v] as number) + pair;
      after[(1 - side) as 0 | 1][v] = before[(1 - side) as 0 | 1][v] as number;
    }
    let found = false;
    if (reached + this.#rest(place + 1) < this.#cutoff) {
      for (const next of [0, 1] as const) {
        if (this.#rooms[next] > 0 && this.#put(place + 1, next, reached)) {
          found = true;
          break;
        }
      }
    }
    this.#rooms[side]++;
    this.#carried[side] -= weight;
    limits?.leave(place);
    return found;
  }

  /** What the elements from a place on add at least. */
  #rest(from: number): number {
    const all = this.#all;
    const [first, second] = this.#gains[from] as [Float64Array, Float64Array];
    const [roomA, roomB] = this.#rooms;
    const savings = this.#savings;
    let sum = 0;
    let count = 0;
    for (let v = from; v < all; v++) {
      const at = (from * all + v) * all;
      const inA =
        roomA === 0 ? 0 : this.#shares[0] * ((first[v] as number) + (this.#leastHalves[at + roomA - 1] as number));
      const inB =
        roomB === 0 ? 0 : this.#shares[1] * ((second[v] as number) + (this.#leastHalves[at + roomB - 1] as number));
      if (roomB === 0) {
        sum += inA;
        continue;
      }
      sum += inB;
      if (roomA === 0) continue;
      const saving = inA - inB;
      // Only the least `roomA` are kept, in rising order.
      if (count === roomA && saving >= (savings[count - 1] as number)) continue;
      let at2 = count < roomA ? count++ : count - 1;
      for (; at2 > 0 && (savings[at2 - 1] as number) > saving; at2--) savings[at2] = savings[at2 - 1] as number;
      savings[at2] = saving;
    }
    for (let c = 0; c < count; c++) sum += savings[c] as number;
    return sum;
  }

  #allows(place: number, side: number): boolean {
    const row = place * this.#all;
    for (let u = 0; u < place; u++) {
      const tie = this.#ties[row + u] as number;
      if (tie === 0) continue;
      const isSame = this.#side[u] === side;
      if (((tie & 1) !== 0 && !isSame) || ((tie & 2) !== 0 && isSame)) return false;
    }
    return true;
  }

  /** Whether the labeling made is one of the grouping and below the claim, in exact arithmetic. */
  #isBelow(): boolean {
    const { objective, violations } = evaluateGrouping(this.#grouping, this.#labels());
    return violations.length === 0 && (this.#claim === null || objective.compare(this.#claim) < 0);
  }

  /** The side of each element. */
  #labels(): readonly number[] {
    const labels = new Array<number>(this.#all);
    this.#order.forEach((element, place) => {
      labels[element] = this.#side[place] as number;
    });
    return labels;
  }
}

/**
 * Element 0, then those with the largest pairs in all first; the heaviest ones first where nothing but the load ends
 * the search.
 */
function orderOf({ elements, pairs, load }: Grouping, byWeight: boolean): Int32Array {
  const keys = elements.map((_, i) => {
    if (byWeight && load !== null) return (load.weights[i] as Rational).toNumber();
    const pair = (j: number) => pairs[pairIndex(Math.min(i, j), Math.max(i, j))] as Rational;
    return elements.reduce((sum, _, j) => (i === j ? sum : sum + pair(j).toNumber()), 0);
  });
  const rest = [...elements.keys()].slice(1).sort((i, j) => (keys[j] as number) - (keys[i] as number) || i - j);
  return Int32Array.from([0, ...rest]);
}

/** See {@link HalvesSearch}: for every `from`, every place from there on, and every number of others. */
function leastHalvesOf(pairs: Float64Array, all: number): Float64Array {
  const halves = new Float64Array(all ** 3);
  for (let from = 0; from < all; from++) {
    for (let v = from; v < all; v++) {
      const row: number[] = [];
      for (let u = from; u < all; u++) {
        if (u === v) continue;
        const pair = pairs[u * all + v] as number;
        row.push(u < v ? floorOver(pair, 2) : pair - floorOver(pair, 2));
      }
      row.sort((a, b) => a - b);
      let sum = 0;
      for (let r = 0; r < all; r++) {
        halves[(from * all + v) * all + r] = sum;
        sum += row[r] ?? 0;
      }
    }
  }
  return halves;
}
