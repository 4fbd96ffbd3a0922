import { ChosenLimits } from "./cluster-limits.js";
import type { PricedUnits, VisitCluster, WalkLimits } from "./priced-units.js";
import { floorOver } from "./scaled-integers.js";
import { SharedSets } from "./shared-sets.js";

const NODES_BETWEEN_QUESTIONS = 1024;

/**
 * The walk through clusters of units of one or more elements (see `clustersBelow`), by depth-first search.
 *
 * With r elements still to add to a cluster C, unit j adds at least g_j + half the least that r − m_j further elements
 * have between them and j (g_j: own, and between j and C; m_j: its elements): each pair is counted half from either
 * side. The r least of these, element by element, bound the rest from below. Candidates are taken in rising order, each
 * with those after it alone, so that the first that reaches the cutoff ends the row.
 */
export class UnitsWalk {
  readonly #units: PricedUnits;
  readonly #visit: VisitCluster;
  readonly #until: WalkLimits;
  /** leastHalves[u · (size + 1) + r]: the least that r further elements have between them and u, counted half. */
  readonly #leastHalves: Float64Array;
  readonly #chosen: Int32Array;
  /** Of each depth: candidates, what they add to the cluster so far, and by element at least in the end. */
  readonly #candidates: Int32Array[] = [];
  readonly #gains: Float64Array[] = [];
  readonly #perElement: Float64Array[] = [];
  readonly #limits: ChosenLimits | null;
  readonly #sets: SharedSets | null;
  #cutoff = 0;
  #nodes = 0;
  #stopped = false;

  constructor(units: PricedUnits, visit: VisitCluster, until: WalkLimits) {
    this.#units = units;
    this.#visit = visit;
    this.#until = until;
    this.#leastHalves = leastHalvesOf(units);
    this.#chosen = new Int32Array(units.size);
    const { limits = null } = units;
    this.#limits = limits === null ? null : new ChosenLimits(limits, units.sizes.length);
    this.#sets = units.sets.length === 0 ? null : new SharedSets(units.sizes.length, units.sets);
    for (let depth = 0; depth <= units.size; depth++) {
      this.#candidates.push(new Int32Array(units.sizes.length));
      this.#gains.push(new Float64Array(units.sizes.length));
      this.#perElement.push(new Float64Array(units.sizes.length));
    }
  }

  /** See `clustersBelow`. */
  run(cutoff: number): boolean {
    this.#cutoff = cutoff;
    const { sizes, own, size, load } = this.#units;
    const candidates = this.#candidates[0] as Int32Array;
    const gains = this.#gains[0] as Float64Array;
    let count = 0;
    for (let u = 0; u < sizes.length; u++) {
      // A unit that has too few others beside it is in no cluster of this size.
      const isAlone =
        this.#leastHalves[u * (size + 1) + Math.max(0, size - (sizes[u] as number))] === Number.POSITIVE_INFINITY;
      if ((sizes[u] as number) > size || isAlone || (load !== null && (load.weights[u] as number) > load.most))
        continue;
      if (this.#limits?.admits(u) === false) continue;
      candidates[count] = u;
      gains[count++] = own[u] as number;
    }
    if (count > 0) this.#extend(0, count, size, 0, 0);
    return !this.#stopped;
  }

  /** Adds `left` elements to the `depth` units chosen, from the first `count` candidates of this depth. */
  #extend(depth: number, count: number, left: number, sum: number, load: number): void {
    if (this.#mustStop()) return;
    const { sizes, between, apart } = this.#units;
    const weights = this.#units.load?.weights;
    const all = sizes.length;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const perElement = this.#perElement[depth] as Float64Array;
    this.#sort(candidates, gains, perElement, count, left);
    const next = this.#candidates[depth + 1] as Int32Array;
    const nextGains = this.#gains[depth + 1] as Float64Array;
    for (let c = 0; c < count; c++) {
      if (sum + least(perElement, candidates, sizes, c, count, left) >= this.#cutoff) return;
      const u = candidates[c] as number;
      const size = sizes[u] as number;
      const carried = weights === undefined ? 0 : load + (weights[u] as number);
      const reduced = sum + (gains[c] as number) + (this.#sets?.paidFor(u) ?? 0);
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
      this.#limits?.choose(u);
      for (let d = c + 1; d < count; d++) {
        const v = candidates[d] as number;
        if ((sizes[v] as number) > rest || apart[u * all + v] === 1) continue;
        if (weights !== undefined && (weights[v] as number) > most) continue;
        if (this.#limits?.admits(v) === false) continue;
        next[kept] = v;
        nextGains[kept++] = (gains[d] as number) + (between[u * all + v] as number);
      }
      if (kept > 0) {
        this.#sets?.choose(u);
        this.#extend(depth + 1, kept, rest, reduced, carried);
        this.#sets?.leave(u);
      }
      this.#limits?.leave(u);
      if (this.#stopped) return;
    }
  }

  #mustStop(): boolean {
    if (++this.#nodes % NODES_BETWEEN_QUESTIONS === 0 && this.#until.shouldStop?.(NODES_BETWEEN_QUESTIONS) === true)
      this.#stopped = true;
    if (this.#nodes > (this.#until.maxNodes ?? Number.POSITIVE_INFINITY)) this.#stopped = true;
    return this.#stopped;
  }

  /** Orders candidates by what they add in the end, by element at least. */
  #sort(candidates: Int32Array, gains: Float64Array, perElement: Float64Array, count: number, left: number): void {
    const { sizes, size: width } = this.#units;
    const open = this.#sets?.open;
    for (let c = 0; c < count; c++) {
      const u = candidates[c] as number;
      const gain = gains[c] as number;
      const size = sizes[u] as number;
      const own = open === undefined ? gain : gain + floorOver(open[u] as number, 2);
      const total = own + (this.#leastHalves[u * (width + 1) + Math.max(0, left - size)] as number);
      const value = size === 1 ? total : floorOver(total, size);
      let d = c;
      for (; d > 0 && (perElement[d - 1] as number) > value; d--) {
        perElement[d] = perElement[d - 1] as number;
        candidates[d] = candidates[d - 1] as number;
        gains[d] = gains[d - 1] as number;
      }
      perElement[d] = value;
      candidates[d] = u;
      gains[d] = gain;
    }
  }

  #carries(load: number): boolean {
    const limit = this.#units.load;
    return limit === null || (load >= limit.least && load <= limit.most);
  }
}

/** The least that `left` elements add, from the candidates in rising order from `from` on; ∞ where they are too few. */
function least(
  perElement: Float64Array,
  candidates: Int32Array,
  sizes: Int32Array,
  from: number,
  count: number,
  left: number,
): number {
  let sum = 0;
  for (let c = from; c < count; c++) {
    const size = sizes[candidates[c] as number] as number;
    if (size >= left) return sum + left * (perElement[c] as number);
    sum += size * (perElement[c] as number);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** For each unit and r ≤ size: the least sum of half the pairs between the unit and r elements of others. */
function leastHalvesOf({ sizes, between, apart, size }: PricedUnits): Float64Array {
  const all = sizes.length;
  const least = new Float64Array(all * (size + 1));
  for (let u = 0; u < all; u++) {
    const others: { readonly size: number; readonly perElement: number }[] = [];
    for (let v = 0; v < all; v++) {
      if (v === u || apart[u * all + v] === 1) continue;
      const pair = between[u * all + v] as number;
      const half = u < v ? floorOver(pair, 2) : pair - floorOver(pair, 2);
      others.push({ size: sizes[v] as number, perElement: floorOver(half, sizes[v] as number) });
    }
    others.sort((a, b) => a.perElement - b.perElement);
    let r = 0;
    for (const other of others) {
      for (let k = 0; k < other.size && r < size; k++, r++) {
        least[u * (size + 1) + r + 1] = (least[u * (size + 1) + r] as number) + other.perElement;
      }
    }
    // Too few others: the unit is in no cluster of this size.
    for (; r < size; r++) least[u * (size + 1) + r + 1] = Number.POSITIVE_INFINITY;
  }
  return least;
}
