import { Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { Step } from "../../../proof/certificate.js";
import { betterPartition, type PartitionSearch } from "../../../proof/kernel/grouping/better-partition.js";
import { groupsBound, groupsLeft } from "../../../proof/kernel/grouping/bound.js";
import type { GroupPrices } from "../../../proof/kernel/grouping/dual-values.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
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
  const crowd = crowdOf(grouping);
  const items = grouping.items.map((_, item) => (crowd.includes(item) ? Rational.one : Rational.zero));
  const prices = { items, triples: [], sets: [] };
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

/**
 * An item that no group may have. Else more items than groups, no two of which may be in one group. Else none. At a
 * price of one each, their groups are worth less than they are.
 */
function crowdOf(grouping: Grouping): readonly number[] {
  const items = [...grouping.items.keys()];
  const unfit = items.find((item) => !isAllowed(grouping, [item]));
  if (unfit !== undefined) return [unfit];
  const apart = items.map((one) => items.map((other) => other !== one && !isAllowed(grouping, [one, other])));
  for (const first of items) {
    const crowd = [first];
    for (const item of items) if (crowd.every((other) => apart[other]?.[item])) crowd.push(item);
    if (crowd.length > grouping.groups) return crowd;
  }
  return [];
}

function search(
  grouping: Grouping,
  node: GroupingNode,
  prices: GroupPrices,
  shouldStop: () => boolean,
): PartitionSearch {
  const bound = groupsBound(grouping, node, prices, "infeasible", { shouldStop });
  const left = bound instanceof TooMany ? bound : groupsLeft(grouping, bound, null, { shouldStop });
  return left instanceof TooMany ? { kind: "too-many" } : betterPartition(grouping, left, null, { shouldStop });
}
