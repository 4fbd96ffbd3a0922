import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { seededRandom } from "../../../exact/random.js";
import { descentProblem, inOrderOfFirst } from "../methods/descent/limits.js";
import { randomStart } from "../methods/descent/random-start.js";

/** Halvings of the load that is tried, and starts for each: work that the clock has no part in. */
const HALVINGS = 12;
const STARTS = 4;

/**
 * A partition that breaks the loads by as little as a short search finds, and nothing else: it shows what loadRatio
 * would do where an instance is infeasible. `null` where loads limit nothing, or no sizes fit.
 */
export function relaxedTowers(problem: TowerProblem, seed: number): readonly number[] | null {
  const { load, windows } = problem;
  if (load === null || windows.length === 0) return null;
  const { elements, clusters } = descentProblem(problem);
  const random = seededRandom(seed);
  const within = (most: number): readonly number[] | null => {
    for (let start = 0; start < STARTS; start++) {
      for (const window of windows) {
        const found = randomStart({ elements, clusters, load: { weights: load.weights, most } }, window, random);
        if (found !== null) return inOrderOfFirst(found);
      }
    }
    return null;
  };
  let above = load.weights.reduce((sum, weight) => sum + weight, 0);
  let below = load.most;
  let best = within(above);
  for (let halving = 0; halving < HALVINGS && best !== null; halving++) {
    const middle = (above + below) / 2;
    const found = within(middle);
    if (found === null) below = middle;
    else [best, above] = [found, heaviest(load.weights, found)];
  }
  return best;
}

function heaviest(weights: readonly number[], labels: readonly number[]): number {
  const loads = new Map<number, number>();
  for (const [element, tower] of labels.entries()) {
    loads.set(tower, (loads.get(tower) ?? 0) + (weights[element] as number));
  }
  return Math.max(...loads.values());
}
