import type { Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { cutoffs, isClosed, type PricedBlock, type PricedList } from "./column-pool.js";
import { type GroupPrices, worthOf } from "./dual-values.js";
import type { GroupingNode } from "./node.js";
import { PricedGroups, type PricedSize } from "./priced-groups.js";
import type { WalkLimits } from "./priced-units.js";
import { groupsBelow } from "./pricing.js";
import { leastSums, sizesWithin } from "./size-vectors.js";
import { TooMany } from "./too-many.js";

/** What prices prove of a node. */
export interface GroupsBound {
  readonly prices: GroupPrices;
  /** No numbering of the node has a value below this; `null` where it has no numbering. */
  readonly bound: Rational | null;
  /** By size, for those that a group can have: its groups under the prices, and the least of their reduced costs. */
  readonly sizes: ReadonlyMap<number, { readonly priced: PricedSize; readonly least: Rational | null }>;
}

/** A node has more groups that may be part of something better than the claim than can be listed. */
export const MAX_LISTED = 2_000_000;

/**
 * The bound of a node from prices (see {@link GroupPrices}): a numbering's value is at least Σ π − Σ μ + Σ over its groups S
 * of reduced(S), and so at least
 *
 *   Σ_i π_i − Σ_C μ_C + min { Σ_t λ(n_t) : sizes n_t of the window that add up to all items },   λ(s) = min reduced(S) with |S| = s,
 *
 * where groups are those within the limits, with what must be together and without what must be apart. For a proof that
 * there is no numbering the same is done with costs of zero.
 */
export function groupsBound(
  grouping: Grouping,
  node: GroupingNode,
  prices: GroupPrices,
  purpose: "bound" | "infeasible",
  limits?: WalkLimits,
): GroupsBound | TooMany {
  const groups = new PricedGroups(grouping, node, purpose);
  if (groups.isEmpty) return { prices, bound: null, sizes: new Map() };
  const sizes = new Map<number, { readonly priced: PricedSize; readonly least: Rational | null }>();
  for (const size of sizesWithin(grouping, node.window)) {
    const priced = groups.ofSize(size, prices);
    const least = priced.least(limits);
    if (least instanceof TooMany) return least;
    sizes.set(size, { priced, least });
  }
  const { least } = leastSums(grouping, leastBySize(sizes));
  return { prices, bound: least === null ? null : worthOf(prices).add(least), sizes };
}

/**
 * The groups that a numbering of the node can have whose value is below the claim (`null`: any numbering); see
 * {@link cutoffs}.
 */
export function groupsLeft(
  grouping: Grouping,
  { prices, bound, sizes }: GroupsBound,
  claim: Rational | null,
  limits?: WalkLimits,
  most = MAX_LISTED,
): PricedList | TooMany {
  if (isClosed(bound, claim)) return { prices, bound, blocks: [] };
  const bySize = [...sizes].map(([size, { priced, least }]) => ({ size, priced, least }));
  const below = cutoffs(grouping, prices, bySize, claim);
  let count = 0;
  const blocks: PricedBlock[] = [];
  for (const [s, { size, priced, least }] of bySize.entries()) {
    const cutoff = below[s] as number;
    const listed: number[] = [];
    const sums: number[] = [];
    const isWhole = groupsBelow(
      priced.units,
      cutoff,
      (units, unitCount, sum) => {
        const items = priced.itemsOf(units, unitCount);
        if (isAllowed(grouping, items)) {
          for (const item of items) listed.push(item);
          sums.push(sum);
        }
        return count + sums.length > most ? Number.NEGATIVE_INFINITY : cutoff;
      },
      limits,
    );
    if (!isWhole) return new TooMany(`there are too many groups of ${size} items to go through`);
    count += sums.length;
    if (count > most) return new TooMany("too many groups are left to list them");
    blocks.push({ size, items: Uint16Array.from(listed), sums: Float64Array.from(sums), priced, least });
  }
  return { prices, bound, blocks: blocks.filter(({ items }) => items.length > 0) };
}

function leastBySize(sizes: GroupsBound["sizes"]): Map<number, Rational | null> {
  return new Map([...sizes].map(([size, { least }]) => [size, least]));
}
