import { Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { Step } from "../../../proof/certificate.js";
import { betterPartition, type PartitionSearch } from "../../../proof/kernel/grouping/better-partition.js";
import { clustersBound, clustersLeft } from "../../../proof/kernel/grouping/bound.js";
import type { ClusterDuals } from "../../../proof/kernel/grouping/dual-values.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import { clustersStep } from "./clusters-step.js";

/** Whether there is any labeling. */
export type AnyLabels =
  | { readonly kind: "found"; readonly clusters: readonly (readonly number[])[] }
  /** There is none; the steps prove it. */
  | { readonly kind: "none"; readonly steps: readonly Step[] };

/**
 * Finds a labeling of a grouping, whatever it costs, or proves that there is none: all clusters within the load are
 * listed, and the partitions that can be made of them gone through. `null` where that is too much.
 */
export function findAny(grouping: Grouping, shouldStop: () => boolean): AnyLabels | null {
  const crowd = crowdOf(grouping);
  const elements = grouping.elements.map((_, element) => (crowd.includes(element) ? Rational.one : Rational.zero));
  const duals = { elements, sets: [] };
  const steps: Step[] = [];
  for (const window of grouping.windows) {
    const node = { window, together: [], apart: [] };
    const answer = search(grouping, node, duals, shouldStop);
    if (answer.kind === "too-many") return null;
    if (answer.kind === "found") return answer;
    steps.push(clustersStep(grouping, duals));
  }
  return { kind: "none", steps };
}

/**
 * An element that no cluster may have. Else more elements than clusters, no two of which may be in one cluster. Else
 * none. At a price of one each, their clusters are worth less than they are.
 */
function crowdOf(grouping: Grouping): readonly number[] {
  const elements = [...grouping.elements.keys()];
  const unfit = elements.find((element) => !isAllowed(grouping, [element]));
  if (unfit !== undefined) return [unfit];
  const apart = elements.map((one) => elements.map((other) => other !== one && !isAllowed(grouping, [one, other])));
  for (const first of elements) {
    const crowd = [first];
    for (const element of elements) if (crowd.every((other) => apart[other]?.[element])) crowd.push(element);
    if (crowd.length > grouping.clusters) return crowd;
  }
  return [];
}

function search(
  grouping: Grouping,
  node: GroupingNode,
  duals: ClusterDuals,
  shouldStop: () => boolean,
): PartitionSearch {
  const bound = clustersBound(grouping, node, duals, "infeasible", { shouldStop });
  const left = bound instanceof TooMany ? bound : clustersLeft(grouping, bound, null, { shouldStop });
  return left instanceof TooMany ? { kind: "too-many" } : betterPartition(grouping, left, null, { shouldStop });
}
