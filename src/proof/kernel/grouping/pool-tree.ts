import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { betterPartition, type PartitionSearch } from "./better-partition.js";
import { listBelow, type PricedList, priceList, splitList } from "./column-pool.js";
import type { GroupPrices } from "./dual-values.js";
import type { ItemPair } from "./node.js";
import type { PricedGroups } from "./priced-groups.js";

/** What is done with listed groups, with items by their index; see `ListedGroups` of the certificate. */
export interface ListedTree {
  readonly narrow: readonly GroupPrices[];
  readonly split?: { readonly pair: ItemPair; readonly together: ListedTree; readonly apart: ListedTree };
}

/** What is looked for, and who is asked now and then whether to go on. */
export interface ListedSearch {
  readonly claim: Rational | null;
  readonly shouldStop: () => boolean;
}

/**
 * Looks for a partition of listed groups whose value is below a claim (`null`: any partition). What the prices bring to
 * nothing needs no more: a tree beneath that is not looked at, so that the tree of a claim proves every lesser one too.
 */
export function searchListed(
  grouping: Grouping,
  groups: PricedGroups,
  list: PricedList,
  tree: ListedTree,
  search: ListedSearch,
): PartitionSearch {
  const { claim, shouldStop } = search;
  let left = list;
  for (const prices of tree.narrow) {
    left = listBelow(grouping, priceList(grouping, groups, left.blocks, prices), claim);
    if (left.blocks.length === 0) return { kind: "none" };
  }
  if (tree.split === undefined) return betterPartition(grouping, left, claim, { shouldStop });
  const { pair, together, apart } = tree.split;
  const { prices, bound } = left;
  const parts = splitList(left.blocks, pair);
  const inOne = searchListed(grouping, groups, { prices, bound, blocks: parts.together }, together, search);
  if (inOne.kind !== "none") return inOne;
  return searchListed(grouping, groups, { prices, bound, blocks: parts.apart }, apart, search);
}
