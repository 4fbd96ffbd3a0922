import type { Random } from "../../../../exact/random.js";
import { assignWithinLoad } from "../k-means/loaded-assignment.js";
import type { DescentProblem, SizeWindow } from "./limits.js";
import { relieve } from "./relieve.js";

/**
 * A random labeling with sizes in the window that keeps to the load: random sizes, filled with elements in a random
 * order, mended where a cluster carries too much; where that fails, the assignment that costs random numbers least.
 * `null` where that too is not found.
 */
export function randomStart(
  { elements, clusters, load }: Pick<DescentProblem, "elements" | "clusters" | "load">,
  window: SizeWindow,
  random: Random,
): ArrayLike<number> | null {
  const labels = randomLabels(elements, randomSizes(elements, clusters, window, random), random);
  if (load === null) return labels;
  const relieved = relieve(labels, clusters, window, load);
  if (relieved !== null) return relieved;
  const costs = Float64Array.from({ length: elements * clusters }, () => random.next());
  return assignWithinLoad(costs, clusters, window, load).labels;
}

function randomSizes(
  elements: number,
  clusters: number,
  { least, most }: SizeWindow,
  random: Random,
): readonly number[] {
  const sizes = new Array<number>(clusters).fill(least);
  for (let left = elements - clusters * least; left > 0; left--) {
    const open = sizes.flatMap((size, cluster) => (size < most ? [cluster] : []));
    const cluster = open[random.integer(open.length)] as number;
    sizes[cluster] = (sizes[cluster] as number) + 1;
  }
  return sizes;
}

function randomLabels(elements: number, sizes: readonly number[], random: Random): readonly number[] {
  const labels = sizes.flatMap((size, cluster) => new Array<number>(size).fill(cluster));
  for (let k = elements - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    [labels[k], labels[other]] = [labels[other] as number, labels[k] as number];
  }
  return labels;
}
