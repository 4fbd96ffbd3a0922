import { Rational } from "../../exact/rational.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Step } from "../../proof/certificate.js";
import { betterPartition, type PartitionSearch } from "../../proof/grouping/better-partition.js";
import { groupsBound, groupsLeft } from "../../proof/grouping/bound.js";
import type { GroupPrices } from "../../proof/grouping/group-prices.js";
import type { GroupingNode } from "../../proof/grouping/node.js";
import { groupsStep } from "./groups-step.js";

/** Whether there is any numbering. */
export type AnyNumbering =
  | { readonly kind: "found"; readonly groups: readonly (readonly number[])[] }
  /** There is none; the steps prove it. */
  | { readonly kind: "none"; readonly steps: readonly Step[] };

/**
 * Finds a numbering of a grouping, whatever it costs, or proves that there is none: all groups within the load are listed, and
 * the partitions that can be made of them gone through. `null` where that is too much.
 */
export function findAny(grouping: Grouping, shouldStop: () => boolean): AnyNumbering | null {
  const prices = { items: grouping.items.map(() => Rational.zero), triples: [], sets: [] };
  const steps: Step[] = [];
  for (const window of grouping.windows) {
    const node = { window, together: [], apart: [] };
    const answer = search(grouping, node, prices, shouldStop);
    if (answer.kind === "too-many") return null;
    if (answer.kind === "found") return answer;
    steps.push(groupsStep(grouping, prices, null));
  }
  return { kind: "none", steps };
}

function search(
  grouping: Grouping,
  node: GroupingNode,
  prices: GroupPrices,
  shouldStop: () => boolean,
): PartitionSearch {
  try {
    const bound = groupsBound(grouping, node, prices, "infeasible", { shouldStop });
    return betterPartition(grouping, groupsLeft(grouping, bound, null, { shouldStop }), null, { shouldStop });
  } catch (error) {
    // Too many groups to go through or to list.
    if (error instanceof RangeError) return { kind: "too-many" };
    throw error;
  }
}
