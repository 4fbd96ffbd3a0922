import { type DescentProblem, inOrderOfFirst } from "./limits.js";
import { DescentState } from "./state.js";

/** A gain counts where it is more than this share of the largest pair: what is below may be rounding. */
const MIN_GAIN = 1e-11;

/**
 * Descent from a feasible numbering (the group 0 … T−1 of each item): as long as it makes the value less, an item goes to
 * another group or two items change places, the first such change in the order of the items at once. It ends where no
 * change that keeps to sizes and loads is an improvement, or when told to stop; what it gives is feasible and no worse than
 * where it began, groups numbered in the order of their first items.
 *
 * `shouldStop`: asked with the pairs of items looked at since.
 *
 * A round over all changes costs O(F² + F·T), each change made O(F).
 */
export function descend(
  problem: DescentProblem,
  numbering: ArrayLike<number>,
  shouldStop?: (pairs: number) => boolean,
): readonly number[] {
  const { items } = problem;
  const state = new DescentState(problem, numbering);
  const least = -MIN_GAIN * problem.pairs.reduce((most, pair) => Math.max(most, pair), 0);
  let unchanged = 0;
  for (let item = 0; unchanged < items && shouldStop?.(items) !== true; item = (item + 1) % items) {
    const changed = improveMove(problem, state, item, least) || improveSwap(problem, state, item, least);
    unchanged = changed ? 0 : unchanged + 1;
  }
  return inOrderOfFirst(state.numbering);
}

function improveMove({ groups, load }: DescentProblem, state: DescentState, item: number, least: number): boolean {
  const from = state.numbering[item] as number;
  const weight = state.weight(item);
  for (let to = 0; to < groups; to++) {
    if (to === from || !state.sizesAllow(from, to)) continue;
    if (state.moveRise(item, to) >= least) continue;
    if (load !== null && (state.loads[to] as number) + weight > load.most) continue;
    state.move(item, to);
    return true;
  }
  return false;
}

/** Swaps with later items alone: earlier ones have tried this one. */
function improveSwap({ items, load }: DescentProblem, state: DescentState, item: number, least: number): boolean {
  let changed = false;
  for (let other = item + 1; other < items; other++) {
    const [a, b] = [state.numbering[item] as number, state.numbering[other] as number];
    if (a === b || state.swapRise(item, other) >= least) continue;
    if (load !== null) {
      const more = state.weight(other) - state.weight(item);
      if ((state.loads[a] as number) + more > load.most || (state.loads[b] as number) - more > load.most) continue;
    }
    state.swap(item, other);
    changed = true;
  }
  return changed;
}
