import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { Grain } from "../cost-granularity.js";
import type { BoundProof } from "./bound-proof.js";
import { patternProof } from "./pattern-proof.js";

/** Beyond so many of the dearest shards the average says as much. */
const MAX_SHARDS = 1500;

/**
 * Of the r·devices + 1 dearest shards, some device has r + 1: at least the r + 1 cheapest of them (the pigeonhole bound of
 * makespan scheduling). For tables of one option and one shard; the best r. `null` where there are no such tables, or fewer
 * than devices.
 */
export function pigeonholeBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
  grain: Grain | null,
): BoundProof | null {
  const isSimple = problem.tables.every(({ options }) => options.length === 1 && options[0]?.shards.length === 1);
  if (!isSimple) return null;
  const devices = deviceCount(problem);
  const dearest = [...model.orbits.keys()].sort(
    (a, b) => (model.orbits[b]?.cost as number) - (model.orbits[a]?.cost as number),
  );
  const costs = dearest.map((orbit) => model.orbits[orbit]?.cost as number);
  let best = { value: 0, each: 0 };
  for (let each = 1; each * devices < Math.min(costs.length, MAX_SHARDS); each++) {
    const value = costs.slice(each * devices - each, each * devices + 1).reduce((sum, cost) => sum + cost, 0);
    if (value > best.value) best = { value, each };
  }
  if (best.each === 0) return null;
  const count = best.each * devices + 1;
  const prices = new Float64Array(model.orbits.length);
  for (const orbit of dearest.slice(0, count)) prices[orbit] = 1;
  const claim = costs
    .slice(count - best.each - 1, count)
    .reduce((sum, cost) => sum.add(Rational.fromNumber(cost)), Rational.zero);
  const argument = {
    prices,
    most: model.classes.map(() => best.each),
    weights: model.classes.map(() => [{ cost: (best.each + 0.5) / best.value, hbm: 0, host: 0 }]),
  };
  return patternProof(direct, model, argument, claim, grain);
}
