import { loadInDoubles } from "../../../../models/tower-partition/build.js";
import type { Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import { type Grouping, pairIndex } from "../../../program/grouping/grouping.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import type { DescentProblem } from "../methods/descent/limits.js";

/** A cluster with its cost, elements rising. */
export interface Cluster {
  readonly elements: readonly number[];
  /** share(size) · Σ pairs. */
  readonly cost: number;
}

/** A grouping in doubles, for searches. */
export function numbersOf(grouping: Grouping): DescentProblem {
  const elements = grouping.elements.length;
  const pairs = new Float64Array(elements * elements);
  for (let j = 0; j < elements; j++) {
    for (let i = 0; i < j; i++) {
      const value = (grouping.pairs[pairIndex(i, j)] as Rational).toNumber();
      pairs[i * elements + j] = value;
      pairs[j * elements + i] = value;
    }
  }
  return {
    elements,
    clusters: grouping.clusters,
    pairs,
    share: Float64Array.from({ length: elements + 1 }, (_, size) =>
      grouping.share === "whole" ? 1 : 1 / Math.max(1, size),
    ),
    windows: grouping.windows,
    load: grouping.load && loadInDoubles(grouping.load, 1 - 1e-12),
    ...(isLimited(grouping) ? { admits: (cluster) => isAllowed(grouping, cluster) } : {}),
  };
}

/** Whether more than one load limits clusters. */
export function isLimited({ furtherLoads = [], conflicts = [] }: Grouping): boolean {
  return furtherLoads.length + conflicts.length > 0;
}

/** The same with pairs that are apart in a node so dear that searches keep them apart. */
export function numbersWithin(numbers: DescentProblem, { apart }: GroupingNode): DescentProblem {
  if (apart.length === 0) return numbers;
  const pairs = numbers.pairs.slice();
  const dear = 1 + pairs.reduce((sum, pair) => sum + pair, 0);
  for (const [i, j] of apart) {
    pairs[i * numbers.elements + j] = dear;
    pairs[j * numbers.elements + i] = dear;
  }
  return { ...numbers, pairs };
}

/** Σ pair(element, other) over the others. */
export function pairsWith({ elements, pairs }: DescentProblem, element: number, others: readonly number[]): number {
  let sum = 0;
  for (const other of others) sum += pairs[element * elements + other] as number;
  return sum;
}

/** A cluster of these elements, in any order. */
export function clusterOf(numbers: DescentProblem, members: Iterable<number>): Cluster {
  const elements = [...members].sort((a, b) => a - b);
  const sum = elements.reduce((total, element) => total + pairsWith(numbers, element, elements), 0) / 2;
  return { elements, cost: (numbers.share[elements.length] as number) * sum };
}

/** The clusters of a labeling, in the order of their numbers. */
export function clustersOf(numbers: DescentProblem, labels: readonly number[]): readonly Cluster[] {
  const members: number[][] = Array.from({ length: numbers.clusters }, () => []);
  labels.forEach((cluster, element) => {
    members[cluster]?.push(element);
  });
  return members.map((elements) => clusterOf(numbers, elements));
}

/**
 * Half of what each element's pairs cost in the cluster that it is in: dual values at which every cluster of the
 * labeling is worth exactly what it costs.
 */
export function marginalDuals(numbers: DescentProblem, clusters: readonly Cluster[]): Float64Array {
  const duals = new Float64Array(numbers.elements);
  for (const { elements } of clusters) {
    const half = 0.5 * (numbers.share[elements.length] as number);
    for (const element of elements) duals[element] = half * pairsWith(numbers, element, elements);
  }
  return duals;
}
