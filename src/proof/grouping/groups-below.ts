import { ChosenTriples } from "./chosen-triples.js";
import type { IntegerLoad } from "./integer-load.js";
import { floorOver } from "./integers.js";

/**
 * Groups of one size and what they cost less their prices, in integers held in doubles: every sum that the walk forms is
 * below 2⁵³, so that it is exact. U units (items that stay together) stand for the items.
 */
export interface PricedUnits {
  /** Items that a group has. */
  readonly size: number;
  /** Items of each unit. */
  readonly sizes: Int32Array;
  /** What a unit adds by itself: the pairs inside it, less its price. */
  readonly own: Float64Array;
  /** What two units add, not negative: U × U, symmetric, the diagonal unused. */
  readonly between: Float64Array;
  /** 1 where two units cannot be in one group: U × U. */
  readonly apart: Uint8Array;
  /** `null` where nothing limits. */
  readonly load: IntegerLoad | null;
  /** What a group pays that has two or all of three units. */
  readonly triples: readonly PricedTriple[];
}

/** Three different units and what a group adds, once, that has two or more of them; not negative. */
export interface PricedTriple {
  readonly units: readonly [number, number, number];
  readonly price: number;
}

/** When to stop before the end. */
export interface WalkLimits {
  /** Sets of units looked at. */
  readonly maxNodes?: number;
  /** Asked now and then. */
  readonly shouldStop?: () => boolean;
}

/**
 * Told of a group below the cutoff: `units[0 … count−1]` (only until it returns) and its sum. Returns the cutoff from
 * here on, which may be lower than before; −∞ ends the walk.
 */
export type VisitGroup = (units: Int32Array, count: number, reduced: number) => number;

/**
 * Visits every group whose sum own + between + triples is below the cutoff, by depth-first search. `true` when all were visited,
 * `false` when a limit ended the walk.
 *
 * With r items to add to a group C, unit j adds at least g_j + half the least that r − m_j further items have between
 * them and j (g_j: own, and between j and C; m_j: its items): each pair is counted half from either side. The r least of
 * these, item by item, bound the rest from below. Candidates are taken in rising order, each with those after it alone,
 * so that the first that reaches the cutoff ends the row. (The least halves among the candidates alone, instead of among
 * all units, leave a third of the sets of units, and take four times as long.)
 *
 * Of a triple with one unit in C, the others add half of its price each, rounded down: both pay it once, one alone pays
 * all of it. Triples with none in C count as nothing, those with two have paid.
 */
export function groupsBelow(units: PricedUnits, cutoff: number, visit: VisitGroup, limits: WalkLimits = {}): boolean {
  return new GroupSearch(units, visit, limits).run(cutoff);
}

const NODES_BETWEEN_QUESTIONS = 1024;

class GroupSearch {
  readonly #units: PricedUnits;
  readonly #visit: VisitGroup;
  readonly #limits: WalkLimits;
  /** leastHalves[u · (size + 1) + r]: the least that r further items have between them and u, counted half. */
  readonly #leastHalves: Float64Array;
  /** Every unit is one item, none are apart, and nothing limits what groups carry. */
  readonly #isPlain: boolean;
  readonly #chosen: Int32Array;
  /** Of each depth: candidates, what they add to the group so far, and by item at least in the end. */
  readonly #candidates: Int32Array[] = [];
  readonly #gains: Float64Array[] = [];
  readonly #perItem: Float64Array[] = [];
  readonly #triples: ChosenTriples | null;
  #cutoff = 0;
  #nodes = 0;
  #stopped = false;

  constructor(units: PricedUnits, visit: VisitGroup, limits: WalkLimits) {
    this.#units = units;
    this.#visit = visit;
    this.#limits = limits;
    this.#leastHalves = leastHalvesOf(units);
    const isSingle = units.sizes.every((size) => size === 1);
    this.#isPlain = isSingle && units.apart.every((apart) => apart === 0) && units.load === null;
    this.#chosen = new Int32Array(units.size);
    this.#triples = units.triples.length === 0 ? null : new ChosenTriples(units);
    for (let depth = 0; depth <= units.size; depth++) {
      this.#candidates.push(new Int32Array(units.sizes.length));
      this.#gains.push(new Float64Array(units.sizes.length));
      this.#perItem.push(new Float64Array(units.sizes.length));
    }
  }

  run(cutoff: number): boolean {
    this.#cutoff = cutoff;
    const { sizes, own, size, load } = this.#units;
    const candidates = this.#candidates[0] as Int32Array;
    const gains = this.#gains[0] as Float64Array;
    let count = 0;
    for (let u = 0; u < sizes.length; u++) {
      // A unit that has too few others beside it is in no group of this size.
      const isAlone =
        this.#leastHalves[u * (size + 1) + Math.max(0, size - (sizes[u] as number))] === Number.POSITIVE_INFINITY;
      if ((sizes[u] as number) > size || isAlone || (load !== null && (load.weights[u] as number) > load.most))
        continue;
      candidates[count] = u;
      gains[count++] = own[u] as number;
    }
    if (this.#isPlain) this.#extendPlain(0, count, size, 0);
    else if (count > 0) this.#extend(0, count, size, 0, 0);
    return !this.#stopped;
  }

  /** Adds `left` items to the `depth` units chosen, from the first `count` candidates of this depth. */
  #extend(depth: number, count: number, left: number, sum: number, load: number): void {
    if (this.#mustStop()) return;
    const { sizes, between, apart } = this.#units;
    const weights = this.#units.load?.weights;
    const all = sizes.length;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const perItem = this.#perItem[depth] as Float64Array;
    this.#sort(candidates, gains, perItem, count, left);
    const next = this.#candidates[depth + 1] as Int32Array;
    const nextGains = this.#gains[depth + 1] as Float64Array;
    for (let c = 0; c < count; c++) {
      if (sum + least(perItem, candidates, sizes, c, count, left) >= this.#cutoff) return;
      const u = candidates[c] as number;
      const size = sizes[u] as number;
      const carried = weights === undefined ? 0 : load + (weights[u] as number);
      const reduced = sum + (gains[c] as number) + (this.#triples?.paidFor(u) ?? 0);
      this.#chosen[depth] = u;
      if (size === left) {
        if (reduced < this.#cutoff && this.#carries(carried)) {
          this.#cutoff = Math.min(this.#cutoff, this.#visit(this.#chosen, depth + 1, reduced));
        }
        continue;
      }
      const rest = left - size;
      const most = this.#units.load === null ? 0 : this.#units.load.most - carried;
      let kept = 0;
      for (let d = c + 1; d < count; d++) {
        const v = candidates[d] as number;
        if ((sizes[v] as number) > rest || apart[u * all + v] === 1) continue;
        if (weights !== undefined && (weights[v] as number) > most) continue;
        next[kept] = v;
        nextGains[kept++] = (gains[d] as number) + (between[u * all + v] as number);
      }
      if (kept > 0) {
        this.#triples?.choose(u);
        this.#extend(depth + 1, kept, rest, reduced, carried);
        this.#triples?.leave(u);
      }
      if (this.#stopped) return;
    }
  }

  /** The same where {@link #isPlain}: most of the time is spent here. */
  #extendPlain(depth: number, count: number, left: number, sum: number): void {
    if (this.#mustStop()) return;
    const { sizes, between } = this.#units;
    const all = sizes.length;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const perItem = this.#perItem[depth] as Float64Array;
    if (left === 1) {
      for (let c = 0; c < count; c++) this.#meet(depth, candidates[c] as number, sum + (gains[c] as number));
      return;
    }
    this.#sort(candidates, gains, perItem, count, left);
    const next = this.#candidates[depth + 1] as Int32Array;
    const nextGains = this.#gains[depth + 1] as Float64Array;
    // The first left − 1 from c on, and the first left of them.
    let few = sum;
    for (let c = 0; c < left - 1; c++) few += perItem[c] as number;
    for (let c = 0; c + left <= count; c++) {
      const last = few + (perItem[c + left - 1] as number);
      if (last >= this.#cutoff) return;
      const u = candidates[c] as number;
      const reduced = sum + (gains[c] as number) + (this.#triples?.paidFor(u) ?? 0);
      this.#chosen[depth] = u;
      // Beside c and those after it, candidates add at least so much: the first that reaches the cutoff ends the row.
      const room = this.#cutoff - few;
      const row = u * all;
      let kept = 0;
      for (let d = c + 1; d < count; d++) {
        if (d >= c + left && (perItem[d] as number) >= room) break;
        const v = candidates[d] as number;
        next[kept] = v;
        nextGains[kept++] = (gains[d] as number) + (between[row + v] as number);
      }
      this.#triples?.choose(u);
      this.#extendPlain(depth + 1, kept, left - 1, reduced);
      this.#triples?.leave(u);
      if (this.#stopped) return;
      few = last - (perItem[c] as number);
    }
  }

  /** The group that the unit completes. */
  #meet(depth: number, unit: number, reduced: number): void {
    if (reduced >= this.#cutoff) return;
    const whole = reduced + (this.#triples?.paidFor(unit) ?? 0);
    if (whole >= this.#cutoff) return;
    this.#chosen[depth] = unit;
    this.#cutoff = Math.min(this.#cutoff, this.#visit(this.#chosen, depth + 1, whole));
  }

  #mustStop(): boolean {
    if (++this.#nodes % NODES_BETWEEN_QUESTIONS === 0 && this.#limits.shouldStop?.() === true) this.#stopped = true;
    if (this.#nodes > (this.#limits.maxNodes ?? Number.POSITIVE_INFINITY)) this.#stopped = true;
    return this.#stopped;
  }

  /** Orders candidates by what they add in the end, by item at least. */
  #sort(candidates: Int32Array, gains: Float64Array, perItem: Float64Array, count: number, left: number): void {
    const { sizes, size: width } = this.#units;
    const halves = this.#triples?.halves;
    for (let c = 0; c < count; c++) {
      const u = candidates[c] as number;
      const gain = gains[c] as number;
      const size = sizes[u] as number;
      const own = halves === undefined ? gain : gain + (halves[u] as number);
      const total = own + (this.#leastHalves[u * (width + 1) + Math.max(0, left - size)] as number);
      const value = size === 1 ? total : floorOver(total, size);
      let d = c;
      for (; d > 0 && (perItem[d - 1] as number) > value; d--) {
        perItem[d] = perItem[d - 1] as number;
        candidates[d] = candidates[d - 1] as number;
        gains[d] = gains[d - 1] as number;
      }
      perItem[d] = value;
      candidates[d] = u;
      gains[d] = gain;
    }
  }

  #carries(load: number): boolean {
    const limit = this.#units.load;
    return limit === null || (load >= limit.least && load <= limit.most);
  }
}

/** The least that `left` items add, from the candidates in rising order from `from` on; ∞ where they are too few. */
function least(
  perItem: Float64Array,
  candidates: Int32Array,
  sizes: Int32Array,
  from: number,
  count: number,
  left: number,
): number {
  let sum = 0;
  for (let c = from; c < count; c++) {
    const size = sizes[candidates[c] as number] as number;
    if (size >= left) return sum + left * (perItem[c] as number);
    sum += size * (perItem[c] as number);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** For each unit and r ≤ size: the least sum of half the pairs between the unit and r items of others. */
function leastHalvesOf({ sizes, between, apart, size }: PricedUnits): Float64Array {
  const all = sizes.length;
  const least = new Float64Array(all * (size + 1));
  for (let u = 0; u < all; u++) {
    const others: { readonly size: number; readonly perItem: number }[] = [];
    for (let v = 0; v < all; v++) {
      if (v === u || apart[u * all + v] === 1) continue;
      const pair = between[u * all + v] as number;
      const half = u < v ? floorOver(pair, 2) : pair - floorOver(pair, 2);
      others.push({ size: sizes[v] as number, perItem: floorOver(half, sizes[v] as number) });
    }
    others.sort((a, b) => a.perItem - b.perItem);
    let r = 0;
    for (const other of others) {
      for (let k = 0; k < other.size && r < size; k++, r++) {
        least[u * (size + 1) + r + 1] = (least[u * (size + 1) + r] as number) + other.perItem;
      }
    }
    // Too few others: the unit is in no group of this size.
    for (; r < size; r++) least[u * (size + 1) + r + 1] = Number.POSITIVE_INFINITY;
  }
  return least;
}
