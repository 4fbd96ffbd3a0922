import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Grain } from "../cost-granularity.js";
import type { BoundProof } from "./bound-proof.js";
import { claimOfGrains, patternProof } from "./pattern-proof.js";

/**
 * The average load in whole grains: each device holds less than `grains` of them if its cost is below as many, so that all
 * devices hold fewer than there are. For tables without a choice of options; `null` for others.
 */
export function averageBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
  grain: Grain | null,
): BoundProof | null {
  if (grain === null || problem.tables.some(({ options }) => options.length > 1)) return null;
  const wholes = model.orbits.map(({ cost }) => Number(grain.wholes.get(cost)));
  const total = demandValue(model.tables, wholes);
  if (!(total > 0 && Number.isSafeInteger(total))) return null;
  const grains = Math.ceil(total / deviceCount(problem));
  const argument = {
    prices: wholes,
    most: model.classes.map(() => grains - 1),
    weights: [],
    unit: grain.size,
  };
  return patternProof(direct, model, argument, claimOfGrains(grain, BigInt(grains)), grain);
}
