import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import { Rational } from "../../../exact/rational.js";

/** Relative: far more than the rounding of a few thousand additions. */
const SLACK = 1e-12;

/** Whether no tower carries more than `load.most`, in exact arithmetic on the problem's doubles. */
export function keepsToLoad({ towers, load }: TowerProblem, labels: ArrayLike<number>): boolean {
  if (load === null) return true;
  const sums = Array.from({ length: towers }, () => new DoubleSum());
  for (const [feature, weight] of load.weights.entries()) sums[labels[feature] as number]?.add(weight);
  const most = Rational.fromNumber(load.most);
  return sums.every((sum) => sum.total().compare(most) <= 0);
}

/**
 * What a search in doubles finds, when it keeps to the load exactly. The search first has a load that is a trifle
 * larger, so that rounding hides nothing that fits to the last bit; where its answer then turns out not to fit, it runs
 * again with one that is a trifle smaller. `null` where neither finds anything.
 */
export function searchWithinLoad<T extends { readonly labels: ArrayLike<number> }>(
  problem: TowerProblem,
  search: (problem: TowerProblem) => T | null,
): T | null {
  if (problem.load === null) return search(problem);
  for (const slack of [SLACK, -SLACK]) {
    const load = { ...problem.load, most: problem.load.most * (1 + slack) };
    const found = search({ ...problem, load });
    if (found !== null && keepsToLoad(problem, found.labels)) return found;
  }
  return null;
}
