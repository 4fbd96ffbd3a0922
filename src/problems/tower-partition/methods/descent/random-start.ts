import type { Random } from "../../../../exact/random.js";
import { assignWithinLoad } from "../k-means/loaded-assignment.js";
import type { DescentProblem, SizeWindow } from "./limits.js";
import { relieve } from "./relieve.js";

/**
 * A random numbering with sizes in the window that keeps to the load: random sizes, filled with items in a random order,
 * mended where a group carries too much; where that fails, the assignment that costs random numbers least. `null` where
 * that too is not found.
 */
export function randomStart(
  { items, groups, load }: Pick<DescentProblem, "items" | "groups" | "load">,
  window: SizeWindow,
  random: Random,
): ArrayLike<number> | null {
  const numbering = randomNumbering(items, randomSizes(items, groups, window, random), random);
  if (load === null) return numbering;
  const relieved = relieve(numbering, groups, window, load);
  if (relieved !== null) return relieved;
  const costs = Float64Array.from({ length: items * groups }, () => random.next());
  return assignWithinLoad(costs, groups, window, load).numbering;
}

function randomSizes(items: number, groups: number, { least, most }: SizeWindow, random: Random): readonly number[] {
  const sizes = new Array<number>(groups).fill(least);
  for (let left = items - groups * least; left > 0; left--) {
    const open = sizes.flatMap((size, group) => (size < most ? [group] : []));
    const group = open[random.integer(open.length)] as number;
    sizes[group] = (sizes[group] as number) + 1;
  }
  return sizes;
}

function randomNumbering(items: number, sizes: readonly number[], random: Random): readonly number[] {
  const numbering = sizes.flatMap((size, group) => new Array<number>(size).fill(group));
  for (let k = items - 1; k > 0; k--) {
    const other = random.integer(k + 1);
    [numbering[k], numbering[other]] = [numbering[other] as number, numbering[k] as number];
  }
  return numbering;
}
