import { greatestCommonDivisor, Rational } from "../../../exact/rational.js";
import { evaluateGrouping } from "../../../program/grouping/evaluate.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import type { GroupingNode } from "./node.js";
import { PricedClusters } from "./priced-clusters.js";
import type { PricedUnits, WalkLimits } from "./priced-units.js";
import { clustersBelow } from "./pricing.js";
import { integerCutoff, scaleFor } from "./scaled-integers.js";
import { TooMany } from "./too-many.js";

/** Sets of units that are looked at before the step is refused. */
const MAX_NODES = 2_000_000_000;

/**
 * A labeling, of a node of a grouping into two, whose value is below the claim (`null`: any labeling); `null` where all
 * were gone through and there is none. Throws `RangeError` where the grouping has more than two clusters.
 *
 * The smaller cluster A says all, so that it is priced like any cluster. For sizes a + b = F the value is (α·pairs(A) +
 * β·pairs(B)) / γ with integers α, β, γ (1, 1, 1, or with costs shared by size b/d, a/d, ab/d, d = gcd(a, b)). Of all
 * pairs, B has those that no element of A is in:
 *
 *   pairs(B) = pairs − Σ_{i in A} Σ_j pair(i, j) + pairs(A).
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
  for (let size = Math.max(least, all - most); 2 * size <= all; size++) {
    // Windows overlap: what the node of a later one holds is left to that one.
    if (later.some((window) => size >= window.least && all - size <= window.most)) continue;
    const found = smallerHalf(grouping, node, size, claim, limits);
    if (found !== null) return found;
  }
  return null;
}

/** Likewise, with so many elements in the smaller cluster. */
function smallerHalf(
  grouping: Grouping,
  node: GroupingNode,
  size: number,
  claim: Rational | null,
  limits: WalkLimits,
): readonly number[] | null | TooMany {
  const all = grouping.elements.length;
  const clusters = new PricedClusters(grouping, node, "bound");
  const { load } = grouping;
  if (clusters.isEmpty || load?.weights.some((weight) => weight.compare(load.most) > 0) === true) return null;
  const { members } = clusters.units;
  const { priced, constant, k, gamma } = pricedHalves(grouping, clusters, size);
  const cutoff = claim === null ? Number.POSITIVE_INFINITY : integerCutoff(claim, gamma, k) - constant;
  let found: readonly number[] | null = null;
  const isWhole = clustersBelow(
    priced,
    cutoff,
    (chosen, count) => {
      const labels = new Array<number>(all).fill(1);
      for (let c = 0; c < count; c++) for (const i of members[chosen[c] as number] as readonly number[]) labels[i] = 0;
      if (!isBelow(grouping, node, labels, claim)) return cutoff;
      found = labels;
      return Number.NEGATIVE_INFINITY;
    },
    { maxNodes: MAX_NODES, ...limits },
  );
  return found ?? (isWhole ? null : new TooMany("there are too many halves to go through"));
}

/** Whether a labeling is one of the node and below the claim, in exact arithmetic. */
function isBelow(grouping: Grouping, { apart }: GroupingNode, labels: readonly number[], claim: Rational | null) {
  if (apart.some(([i, j]) => labels[i] === labels[j])) return false;
  const { objective, violations } = evaluateGrouping(grouping, labels);
  return violations.length === 0 && (claim === null || objective.compare(claim) < 0);
}

/**
 * The smaller cluster in units, priced: `constant` and its sum are at most the value times γ·2^k, as pairs are rounded
 * down. A unit adds (α − β)·pairs inside it − β·its pairs with others by itself, and with another one (α + β)·pairs of the two.
 */
function pricedHalves(grouping: Grouping, clusters: PricedClusters, size: number) {
  const all = grouping.elements.length;
  const other = all - size;
  const divisor = Number(greatestCommonDivisor(BigInt(size), BigInt(other)));
  const [alpha, beta] = grouping.share === "bySize" ? [other / divisor, size / divisor] : [1, 1];
  const sumOf = (pairs: readonly Rational[]) => pairs.reduce((sum, pair) => sum.add(pair), Rational.zero);
  const largest = (values: readonly Rational[]) => values.reduce((a, b) => (b.compare(a) > 0 ? b : a), Rational.zero);
  const degree = (i: number) =>
    sumOf(
      grouping.elements.flatMap((_, j) =>
        j === i ? [] : [grouping.pairs[pairIndex(Math.min(i, j), Math.max(i, j))] as Rational],
      ),
    );
  // As of any cluster (priced-clusters.ts), with all pairs beside it.
  const reach = largest(grouping.pairs)
    .multiply(Rational.of(BigInt((size * (size - 1)) / 2)))
    .add(largest(grouping.elements.map((_, i) => degree(i))).multiply(Rational.of(BigInt(size))))
    .add(sumOf(grouping.pairs));
  const k = scaleFor(reach.multiply(Rational.of(BigInt(2 * (alpha + beta)))));
  const { between, inside } = clusters.pairsAt(k);
  const sizes = clusters.sizes.slice();
  const count = sizes.length;
  const outside = inside.map((_, u) => between.subarray(u * count, (u + 1) * count).reduce((a, b) => a + b, 0));
  // Of two clusters of one size, the one without the first element: its unit is more than fits.
  if (size === other) sizes[0] = all;
  const priced: PricedUnits = {
    size,
    sizes,
    own: inside.map((own, u) => (alpha - beta) * own - beta * (outside[u] as number)),
    between: between.map((pairs) => (alpha + beta) * pairs),
    apart: clusters.units.apart,
    limits: clusters.limits,
    sets: [],
  };
  return {
    priced,
    constant: beta * inside.reduce((sum, own, u) => sum + own + (outside[u] as number) / 2, 0),
    k,
    gamma: BigInt(grouping.share === "bySize" ? (size * other) / divisor : 1),
  };
}
