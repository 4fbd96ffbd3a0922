import { seededRandom } from "../../../exact/random.js";
import { descend } from "./descent/descend.js";
import { descentProblem, partitionValue, type SizeWindow } from "./descent/limits.js";
import { randomStart } from "./descent/random-start.js";
import { noneWithinLoad, noSizes, positive, searchWithinLoad, type TowerHeuristic } from "./heuristic.js";
import { tp } from "./tp.js";

/** Starts of the descent. */
const RESTARTS = 30;

/**
 * The best of 30 descents of pairwise swaps (and moves, where sizes may differ) from random partitions, on the
 * distances themselves and the problem's objective. Our own. Starts take the windows of sizes in turn.
 */
export const swap: TowerHeuristic = (problem, { seed, shouldStop, restarts: asked }) => {
  const restarts = positive("restarts", asked ?? RESTARTS);
  if (problem.windows.length === 0) return noSizes(problem);
  const random = seededRandom(seed);
  const best = searchWithinLoad(problem, (within) => {
    const numbers = descentProblem(within);
    let best: { readonly labels: readonly number[]; readonly value: number } | null = null;
    for (let start = 0; start < restarts && !(best !== null && shouldStop?.() === true); start++) {
      const window = problem.windows[start % problem.windows.length] as SizeWindow;
      const from = randomStart(numbers, window, random);
      if (from === null) continue;
      const labels = descend(numbers, from, shouldStop);
      const value = partitionValue(numbers, labels);
      if (best === null || value < best.value) best = { labels, value };
    }
    return best;
  });
  return best === null ? noneWithinLoad : { kind: "plan", labels: best.labels };
};

/** `tp`, then one descent of pairwise swaps on the distances themselves and the problem's objective. Our own. */
export const tpSwap: TowerHeuristic = (problem, context) => {
  const start = tp(problem, context);
  if (start.kind !== "plan") return start;
  const better = searchWithinLoad(problem, (within) => ({
    labels: descend(descentProblem(within), start.labels, context.shouldStop),
  }));
  return better === null ? start : { ...start, labels: better.labels };
};
