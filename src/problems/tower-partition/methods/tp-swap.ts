import { descend } from "./descent/descend.js";
import { descentProblem } from "./descent/limits.js";
import type { TowerHeuristic } from "./heuristic.js";
import { tp } from "./tp.js";
import { searchWithinLoad } from "./within-load.js";

/** `tp`, then one descent of pairwise swaps on the distances themselves and the problem's objective. Our own. */
export const tpSwap: TowerHeuristic = (problem, context) => {
  const start = tp(problem, context);
  if (start.kind !== "plan") return start;
  const better = searchWithinLoad(problem, (within) => ({
    labels: descend(descentProblem(within), start.labels, context.shouldStop),
  }));
  return better === null ? start : { ...start, labels: better.labels };
};
