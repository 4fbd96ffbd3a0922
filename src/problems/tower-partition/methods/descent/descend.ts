import { type DescentProblem, inOrderOfFirst } from "./limits.js";
import { DescentState } from "./state.js";

/** A gain counts where it is more than this share of the largest pair: what is below may be rounding. */
const MIN_GAIN = 1e-11;

/**
 * Descent from a feasible labeling (the cluster 0 … T−1 of each element): as long as it makes the value less, an
 * element goes to another cluster or two elements change places, the first such change in the order of the elements at
 * once. It ends where no change that keeps to sizes and loads is an improvement, or when told to stop; what it gives is
 * feasible and no worse than where it began, clusters numbered in the order of their first elements.
 *
 * `shouldStop`: asked with the pairs of elements looked at since.
 *
 * A round over all changes costs O(F² + F·T), each change made O(F).
 */
export function descend(
  problem: DescentProblem,
  labels: ArrayLike<number>,
  shouldStop?: (pairs: number) => boolean,
): readonly number[] {
  const { elements } = problem;
  const state = new DescentState(problem, labels);
  const least = -MIN_GAIN * problem.pairs.reduce((most, pair) => Math.max(most, pair), 0);
  let unchanged = 0;
  for (let element = 0; unchanged < elements && shouldStop?.(elements) !== true; element = (element + 1) % elements) {
    const changed = improveMove(problem, state, element, least) || improveSwap(problem, state, element, least);
    unchanged = changed ? 0 : unchanged + 1;
  }
  return inOrderOfFirst(state.labels);
}

function improveMove({ clusters }: DescentProblem, state: DescentState, element: number, least: number): boolean {
  const from = state.labels[element] as number;
  for (let to = 0; to < clusters; to++) {
    if (to === from || !state.sizesAllow(from, to)) continue;
    if (state.moveRise(element, to) >= least) continue;
    if (!state.fits(element, to)) continue;
    state.move(element, to);
    return true;
  }
  return false;
}

/** Swaps with later elements alone: earlier ones have tried this one. */
function improveSwap({ elements }: DescentProblem, state: DescentState, element: number, least: number): boolean {
  let changed = false;
  for (let other = element + 1; other < elements; other++) {
    const [a, b] = [state.labels[element] as number, state.labels[other] as number];
    if (a === b || state.swapRise(element, other) >= least || !state.fitSwapped(element, other)) continue;
    state.swap(element, other);
    changed = true;
  }
  return changed;
}
