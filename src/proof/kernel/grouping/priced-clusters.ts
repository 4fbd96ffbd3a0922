import { floorDivide, Rational } from "../../../exact/rational.js";
import { conflictingPairs } from "../../../program/grouping/conflict.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import { type ClusterLimits, clusterLimits } from "./cluster-limits.js";
import type { ClusterDuals, SetDual } from "./dual-values.js";
import { type GroupingNode, type Units, unitsOf } from "./node.js";
import type { PricedSet, PricedUnits, WalkLimits } from "./priced-units.js";
import { clustersBelow } from "./pricing.js";
import { integerCutoff, scaledDown, scaleFor, unscaled } from "./scaled-integers.js";
import { TooMany } from "./too-many.js";

/**
 * Whether a cluster's cost counts: in a proof that there is no labeling at all it does not, only its dual values do.
 */
export type PricingPurpose = "bound" | "infeasible";

/**
 * The clusters of a node that a partition may have, by reduced cost (see {@link ClusterDuals}).
 *
 * The walk needs integers below 2⁵³. For clusters of s elements, s' = s where costs are shared by size and 1 otherwise,
 *
 *   s' · 2^k · reduced(S)  ≥  Σ_{i<j in S} ⌊2^k pair(i, j)⌋ − Σ_{i in S} ⌈s' 2^k price(i)⌉ + Σ_C ⌊s' 2^k μ_C⌋·⌊|S ∩ C| / d_C⌋,
 *
 * with k as large as sums below 2⁵³ allow. What the right side says is a lower bound of the reduced cost, exact where
 * no rounding was needed: clusters may seem cheaper than they are, never dearer.
 */
export class PricedClusters {
  readonly #grouping: Grouping;
  readonly units: Units;
  readonly #purpose: PricingPurpose;
  /** Elements of each unit. */
  readonly sizes: Int32Array;
  readonly #unitOf: Int32Array;
  /** Pairs between and inside units, rounded down, by k. */
  readonly #pairs = new Map<number, { readonly between: Float64Array; readonly inside: Float64Array }>();
  readonly limits: ClusterLimits | null;
  readonly #largestPair: Rational;

  constructor(grouping: Grouping, node: GroupingNode, purpose: PricingPurpose) {
    this.#grouping = grouping;
    const elementCount = grouping.elements.length;
    const apart = [...node.apart, ...conflictingPairs(elementCount, grouping.conflicts ?? [])];
    this.units = unitsOf(elementCount, { ...node, apart });
    this.#purpose = purpose;
    this.sizes = Int32Array.from(this.units.members, ({ length }) => length);
    this.#unitOf = new Int32Array(grouping.elements.length);
    this.units.members.forEach((unit, u) => {
      for (const element of unit) this.#unitOf[element] = u;
    });
    this.limits = clusterLimits(grouping, this.units.members);
    this.#largestPair =
      purpose === "infeasible"
        ? Rational.zero
        : grouping.pairs.reduce((largest, pair) => (pair.compare(largest) > 0 ? pair : largest), Rational.zero);
  }

  /** No cluster has an element that must be together with one that it must be apart from: the node is empty. */
  get isEmpty(): boolean {
    return this.units.contradictory;
  }

  /** Clusters of one size under dual values. */
  ofSize(size: number, { elements: duals, sets }: ClusterDuals): PricedSize {
    const factor = this.#grouping.share === "bySize" && this.#purpose === "bound" ? BigInt(size) : 1n;
    const largest = duals.reduce(
      (most, dual) => (dual.absolute().compare(most) > 0 ? dual.absolute() : most),
      Rational.zero,
    );
    const reach = this.#largestPair
      .multiply(Rational.of(BigInt((size * (size - 1)) / 2)))
      .add(largest.multiply(Rational.of(factor * BigInt(size))))
      .add(paidAtMost(sets, size).multiply(Rational.of(factor)));
    // Twice: pairs are also added up as halves from either side.
    const k = scaleFor(reach.add(reach));
    const { between, inside } = this.pairsAt(k);
    const own = Float64Array.from(this.units.members, (unit, u) =>
      unit.reduce(
        (sum, element) => sum + Number(scaledDown((duals[element] as Rational).negate(), factor, k)),
        inside[u] as number,
      ),
    );
    const priced = sets.flatMap((set): PricedSet[] => {
      const paid = Number(scaledDown(set.dual, factor, k));
      const counts = new Map<number, number>();
      for (const element of set.elements) {
        const unit = this.#unitOf[element] as number;
        const count = (counts.get(unit) ?? 0) + 1;
        // A unit with so many elements of the set always pays.
        if (count === set.divisor) own[unit] = (own[unit] as number) + paid;
        if (count === set.divisor) counts.delete(unit);
        else counts.set(unit, count);
      }
      const made = { units: [...counts.keys()], counts: [...counts.values()], divisor: set.divisor, dual: paid };
      return made.counts.reduce((sum, count) => sum + count, 0) < set.divisor ? [] : [made];
    });
    const { apart } = this.units;
    const units = { size, sizes: this.sizes, own, between, apart, limits: this.limits, sets: priced };
    return new PricedSize(units, this.units, factor, k);
  }

  /** Pairs between units, and inside each, rounded down to multiples of 2^−k, in units of these. */
  pairsAt(k: number): { readonly between: Float64Array; readonly inside: Float64Array } {
    const known = this.#pairs.get(k);
    if (known !== undefined) return known;
    const { members } = this.units;
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

/** What sets make a cluster of so many elements pay, at most. */
function paidAtMost(sets: readonly SetDual[], size: number): Rational {
  return sets.reduce(
    (sum, { divisor, dual }) => sum.add(dual.multiply(Rational.of(BigInt(Math.ceil(size / divisor))))),
    Rational.zero,
  );
}

/** The clusters of one size under dual values, ready to be walked. */
export class PricedSize {
  readonly units: PricedUnits;
  readonly #units: Units;
  readonly #factor: bigint;
  readonly #k: number;

  /** See {@link PricedClusters.ofSize}. */
  constructor(units: PricedUnits, members: Units, factor: bigint, k: number) {
    this.units = units;
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

  /** The cutoff of the walk that keeps every cluster whose reduced cost is below a number (or equal, `inclusive`). */
  cutoffOf(reduced: Rational, inclusive = false): number {
    return integerCutoff(reduced, this.#factor, this.#k, inclusive);
  }

  /** The elements of units that the walk names, rising. */
  elementsOf(units: Int32Array, count: number): number[] {
    const elements: number[] = [];
    for (let k = 0; k < count; k++) elements.push(...(this.#units.members[units[k] as number] as readonly number[]));
    return elements.sort((a, b) => a - b);
  }

  /** The least sum of any cluster; `null` where there is no cluster. */
  least(limits?: WalkLimits): Rational | null | TooMany {
    let least = Number.POSITIVE_INFINITY;
    const isWhole = clustersBelow(
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
