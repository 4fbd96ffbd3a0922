import { ChosenLimits } from "./cluster-limits.js";
import type { PricedUnits, VisitCluster, WalkLimits } from "./priced-units.js";
import { floorOver } from "./scaled-integers.js";
import { SharedSets } from "./shared-sets.js";

/** Sets looked at between two questions whether to stop. */
const BETWEEN_QUESTIONS = 1024;

/** Least numbers of pairs are found anew where a set of this depth has so many below it: they take as long as these. */
const WORTH = 256;

/** The part of the newest number in the mean of how many there are. */
const NEWEST = 0.125;

/**
 * Visits every cluster whose sum own + between + what it pays for sets is below the cutoff. `true` when all were visited,
 * `false` when a limit ended the walk.
 */
export function clustersBelow(
  units: PricedUnits,
  cutoff: number,
  visit: VisitCluster,
  limits: WalkLimits = {},
): boolean {
  return new ClusterWalk(units, visit, limits).run(cutoff);
}

/**
 * The walk through clusters, by depth-first search.
 *
 * With r elements still to add to a cluster C, let g_j be what unit j adds to C, and m_j its elements. For any numbers q, a
 * cluster that is C and units R with r elements has the sum
 *
 *   2 · sum  =  2 · sum(C) + Σ_{j in R} (2 g_j + Σ_{i in R, i ≠ j} (between_ij + m_j·q_i − m_i·q_j)),
 *
 * as every pair is counted from either side, where what q adds on one it takes from the other. So j adds at least
 * 2 g_j + the r − m_j least elements' shares of between_ij + m_j·q_i − m_i·q_j over the candidates i, by element at least the
 * m_j-th part of that, and the r least elements bound the cluster from below. q_i = g_i / r, rounded, shares out what a unit
 * adds over itself and its pairs: one that adds much then no longer looks good beside all others. (Caprara, Pisinger and
 * Toth, INFORMS Journal on Computing 11, 1999, divide the pairs of the quadratic knapsack by a Lagrangian ascent; this
 * division takes none. Ascents from it, kept for larger sets, left more of them.)
 *
 * The least shares are found among the candidates of one set C, for all r, and hold for the larger sets made of these
 * candidates. Candidates are taken in rising order, each with those after it alone, so that the first that reaches the
 * cutoff ends the row.
 *
 * Nothing that is added up exceeds what `PricedUnits` keeps below 2⁵²: as |q_j| ≤ |g_j| / r, what q_j takes from 2 g_j
 * is of its sign and less, and the least of the q_i give the unit no more than that.
 */
class ClusterWalk {
  readonly #units: PricedUnits;
  readonly #visit: VisitCluster;
  readonly #until: WalkLimits;
  /** What two elements add; those apart as much as any two. */
  readonly #between: Float64Array;
  /** `null` where none are apart. */
  readonly #apart: Uint8Array | null;
  readonly #limits: ChosenLimits | null;
  readonly #sets: SharedSets | null;
  readonly #chosen: Int32Array;
  /** Of each depth: candidates, what they add to the set so far, and twice what each of their elements adds in the end, at least. */
  readonly #candidates: readonly Int32Array[];
  readonly #gains: readonly Float64Array[];
  readonly #values: readonly Float64Array[];
  /** Of each depth, where it has one: [u · size + r] is the least that r elements of candidates share with u, as above. */
  readonly #tables: Float64Array[] = [];
  /** Of each depth: sets looked at below one of that depth, in the mean. */
  readonly #below: Float64Array;
  readonly #shares: Float64Array;
  readonly #least: Float64Array;
  #cutoff = 0;
  #looked = 0;
  #stopped = false;

  constructor(units: PricedUnits, visit: VisitCluster, until: WalkLimits) {
    const { size, sizes, apart, sets, limits } = units;
    this.#units = units;
    this.#visit = visit;
    this.#until = until;
    const isParted = apart.includes(1);
    this.#apart = isParted ? apart : null;
    this.#between = isParted ? raisedWhereApart(units) : units.between;
    this.#limits = limits === null ? null : new ChosenLimits(limits, sizes.length);
    this.#sets = sets.length === 0 ? null : new SharedSets(sizes.length, sets);
    this.#chosen = new Int32Array(size);
    const depths = Array.from({ length: size }, (_, depth) => depth);
    this.#candidates = depths.map(() => new Int32Array(sizes.length));
    this.#gains = depths.map(() => new Float64Array(sizes.length));
    this.#values = depths.map(() => new Float64Array(sizes.length));
    this.#below = new Float64Array(size).fill(WORTH);
    this.#shares = new Float64Array(sizes.length);
    this.#least = new Float64Array(size);
  }

  run(cutoff: number): boolean {
    this.#cutoff = cutoff;
    const { sizes, own, size } = this.#units;
    const candidates = this.#candidates[0] as Int32Array;
    const gains = this.#gains[0] as Float64Array;
    let count = 0;
    for (let u = 0; u < sizes.length; u++) {
      if ((sizes[u] as number) > size) continue;
      if (this.#limits?.admits(u) === false) continue;
      candidates[count] = u;
      gains[count++] = own[u] as number;
    }
    this.#extend(0, count, size, 0, null);
    return !this.#stopped;
  }

  /** Adds `left` elements to the `depth` units chosen, from the first `count` candidates of this depth. */
  #extend(depth: number, count: number, left: number, sum: number, known: Float64Array | null): void {
    const before = this.#looked;
    const below = this.#below[depth] as number;
    const isRenewed = known === null || (left > 2 && below >= WORTH);
    let table = known;
    let open = count;
    while (this.#haveElements(depth, open, left) && !this.#stopped) {
      if (isRenewed) table = this.#renew(depth, open, left);
      this.#sort(depth, open);
      const done = this.#takeInTurn(depth, open, left, sum, table as Float64Array, isRenewed);
      this.#forget(depth, open, done);
      open -= done;
    }
    this.#below[depth] = below + NEWEST * (this.#looked - before - below);
  }

  /**
   * Takes candidates in turn, in rising order of their values. Says how many are done: all, or those up to one that had
   * so many sets below it that the least numbers of those after it are worth finding anew.
   */
  #takeInTurn(
    depth: number,
    count: number,
    left: number,
    sum: number,
    table: Float64Array,
    isRenewed: boolean,
  ): number {
    const { sizes } = this.#units;
    const candidates = this.#candidates[depth] as Int32Array;
    const values = this.#values[depth] as Float64Array;
    // The first left − 1 elements from c on: so many are of the candidate at `end`, the last that they are of.
    let few = 2 * sum;
    let end = 0;
    let taken = 0;
    let wanted = left - 1;
    for (let c = 0; c < count; c++) {
      for (; wanted >= 0; wanted--) {
        if (taken === sizes[candidates[end] as number]) [end, taken] = [end + 1, 0];
        if (end === count) return count;
        if (wanted === 0) break;
        few += values[end] as number;
        taken++;
      }
      if (few + (values[end] as number) >= 2 * this.#cutoff) return count;
      const before = this.#looked;
      this.#take(depth, c, count, left, sum, few, table);
      if (this.#stopped) return count;
      if (isRenewed && this.#looked - before >= WORTH) return c + 1;
      wanted = Math.min(sizes[candidates[c] as number] as number, left - 1);
      few -= wanted * (values[c] as number);
      if (end === c) [end, taken] = [c + 1, 0];
    }
    return count;
  }

  /** Whether candidates have so many elements. */
  #haveElements(depth: number, count: number, left: number): boolean {
    const candidates = this.#candidates[depth] as Int32Array;
    let elements = 0;
    for (let c = 0; c < count && elements < left; c++) elements += this.#units.sizes[candidates[c] as number] as number;
    return elements >= left;
  }

  /** The candidate at c, with those after it. */
  #take(depth: number, c: number, count: number, left: number, sum: number, few: number, table: Float64Array): void {
    if (this.#mustStop()) return;
    const u = (this.#candidates[depth] as Int32Array)[c] as number;
    const gain = (this.#gains[depth] as Float64Array)[c] as number;
    const rest = left - (this.#units.sizes[u] as number);
    if (rest === 0) {
      this.#meet(depth, u, sum + gain);
      return;
    }
    const reduced = sum + gain + (this.#sets?.paidFor(u) ?? 0);
    this.#chosen[depth] = u;
    this.#sets?.move(u, 1);
    this.#limits?.move(u, 1);
    const kept = this.#join(depth, c, count, rest, few);
    if (rest === 1) {
      const next = this.#candidates[depth + 1] as Int32Array;
      const gains = this.#gains[depth + 1] as Float64Array;
      for (let d = 0; d < kept; d++) {
        if (reduced + (gains[d] as number) >= this.#cutoff) continue;
        this.#meet(depth + 1, next[d] as number, reduced + (gains[d] as number));
      }
    } else {
      const within = this.#bound(depth + 1, kept, rest, reduced, table);
      if (within > 0) this.#extend(depth + 1, within, rest, reduced, table);
    }
    this.#limits?.move(u, -1);
    this.#sets?.move(u, -1);
  }

  /** Makes those after c that can be beside it the candidates of the next depth; says how many they are. */
  #join(depth: number, c: number, count: number, rest: number, few: number): number {
    const { sizes } = this.#units;
    const all = sizes.length;
    const between = this.#between;
    const apart = this.#apart;
    const limits = this.#limits;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const values = this.#values[depth] as Float64Array;
    const next = this.#candidates[depth + 1] as Int32Array;
    const nextGains = this.#gains[depth + 1] as Float64Array;
    // Beside all other elements, one of a candidate adds at least so much: the first that reaches the cutoff ends the row.
    const room = 2 * this.#cutoff - few;
    const row = (candidates[c] as number) * all;
    let kept = 0;
    for (let d = c + 1; d < count; d++) {
      if ((values[d] as number) >= room) break;
      const v = candidates[d] as number;
      if ((sizes[v] as number) > rest) continue;
      if (apart !== null && apart[row + v] === 1) continue;
      if (limits !== null && !limits.admits(v)) continue;
      next[kept] = v;
      nextGains[kept++] = (gains[d] as number) + (between[row + v] as number);
    }
    return kept;
  }

  /** Keeps the candidates of a depth that can be in a cluster below the cutoff; says how many they are. */
  #bound(depth: number, count: number, left: number, sum: number, table: Float64Array): number {
    if (!this.#haveElements(depth, count, left)) return 0;
    const { size, sizes } = this.#units;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const values = this.#values[depth] as Float64Array;
    const least = this.#least;
    let total = 2 * sum;
    let found = 0;
    for (let c = 0; c < count; c++) {
      const u = candidates[c] as number;
      const own = sizes[u] as number;
      const value = this.#valueOf(u, gains[c] as number, table[u * size + left - own] as number);
      values[c] = value;
      for (let k = 0; k < own; k++) {
        if (found < left) total += value;
        else if (value < (least[left - 1] as number)) total += value - (least[left - 1] as number);
        else break;
        sink(least, Math.min(found++, left - 1), value);
      }
    }
    if (total >= 2 * this.#cutoff) return 0;
    const room = 2 * this.#cutoff - (total - (least[left - 1] as number));
    let kept = 0;
    for (let c = 0; c < count; c++) {
      if ((values[c] as number) >= room) continue;
      candidates[kept] = candidates[c] as number;
      gains[kept] = gains[c] as number;
      values[kept++] = values[c] as number;
    }
    return kept;
  }

  /** Twice what an element of a unit adds in the end, at least. */
  #valueOf(unit: number, gain: number, shared: number): number {
    const twice = 2 * gain + shared + (this.#sets === null ? 0 : (this.#sets.open[unit] as number));
    const own = this.#units.sizes[unit] as number;
    return own === 1 ? twice : floorOver(twice, own);
  }

  /** Finds the least numbers of a depth's candidates among one another, and with them their values. */
  #renew(depth: number, count: number, left: number): Float64Array {
    const { size, sizes } = this.#units;
    const all = sizes.length;
    const between = this.#between;
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const values = this.#values[depth] as Float64Array;
    const shares = this.#shares;
    const least = this.#least;
    this.#tables[depth] ??= new Float64Array(all * size);
    const table = this.#tables[depth] as Float64Array;
    for (let c = 0; c < count; c++) shares[c] = Math.round((gains[c] as number) / left);
    for (let c = 0; c < count; c++) {
      const u = candidates[c] as number;
      const row = u * all;
      const own = sizes[u] as number;
      const others = left - own;
      let found = 0;
      for (let d = 0; d < count; d++) {
        if (d === c) continue;
        const v = candidates[d] as number;
        const pair = (between[row + v] as number) + own * (shares[d] as number);
        const elements = sizes[v] as number;
        const share = elements === 1 ? pair : floorOver(pair, elements);
        for (let k = 0; k < elements; k++) {
          if (found < others) sink(least, found++, share);
          else if (share < (least[others - 1] as number)) sink(least, others - 1, share);
          else break;
        }
      }
      const at = u * size;
      let sum = 0;
      for (let r = 0; r < others; r++) {
        table[at + r] = sum;
        sum += (least[r] as number) - (shares[c] as number);
      }
      table[at + others] = sum;
      values[c] = this.#valueOf(u, gains[c] as number, sum);
    }
    return table;
  }

  /** Orders the candidates of a depth by their values. */
  #sort(depth: number, count: number): void {
    const candidates = this.#candidates[depth] as Int32Array;
    const gains = this.#gains[depth] as Float64Array;
    const values = this.#values[depth] as Float64Array;
    for (let c = 1; c < count; c++) {
      const value = values[c] as number;
      if ((values[c - 1] as number) <= value) continue;
      const u = candidates[c] as number;
      const gain = gains[c] as number;
      let d = c;
      for (; d > 0 && (values[d - 1] as number) > value; d--) {
        values[d] = values[d - 1] as number;
        candidates[d] = candidates[d - 1] as number;
        gains[d] = gains[d - 1] as number;
      }
      values[d] = value;
      candidates[d] = u;
      gains[d] = gain;
    }
  }

  /** Leaves out the first candidates of a depth. */
  #forget(depth: number, count: number, done: number): void {
    (this.#candidates[depth] as Int32Array).copyWithin(0, done, count);
    (this.#gains[depth] as Float64Array).copyWithin(0, done, count);
  }

  /** The cluster that an element completes; `sum` is without what it pays for sets. */
  #meet(depth: number, element: number, sum: number): void {
    const whole = sum + (this.#sets?.paidFor(element) ?? 0);
    if (whole >= this.#cutoff) return;
    if (this.#limits?.suffices(element) === false) return;
    this.#chosen[depth] = element;
    this.#cutoff = Math.min(this.#cutoff, this.#visit(this.#chosen, depth + 1, whole));
  }

  #mustStop(): boolean {
    if (++this.#looked % BETWEEN_QUESTIONS === 0 && this.#until.shouldStop?.(BETWEEN_QUESTIONS) === true)
      this.#stopped = true;
    if (this.#looked > (this.#until.maxNodes ?? Number.POSITIVE_INFINITY)) this.#stopped = true;
    return this.#stopped;
  }
}

/** Puts a number where it belongs among the first `at`, which rise; those above it move on by one, onto place `at`. */
function sink(rising: Float64Array, at: number, value: number): void {
  let place = at;
  for (; place > 0 && (rising[place - 1] as number) > value; place--) rising[place] = rising[place - 1] as number;
  rising[place] = value;
}

/** What two elements add; where they are apart, the most that any two do. */
function raisedWhereApart({ between, apart }: PricedUnits): Float64Array {
  const most = between.reduce((largest, pair) => Math.max(largest, pair), 0);
  return between.map((pair, at) => (apart[at] === 1 ? most : pair));
}
