import { keepsToLoad, noSizes, type TowerHeuristic } from "./heuristic.js";

/** The paper's naive assignment (DMT, section 5): tower t gets the features t, t + T, t + 2T, … It knows no load. */
export const strided: TowerHeuristic = (problem) => {
  if (problem.windows.length === 0) return noSizes(problem);
  const labels = problem.features.map((_, feature) => feature % problem.towers);
  if (!keepsToLoad(problem, labels)) return { kind: "none", reason: "a strided tower carries more than it may" };
  return { kind: "plan", labels };
};
