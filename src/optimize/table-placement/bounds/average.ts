import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Grain } from "../grain.js";
import type { PatternModel } from "../patterns/model.js";
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
  grain: Grain,
): BoundProof | null {
  if (problem.tables.some(({ options }) => options.length > 1)) return null;
  if (model.orbits.some(({ demand }) => !Number.isInteger(demand))) return null;
  const wholes = model.orbits.map(({ cost }) => grain.wholes.get(cost) as bigint);
  const total = model.orbits.reduce((sum, { demand }, r) => sum + BigInt(demand) * (wholes[r] as bigint), 0n);
  const devices = BigInt(deviceCount(problem));
  const grains = (total + devices - 1n) / devices;
  if (grains === 0n || total > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const argument = {
    prices: wholes.map(Number),
    most: model.classes.map(() => Number(grains - 1n)),
    weights: model.classes.map(() => [{ cost: 1 / grain.approximate, hbm: 0, host: 0 }]),
    isBound: true,
  };
  return patternProof(direct, model, argument, claimOfGrains(grain, grains), grain);
}
