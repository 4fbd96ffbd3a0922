import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import { demandValue } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import type { BoundProof } from "./bound-proof.js";
import { patternProof } from "./pattern-proof.js";

/** So many of the dearest shards' costs are tried as units. */
const MAX_UNITS = 300;

/**
 * Shards counted in whole units of one of their costs: a device of load below k units holds at most k − 1 of them, so
 * that the largest cost is at least the average count, rounded up, times the unit (a dual feasible function: Fekete and
 * Schepers 2001). The best unit; `null` where none counts anything.
 */
export function countingBound(
  problem: PlacementProblem,
  direct: DirectProgram,
  model: PatternModel,
): BoundProof | null {
  const devices = deviceCount(problem);
  const candidates = [...new Set(model.orbits.map(({ cost }) => cost))]
    .filter((cost) => cost > 0)
    .sort((a, b) => b - a)
    .slice(0, MAX_UNITS);
  let best = { unit: 0, count: 0 };
  for (const unit of candidates) {
    const counts = countsIn(model, unit);
    const count = Math.ceil(demandValue(model.tables, counts) / devices);
    // Of a unit that is next to nothing beside the others there are too many to count.
    if (!counts.every(Number.isFinite)) continue;
    // A table without an option that can be placed counts for ever: others say so.
    if (Number.isFinite(count) && count * unit > best.count * best.unit) best = { unit, count };
  }
  if (best.count === 0) return null;
  const unit = Rational.fromNumber(best.unit);
  const argument = {
    duals: countsIn(model, best.unit),
    most: model.classes.map(() => best.count - 1),
    weights: [],
    unit,
  };
  const claim = unit.multiply(Rational.of(BigInt(best.count)));
  return patternProof(direct, model, argument, claim, null);
}

/** How many whole units each shard costs. */
function countsIn({ orbits }: PatternModel, unit: number): Float64Array {
  return Float64Array.from(orbits, ({ cost }) => Math.floor(cost / unit));
}
