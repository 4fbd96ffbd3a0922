import { floorDivide, Rational } from "../../../exact/rational.js";
import { conflictingPairs } from "../../../program/grouping/conflict.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import type { PricedSet } from "./chvatal-gomory-cuts.js";
import type { GroupPrices, SetPrice } from "./dual-values.js";
import { type GroupLimits, groupLimits } from "./group-limits.js";
import { integerLoad } from "./integer-load.js";
import { type GroupingNode, type Units, unitsOf } from "./node.js";
import type { PricedTriple, PricedUnits, WalkLimits } from "./priced-units.js";
import { groupsBelow } from "./pricing.js";
import { integerCutoff, scaledDown, scaleFor, unscaled } from "./scaled-integers.js";
import { TooMany } from "./too-many.js";

/** Whether a group's cost counts: in a proof that there is no numbering at all it does not, only its prices do. */
export type PricingPurpose = "bound" | "infeasible";

/**
 * The groups of a node that a partition may have, by reduced cost (see {@link GroupPrices}).
 *
 * The walk needs integers below 2⁵³. For groups of s items, s' = s where costs are shared by size and 1 otherwise,
 *
 *   s' · 2^k · reduced(S)  ≥  Σ_{i<j in S} ⌊2^k pair(i, j)⌋ − Σ_{i in S} ⌈s' 2^k price(i)⌉ + Σ_C ⌊s' 2^k μ_C⌋·[|S ∩ C| ≥ 2],
 *
 * with k as large as sums below 2⁵³ allow. What the right side says is a lower bound of the reduced cost, exact where no
 * rounding was needed: groups may seem cheaper than they are, never dearer.
 */
export class PricedGroups {
  readonly #grouping: Grouping;
  readonly #units: Units;
  readonly #purpose: PricingPurpose;
  readonly #sizes: Int32Array;
  readonly #unitOf: Int32Array;
  /** Pairs between and inside units, rounded down, by k. */
  readonly #pairs = new Map<number, { readonly between: Float64Array; readonly inside: Float64Array }>();
  readonly #load: PricedUnits["load"];
  readonly #limits: GroupLimits | null;
  readonly #largestPair: Rational;

  constructor(grouping: Grouping, node: GroupingNode, purpose: PricingPurpose) {
    this.#grouping = grouping;
    const itemCount = grouping.items.length;
    const apart = [...node.apart, ...conflictingPairs(itemCount, grouping.conflicts ?? [])];
    this.#units = unitsOf(itemCount, { ...node, apart });
    this.#purpose = purpose;
    this.#sizes = Int32Array.from(this.#units.members, ({ length }) => length);
    this.#unitOf = new Int32Array(grouping.items.length);
    this.#units.members.forEach((unit, u) => {
      for (const item of unit) this.#unitOf[item] = u;
    });
    this.#load = grouping.load && integerLoad(grouping, grouping.load, this.#units.members);
    this.#limits = groupLimits(grouping, this.#units.members);
    this.#largestPair =
      purpose === "infeasible"
        ? Rational.zero
        : grouping.pairs.reduce((largest, pair) => (pair.compare(largest) > 0 ? pair : largest), Rational.zero);
  }

  /** No group has an item that must be together with one that it must be apart from: the node is empty. */
  get isEmpty(): boolean {
    return this.#units.contradictory;
  }

  /** Groups of one size under prices. */
  ofSize(size: number, { items: prices, triples, sets }: GroupPrices): PricedSize {
    const factor = this.#grouping.share === "bySize" && this.#purpose === "bound" ? BigInt(size) : 1n;
    const largest = prices.reduce(
      (most, price) => (price.absolute().compare(most) > 0 ? price.absolute() : most),
      Rational.zero,
    );
    const reach = this.#largestPair
      .multiply(Rational.of(BigInt((size * (size - 1)) / 2)))
      .add(largest.multiply(Rational.of(factor * BigInt(size))))
      .add(triples.reduce((sum, { price }) => sum.add(price), Rational.zero).multiply(Rational.of(factor)))
      .add(paidAtMost(sets, size).multiply(Rational.of(factor)));
    // Twice: pairs are also added up as halves from either side.
    const k = scaleFor(reach.add(reach));
    const { between, inside } = this.#pairsAt(k);
    const own = Float64Array.from(this.#units.members, (unit, u) =>
      unit.reduce(
        (sum, item) => sum + Number(scaledDown((prices[item] as Rational).negate(), factor, k)),
        inside[u] as number,
      ),
    );
    const priced: PricedTriple[] = [];
    for (const { items, price } of triples) {
      const units = [...new Set(items.map((item) => this.#unitOf[item] as number))];
      const paid = Number(scaledDown(price, factor, k));
      const [u, v, w] = units;
      if (u !== undefined && v !== undefined && w !== undefined) priced.push({ units: [u, v, w], price: paid });
      else {
        // A unit with two of the items always pays.
        const twice = units.find((unit) => items.filter((item) => this.#unitOf[item] === unit).length >= 2) as number;
        own[twice] = (own[twice] as number) + paid;
      }
    }
    const { apart } = this.#units;
    const limited = { load: this.#load, limits: this.#limits };
    const units = { size, sizes: this.#sizes, own, between, apart, ...limited, triples: priced };
    const paid = sets.map(({ items, divisor, price }) => {
      return { items, divisor, price: Number(scaledDown(price, factor, k)) };
    });
    return new PricedSize(units, this.#units, factor, k, paid);
  }

  #pairsAt(k: number): { readonly between: Float64Array; readonly inside: Float64Array } {
    const known = this.#pairs.get(k);
    if (known !== undefined) return known;
    const { members } = this.#units;
    const between = new Float64Array(members.length ** 2);
    const inside = new Float64Array(members.length);
    if (this.#purpose === "bound") {
      const { pairs } = this.#grouping;
      const pair = (i: number, j: number) =>
        Number(scaledDown(pairs[i < j ? pairIndex(i, j) : pairIndex(j, i)] as Rational, 1n, k));
      members.forEach((unit, v) => {
        for (let u = 0; u < v; u++) {
          let sum = 0;
          for (const i of members[u] as readonly number[]) for (const j of unit) sum += pair(i, j);
          between[u * members.length + v] = sum;
          between[v * members.length + u] = sum;
        }
        for (let b = 1; b < unit.length; b++) {
          for (let a = 0; a < b; a++) inside[v] = (inside[v] as number) + pair(unit[a] as number, unit[b] as number);
        }
      });
    }
    const made = { between, inside };
    this.#pairs.set(k, made);
    return made;
  }
}

/** What sets make a group of so many items pay, at most. */
function paidAtMost(sets: readonly SetPrice[], size: number): Rational {
  return sets.reduce(
    (sum, { divisor, price }) => sum.add(price.multiply(Rational.of(BigInt(Math.floor(size / divisor))))),
    Rational.zero,
  );
}

/** The groups of one size under prices, ready to be walked. */
export class PricedSize {
  readonly units: PricedUnits;
  /** What groups pay beside that for sets of items; the walk leaves it out. */
  readonly sets: readonly PricedSet[];
  readonly #units: Units;
  readonly #factor: bigint;
  readonly #k: number;

  /** See {@link PricedGroups.ofSize}. */
  constructor(units: PricedUnits, members: Units, factor: bigint, k: number, sets: readonly PricedSet[]) {
    this.units = units;
    this.sets = sets;
    this.#units = members;
    this.#factor = factor;
    this.#k = k;
  }

  /** The reduced cost that an integer sum of the walk stands for. */
  reducedOf(sum: number): Rational {
    return unscaled(sum, this.#factor, this.#k);
  }

  /** The same times 2^k, rounded down. */
  scaledTo(k: number, sum: number): number {
    const by = k - this.#k;
    const whole = BigInt(sum);
    return Number(
      by >= 0 ? floorDivide(whole << BigInt(by), this.#factor) : floorDivide(whole, this.#factor << BigInt(-by)),
    );
  }

  /** The cutoff of the walk that keeps every group whose reduced cost is below a number (or equal, `inclusive`). */
  cutoffOf(reduced: Rational, inclusive = false): number {
    return integerCutoff(reduced, this.#factor, this.#k, inclusive);
  }

  /** The items of units that the walk names, rising. */
  itemsOf(units: Int32Array, count: number): number[] {
    const items: number[] = [];
    for (let k = 0; k < count; k++) items.push(...(this.#units.members[units[k] as number] as readonly number[]));
    return items.sort((a, b) => a - b);
  }

  /** The least sum of any group; `null` where there is no group. */
  least(limits?: WalkLimits): Rational | null | TooMany {
    let least = Number.POSITIVE_INFINITY;
    const isWhole = groupsBelow(
      this.units,
      least,
      (_, __, sum) => {
        least = sum;
        return sum;
      },
      limits,
    );
    if (!isWhole) return new TooMany(`there are too many groups of ${this.units.size} items to go through`);
    return least === Number.POSITIVE_INFINITY ? null : this.reducedOf(least);
  }
}
