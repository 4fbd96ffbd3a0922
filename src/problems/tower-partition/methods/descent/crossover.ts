import type { Random } from "../../../../exact/random.js";
import type { DescentProblem, SizeWindow } from "./limits.js";
import { relieve } from "./relieve.js";

/** Not in a cluster yet. */
const FREE = -1;

/**
 * A labeling made of two: in turn, each gives the cluster of which most elements are still free, the cheapest of these
 * where several are alike; then what is free goes at random to where fewest are (greedy partition crossover: Galinier
 * and Hao,
 * "Hybrid evolutionary algorithms for graph coloring", 1999). `null` where it cannot be made to keep to the load.
 */
export function crossover(
  problem: DescentProblem,
  window: SizeWindow,
  parents: readonly [ArrayLike<number>, ArrayLike<number>],
  random: Random,
): ArrayLike<number> | null {
  const { elements, clusters, load } = problem;
  const child = new Int32Array(elements).fill(FREE);
  for (let cluster = 0; cluster < clusters; cluster++) {
    const parent = parents[cluster % 2] as ArrayLike<number>;
    const chosen = fullestCluster(problem, child, parent);
    for (let element = 0; element < elements; element++) {
      if (child[element] === FREE && parent[element] === chosen) child[element] = cluster;
    }
  }
  deal(child, clusters, window, random);
  return load === null ? child : relieve(child, clusters, window, load);
}

/** The cluster of the parent with most free elements, the cheapest by its pairs. */
function fullestCluster(
  { elements, clusters, pairs }: DescentProblem,
  child: Int32Array,
  parent: ArrayLike<number>,
): number {
  const sizes = new Int32Array(clusters);
  const sums = new Float64Array(clusters);
  for (let i = 0; i < elements; i++) {
    if (child[i] !== FREE) continue;
    const cluster = parent[i] as number;
    sizes[cluster] = (sizes[cluster] as number) + 1;
    for (let j = 0; j < i; j++) {
      if (child[j] !== FREE || parent[j] !== cluster) continue;
      sums[cluster] = (sums[cluster] as number) + (pairs[i * elements + j] as number);
    }
  }
  let best = 0;
  for (let cluster = 1; cluster < clusters; cluster++) {
    const more = (sizes[cluster] as number) - (sizes[best] as number);
    if (more > 0 || (more === 0 && (sums[cluster] as number) < (sums[best] as number))) best = cluster;
  }
  return best;
}

/**
 * Gives every free element a cluster, and clusters the sizes of the window; clusters have at most the window's most
 * before.
 */
function deal(child: Int32Array, clusters: number, { least }: SizeWindow, random: Random): void {
  const sizes = new Int32Array(clusters);
  for (const cluster of child) if (cluster !== FREE) sizes[cluster] = (sizes[cluster] as number) + 1;
  const place = (element: number) => {
    const fewest = sizes.reduce((min, size) => Math.min(min, size), Number.POSITIVE_INFINITY);
    const open = [...sizes.keys()].filter((cluster) => sizes[cluster] === fewest);
    const cluster = open[random.integer(open.length)] as number;
    child[element] = cluster;
    sizes[cluster] = (sizes[cluster] as number) + 1;
  };
  child.forEach((cluster, element) => {
    if (cluster === FREE) place(element);
  });
  // Small clusters take from the largest.
  while (sizes.some((size) => size < least)) {
    const most = sizes.reduce((max, size) => Math.max(max, size), 0);
    const large = [...child.keys()].filter((element) => sizes[child[element] as number] === most);
    const element = large[random.integer(large.length)] as number;
    sizes[child[element] as number] = most - 1;
    place(element);
  }
}
