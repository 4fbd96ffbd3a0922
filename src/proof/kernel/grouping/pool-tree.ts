import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { betterPartition, type PartitionSearch } from "./better-partition.js";
import { dualList, listBelow, type PricedList, splitList } from "./column-pool.js";
import type { ClusterDuals } from "./dual-values.js";
import type { ElementPair } from "./node.js";
import type { PricedClusters } from "./priced-clusters.js";

/** What is done with listed clusters, with elements by their index; see `ListedGroups` of the certificate. */
export interface ListedTree {
  readonly narrow: readonly ClusterDuals[];
  readonly split?: { readonly pair: ElementPair; readonly together: ListedTree; readonly apart: ListedTree };
}

/** What is looked for, and who is asked now and then whether to go on. */
export interface ListedSearch {
  readonly claim: Rational | null;
  readonly shouldStop: () => boolean;
}

/**
 * Looks for a partition of listed clusters whose value is below a claim (`null`: any partition). What the dual values
 * bring to nothing needs no more: a tree beneath that is not looked at, so that the tree of a claim proves every lesser
 * one too.
 */
export function searchListed(
  grouping: Grouping,
  clusters: PricedClusters,
  list: PricedList,
  tree: ListedTree,
  search: ListedSearch,
): PartitionSearch {
  const { claim, shouldStop } = search;
  let left = list;
  for (const duals of tree.narrow) {
    left = listBelow(grouping, dualList(grouping, clusters, left.blocks, duals), claim);
    if (left.blocks.length === 0) return { kind: "none" };
  }
  if (tree.split === undefined) return betterPartition(grouping, left, claim, { shouldStop });
  const { pair, together, apart } = tree.split;
  const { duals, bound } = left;
  const parts = splitList(left.blocks, pair);
  const inOne = searchListed(grouping, clusters, { duals, bound, blocks: parts.together }, together, search);
  if (inOne.kind !== "none") return inOne;
  return searchListed(grouping, clusters, { duals, bound, blocks: parts.apart }, apart, search);
}
