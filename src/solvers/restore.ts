import type { Claim } from "./claim.js";
import { addRows, type RawAnswer } from "./scaled-model.js";
import type { Scaling } from "./scaling.js";
import type { DualTolerances } from "./validate.js";

/** Tolerances within which solvers call a scaled point or dual feasible (HiGHS: 1e-7 for LPs, 1e-6 for MIPs). */
const TOLERANCE = 1e-6;

/**
 * Leads a backend's answer about the scaled model back to the program's own units and sense.
 *
 * Within the solvers' tolerance of 1e-6 (scaled units) values are moved onto the column bounds they overstep, and row
 * duals of a sign that the row's bounds forbid become zero. Reduced costs are computed here, d' = c' − A'ᵀy', so that
 * c = Aᵀy + d holds to rounding whatever the backend delivers.
 */
export function restoreClaim(scaling: Scaling, answer: RawAnswer, solver: string, seconds: number): Claim {
  const { model, objectiveFactor: g, constant } = scaling;
  const unscaled = (value: number | undefined) =>
    value === undefined || !Number.isFinite(value) ? undefined : value / g + constant;
  const primalBound = answer.point === undefined ? undefined : unscaled(answer.objective);
  const dualBound = unscaled(answer.bound);
  const duals = answer.rowDuals && cleanDuals(scaling, answer.rowDuals);
  const reduced = duals && reducedCosts(scaling, duals);
  return {
    solver,
    status: answer.status,
    ...(answer.point && { point: restorePoint(scaling, answer.point) }),
    ...(duals && { rowDuals: duals.map((y, i) => (y * (scaling.rowFactors[i] as number)) / g) }),
    ...(reduced && { reducedCosts: reduced.map((d, j) => d / (g * (scaling.columnFactors[j] as number))) }),
    ...(primalBound !== undefined && { primalBound }),
    ...(dualBound !== undefined && { dualBound }),
    ...(answer.limitReached && { limitReached: answer.limitReached }),
    ...(answer.nodes !== undefined && !!model.integrality && { nodes: answer.nodes }),
    ...(answer.iterations !== undefined && { iterations: answer.iterations }),
    seconds,
  };
}

/** What the solvers' tolerance on duals comes to in the program's units, by column (reduced costs) and by row. */
export function dualTolerances({ columnFactors, rowFactors, objectiveFactor }: Scaling): DualTolerances {
  const tolerance = TOLERANCE / Math.abs(objectiveFactor);
  return {
    columns: columnFactors.map((factor) => tolerance / factor),
    rows: rowFactors.map((factor) => tolerance * factor),
  };
}

function restorePoint({ model, columnFactors }: Scaling, scaled: Float64Array): Float64Array {
  return scaled.map((value, j) => {
    const lower = model.columnLower[j] as number;
    const upper = model.columnUpper[j] as number;
    let held = value;
    if (value < lower && value >= lower - TOLERANCE) held = lower;
    else if (value > upper && value <= upper + TOLERANCE) held = upper;
    return held * (columnFactors[j] as number);
  });
}

function cleanDuals({ model }: Scaling, duals: Float64Array): Float64Array {
  return duals.map((y, i) => {
    const forbidden = (y > 0 && model.rowLower[i] === -Infinity) || (y < 0 && model.rowUpper[i] === Infinity);
    return forbidden && Math.abs(y) <= TOLERANCE ? 0 : y;
  });
}

function reducedCosts({ model }: Scaling, duals: Float64Array): Float64Array {
  const reduced = model.cost.slice();
  addRows(model, duals, -1, reduced);
  return reduced;
}
