import { Rational } from "../../exact/rational.js";
import { groupLoad } from "../../program/grouping/evaluate.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import { type GroupPrices, worthOf } from "./group-prices.js";
import { groupsBelow, type WalkLimits } from "./groups-below.js";
import type { GroupingNode } from "./node.js";
import { PricedGroups, type PricedSize } from "./priced-groups.js";
import { leastSums, sizesWithin } from "./size-vectors.js";

/** What prices prove of a node. */
export interface GroupsBound {
  readonly prices: GroupPrices;
  /** No numbering of the node has a value below this; `null` where it has no numbering. */
  readonly bound: Rational | null;
  /** By size, for those that a group can have: its groups under the prices, and the least of their reduced costs. */
  readonly sizes: ReadonlyMap<number, { readonly priced: PricedSize; readonly least: Rational | null }>;
}

/** A group that may be part of something better than the claim. */
export interface LeftGroup {
  /** Rising. */
  readonly items: readonly number[];
  /** Its reduced cost, or a little less. */
  readonly reduced: Rational;
}

/** A node has more groups that may be part of something better than the claim than can be listed. */
const MOST_GROUPS = 100_000;

/**
 * The bound of a node from prices (see {@link GroupPrices}): a numbering's value is at least Σ π − Σ μ + Σ over its groups S
 * of reduced(S), and so at least
 *
 *   Σ_i π_i − Σ_C μ_C + min { Σ_t λ(n_t) : sizes n_t of the window that add up to all items },   λ(s) = min reduced(S) with |S| = s,
 *
 * where groups are those within the load, with what must be together and without what must be apart. For a proof that
 * there is no numbering the same is done with costs of zero.
 *
 * Throws `RangeError` where there are too many groups to go through.
 */
export function groupsBound(
  grouping: Grouping,
  node: GroupingNode,
  prices: GroupPrices,
  purpose: "bound" | "infeasible",
  limits?: WalkLimits,
): GroupsBound {
  const groups = new PricedGroups(grouping, node, purpose);
  if (groups.isEmpty) return { prices, bound: null, sizes: new Map() };
  const sizes = new Map(
    sizesWithin(grouping, node.window).map((size) => {
      const priced = groups.ofSize(size, prices);
      return [size, { priced, least: priced.least(limits) }] as const;
    }),
  );
  const { least } = leastSums(grouping, leastBySize(sizes));
  return { prices, bound: least === null ? null : worthOf(prices).add(least), sizes };
}

/**
 * The groups that a numbering of the node can have whose value is below the claim (`null`: any numbering): those with
 *
 *   Σ_i π_i − Σ_C μ_C + reduced(S) + min { Σ λ(n_t) over the other groups, one of them having |S| items }  <  claim,
 *
 * by size, then by items. A group is its items, rising. Throws `RangeError` where there are too many to go through or to
 * list.
 */
export function groupsLeft(
  grouping: Grouping,
  { prices, bound, sizes }: GroupsBound,
  claim: Rational | null,
  limits?: WalkLimits,
): readonly LeftGroup[] {
  if (bound === null || (claim === null ? bound.sign() > 0 : bound.compare(claim) >= 0)) return [];
  const { beside } = leastSums(grouping, leastBySize(sizes));
  const total = worthOf(prices);
  const left: LeftGroup[] = [];
  for (const [size, { priced }] of sizes) {
    const others = beside.get(size) ?? null;
    if (others === null) continue;
    // With costs of zero a numbering's value is zero: its groups leave nothing above that.
    const cutoff = priced.cutoffOf((claim ?? Rational.zero).subtract(total).subtract(others), claim === null);
    const ofSize: LeftGroup[] = [];
    const isWhole = groupsBelow(
      priced.units,
      cutoff,
      (units, count, sum) => {
        const items = priced.itemsOf(units, count);
        if (grouping.load === null || groupLoad(grouping, items).compare(grouping.load.most) <= 0) {
          ofSize.push({ items, reduced: priced.reducedOf(sum) });
        }
        return left.length + ofSize.length > MOST_GROUPS ? Number.NEGATIVE_INFINITY : cutoff;
      },
      limits,
    );
    if (!isWhole) throw new RangeError(`there are too many groups of ${size} items to go through`);
    if (left.length + ofSize.length > MOST_GROUPS) throw new RangeError("too many groups are left to list them");
    left.push(...ofSize.sort(byItems));
  }
  return left;
}

function leastBySize(sizes: GroupsBound["sizes"]): Map<number, Rational | null> {
  return new Map([...sizes].map(([size, { least }]) => [size, least]));
}

/** Order of groups of one size. */
function byItems({ items: a }: LeftGroup, { items: b }: LeftGroup): number {
  const at = a.findIndex((item, k) => item !== b[k]);
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
}
