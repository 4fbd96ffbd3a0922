import type { Random } from "../../../../exact/random.js";
import type { DescentProblem, SizeWindow } from "./limits.js";
import { relieve } from "./relieve.js";

/** Not in a group yet. */
const FREE = -1;

/**
 * A numbering made of two: in turn, each gives the group of which most items are still free, the cheapest of these where
 * several are alike; then what is free goes at random to where fewest are (greedy partition crossover: Galinier and Hao,
 * "Hybrid evolutionary algorithms for graph coloring", 1999). `null` where it cannot be made to keep to the load.
 */
export function crossover(
  problem: DescentProblem,
  window: SizeWindow,
  parents: readonly [ArrayLike<number>, ArrayLike<number>],
  random: Random,
): ArrayLike<number> | null {
  const { items, groups, load } = problem;
  const child = new Int32Array(items).fill(FREE);
  for (let group = 0; group < groups; group++) {
    const parent = parents[group % 2] as ArrayLike<number>;
    const chosen = fullestGroup(problem, child, parent);
    for (let item = 0; item < items; item++) {
      if (child[item] === FREE && parent[item] === chosen) child[item] = group;
    }
  }
  deal(child, groups, window, random);
  return load === null ? child : relieve(child, groups, window, load);
}

/** The group of the parent with most free items, the cheapest by its pairs. */
function fullestGroup({ items, groups, pairs }: DescentProblem, child: Int32Array, parent: ArrayLike<number>): number {
  const sizes = new Int32Array(groups);
  const sums = new Float64Array(groups);
  for (let i = 0; i < items; i++) {
    if (child[i] !== FREE) continue;
    const group = parent[i] as number;
    sizes[group] = (sizes[group] as number) + 1;
    for (let j = 0; j < i; j++) {
      if (child[j] !== FREE || parent[j] !== group) continue;
      sums[group] = (sums[group] as number) + (pairs[i * items + j] as number);
    }
  }
  let best = 0;
  for (let group = 1; group < groups; group++) {
    const more = (sizes[group] as number) - (sizes[best] as number);
    if (more > 0 || (more === 0 && (sums[group] as number) < (sums[best] as number))) best = group;
  }
  return best;
}

/** Gives every free item a group, and groups the sizes of the window; groups have at most the window's most before. */
function deal(child: Int32Array, groups: number, { least }: SizeWindow, random: Random): void {
  const sizes = new Int32Array(groups);
  for (const group of child) if (group !== FREE) sizes[group] = (sizes[group] as number) + 1;
  const place = (item: number) => {
    const fewest = sizes.reduce((min, size) => Math.min(min, size), Number.POSITIVE_INFINITY);
    const open = [...sizes.keys()].filter((group) => sizes[group] === fewest);
    const group = open[random.integer(open.length)] as number;
    child[item] = group;
    sizes[group] = (sizes[group] as number) + 1;
  };
  child.forEach((group, item) => {
    if (group === FREE) place(item);
  });
  // Small groups take from the largest.
  while (sizes.some((size) => size < least)) {
    const most = sizes.reduce((max, size) => Math.max(max, size), 0);
    const large = [...child.keys()].filter((item) => sizes[child[item] as number] === most);
    const item = large[random.integer(large.length)] as number;
    sizes[child[item] as number] = most - 1;
    place(item);
  }
}
