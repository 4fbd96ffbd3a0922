import { ExactSum } from "../../exact/exact-sum.js";
import { Rational } from "../../exact/rational.js";
import type { Violation } from "../evaluate.js";
import { isConflicting } from "./conflict.js";
import { type ClusterLoad, type Grouping, pairIndex } from "./grouping.js";

/** What a labeling is worth: its value, and by cluster its elements, its load, and what it breaks. */
export interface GroupingEvaluation {
  readonly objective: Rational;
  /** The elements of each cluster, rising. */
  readonly members: readonly (readonly number[])[];
  /** The weight of each cluster; zeros where the grouping has no load. */
  readonly loads: readonly Rational[];
  /**
   * Names are `size_t`, `load_t`, `load_k_t` of further load k and `conflict_c_t` of cluster t (the index). Sizes are
   * held against the window that they miss by the fewest elements in all; where there is no window at all, each cluster
   * is beyond by its own size.
   */
  readonly violations: readonly Violation[];
}

/** share(|S|) · Σ_{i<j in S} pair(i, j) of one cluster S, exact. Elements in any order. */
export function clusterCost({ pairs, share }: Grouping, cluster: readonly number[]): Rational {
  const cost = new ExactSum();
  for (let b = 1; b < cluster.length; b++) {
    const j = cluster[b] as number;
    for (let a = 0; a < b; a++) {
      const i = cluster[a] as number;
      const { numerator, denominator } = pairs[i < j ? pairIndex(i, j) : pairIndex(j, i)] as Rational;
      cost.add(numerator, denominator);
    }
  }
  const sum = cost.total();
  return share === "bySize" && cluster.length > 1 ? sum.divide(Rational.of(BigInt(cluster.length))) : sum;
}

/** The weight of one cluster; zero where the grouping has no load. */
export function clusterLoad({ load }: Grouping, cluster: readonly number[]): Rational {
  return load === null ? Rational.zero : weightOf(load, cluster);
}

/** What the elements of one cluster weigh. */
export function weightOf({ weights }: ClusterLoad, cluster: readonly number[]): Rational {
  const sum = new ExactSum();
  for (const element of cluster) {
    const { numerator, denominator } = weights[element] as Rational;
    sum.add(numerator, denominator);
  }
  return sum.total();
}

/** Whether a cluster keeps to all loads and has no conflict, exactly. */
export function isAllowed(grouping: Grouping, cluster: readonly number[]): boolean {
  const { load, furtherLoads = [], conflicts = [] } = grouping;
  if (load !== null && clusterLoad(grouping, cluster).compare(load.most) > 0) return false;
  if (furtherLoads.some((further) => weightOf(further, cluster).compare(further.most) > 0)) return false;
  return !conflicts.some((conflict) => isConflicting(conflict, cluster));
}

/**
 * Evaluates a labeling (the cluster 0 … clusters−1 of each element) in exact arithmetic with zero tolerance. Throws
 * `RangeError` unless it has one cluster for each element.
 */
export function evaluateGrouping(grouping: Grouping, labels: readonly number[]): GroupingEvaluation {
  const { elements, clusters, windows, load, furtherLoads = [], conflicts = [] } = grouping;
  if (labels.length !== elements.length) {
    throw new RangeError(`the groups of ${elements.length} items were expected, ${labels.length} were given`);
  }
  const members: number[][] = Array.from({ length: clusters }, () => []);
  labels.forEach((cluster, element) => {
    const home = members[cluster];
    if (home === undefined) throw new RangeError(`item "${elements[element]}" is in group ${cluster} of ${clusters}`);
    home.push(element);
  });
  const violations: Violation[] = [];
  const sizes = members.map(({ length }) => length);
  const beyond = sizesBeyond(sizes, windows);
  beyond.forEach((by, t) => {
    if (by === 0) return;
    const kind = by > 0 ? "row-upper" : "row-lower";
    violations.push({ kind, index: t, name: `size_${t}`, amount: Rational.of(BigInt(Math.abs(by))) });
  });
  const loads = members.map((cluster) => clusterLoad(grouping, cluster));
  const hold = (carried: Rational, most: Rational, index: number, name: string) => {
    if (carried.compare(most) > 0) violations.push({ kind: "row-upper", index, name, amount: carried.subtract(most) });
  };
  if (load !== null) for (const [t, carried] of loads.entries()) hold(carried, load.most, t, `load_${t}`);
  furtherLoads.forEach((further, k) => {
    for (const [t, cluster] of members.entries()) hold(weightOf(further, cluster), further.most, t, `load_${k}_${t}`);
  });
  conflicts.forEach((conflict, c) => {
    for (const [t, cluster] of members.entries()) {
      if (!isConflicting(conflict, cluster)) continue;
      violations.push({ kind: "row-upper", index: t, name: `conflict_${c}_${t}`, amount: Rational.one });
    }
  });
  const objective = members.reduce((sum, cluster) => sum.add(clusterCost(grouping, cluster)), Rational.zero);
  return { objective, members, loads, violations };
}

/** By how much each size is above (positive) or below the window that all of them miss least. */
function sizesBeyond(sizes: readonly number[], windows: Grouping["windows"]): readonly number[] {
  let nearest = sizes;
  let missed = Number.POSITIVE_INFINITY;
  for (const { least, most } of windows) {
    const beyond = sizes.map((size) => (size > most ? size - most : Math.min(0, size - least)));
    const total = beyond.reduce((sum, by) => sum + Math.abs(by), 0);
    if (total < missed) [nearest, missed] = [beyond, total];
  }
  return nearest;
}
