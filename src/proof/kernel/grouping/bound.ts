import type { Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { cutoffs, isClosed, type PricedBlock, type PricedList } from "./column-pool.js";
import { type ClusterDuals, worthOf } from "./dual-values.js";
import type { GroupingNode } from "./node.js";
import { PricedClusters, type PricedSize } from "./priced-clusters.js";
import type { WalkLimits } from "./priced-units.js";
import { clustersBelow } from "./pricing.js";
import { leastSums, sizesWithin } from "./size-vectors.js";
import { TooMany } from "./too-many.js";

/** What dual values prove of a node. */
export interface ClustersBound {
  readonly duals: ClusterDuals;
  /** No labeling of the node has a value below this; `null` where it has no labeling. */
  readonly bound: Rational | null;
  /**
   * By size, for those that a cluster can have: its clusters under the dual values, and the least of their reduced
   * costs.
   */
  readonly sizes: ReadonlyMap<number, { readonly priced: PricedSize; readonly least: Rational | null }>;
}

/** A node has more clusters that may be part of something better than the claim than can be listed. */
export const MAX_LISTED = 2_000_000;

/**
 * The bound of a node from dual values (see {@link ClusterDuals}): a labeling's value is at least Σ π − Σ μ + Σ over
 * its clusters S of reduced(S), and so at least
 *
 *   Σ_i π_i − Σ_C μ_C + min { Σ_t λ(n_t) : sizes n_t of the window that add up to all elements },   λ(s) = min
 * reduced(S) with |S| = s,
 *
 * where clusters are those within the limits, with what must be together and without what must be apart. For a proof
 * that there is no labeling the same is done with costs of zero.
 */
export function clustersBound(
  grouping: Grouping,
  node: GroupingNode,
  duals: ClusterDuals,
  purpose: "bound" | "infeasible",
  limits?: WalkLimits,
): ClustersBound | TooMany {
  const clusters = new PricedClusters(grouping, node, purpose);
  if (clusters.isEmpty) return { duals, bound: null, sizes: new Map() };
  const sizes = new Map<number, { readonly priced: PricedSize; readonly least: Rational | null }>();
  for (const size of sizesWithin(grouping, node.window)) {
    const priced = clusters.ofSize(size, duals);
    const least = priced.least(limits);
    if (least instanceof TooMany) return least;
    sizes.set(size, { priced, least });
  }
  const { least } = leastSums(grouping, leastBySize(sizes));
  return { duals, bound: least === null ? null : worthOf(duals).add(least), sizes };
}

/**
 * The clusters that a labeling of the node can have whose value is below the claim (`null`: any labeling); see
 * {@link cutoffs}.
 */
export function clustersLeft(
  grouping: Grouping,
  { duals, bound, sizes }: ClustersBound,
  claim: Rational | null,
  limits?: WalkLimits,
  most = MAX_LISTED,
): PricedList | TooMany {
  if (isClosed(bound, claim)) return { duals, bound, blocks: [] };
  const bySize = [...sizes].map(([size, { priced, least }]) => ({ size, priced, least }));
  const below = cutoffs(grouping, duals, bySize, claim);
  let count = 0;
  const blocks: PricedBlock[] = [];
  for (const [s, { size, priced, least }] of bySize.entries()) {
    const cutoff = below[s] as number;
    const listed: number[] = [];
    const sums: number[] = [];
    const isWhole = clustersBelow(
      priced.units,
      cutoff,
      (units, unitCount, sum) => {
        const elements = priced.elementsOf(units, unitCount);
        if (isAllowed(grouping, elements)) {
          for (const element of elements) listed.push(element);
          sums.push(sum);
        }
        return count + sums.length > most ? Number.NEGATIVE_INFINITY : cutoff;
      },
      limits,
    );
    if (!isWhole) return new TooMany(`there are too many groups of ${size} items to go through`);
    count += sums.length;
    if (count > most) return new TooMany("too many groups are left to list them");
    blocks.push({ size, elements: Uint16Array.from(listed), sums: Float64Array.from(sums), priced, least });
  }
  return { duals, bound, blocks: blocks.filter(({ elements }) => elements.length > 0) };
}

function leastBySize(sizes: ClustersBound["sizes"]): Map<number, Rational | null> {
  return new Map([...sizes].map(([size, { least }]) => [size, least]));
}
