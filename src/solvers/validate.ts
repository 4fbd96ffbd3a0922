import type { Program } from "../program/program.js";
import type { Claim, SolveOptions } from "./claim.js";
import { type DoubleProgram, doubleProgram } from "./double-program.js";
import { addRows } from "./scaled-model.js";

/** A solver's answer contradicts itself or the program. The message says which statement and by how much. */
export class ContradictoryClaim extends Error {
  override readonly name = "ContradictoryClaim";
  readonly claim: Claim;

  constructor(claim: Claim, message: string) {
    super(`${claim.solver} contradicts itself: ${message}`);
    this.claim = claim;
  }
}

/** Relative size of a violation beyond which it is no longer a matter of tolerances. */
const GROSS = 1e-5;
/** Relative size of a disagreement between objective values beyond which it is no longer rounding. */
const ROUNDING = 1e-6;

/** Sizes up to which a dual of the wrong sign is a solver's rounding, by column and by row, in the program's units. */
export interface DualTolerances {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/**
 * Refuses contradictory claims, in double arithmetic; returns the claim unchanged otherwise. It proves nothing: a claim
 * that passes may still be wrong.
 *
 * Refused are: an `optimal` or `feasible` without a point, or a point with `infeasible`; vectors of a wrong length or
 * with NaN; a point grossly (relative 1e-5) outside a bound, a row or the integers; an objective that is not the
 * point's; a dual bound beyond the primal bound; duals of a mixed-integer program, half a pair of duals, and, with
 * `optimal`, duals that do not give the reduced costs or have a sign that no bound allows.
 *
 * A wrong sign is judged against the terms that the dual is made of, and against `tolerances`: where all terms are
 * rounding, there is nothing else to judge it by.
 *
 * Throws {@link ContradictoryClaim}.
 */
export function validateClaim(
  program: Program,
  claim: Claim,
  options: SolveOptions = {},
  tolerances?: DualTolerances,
): Claim {
  return validateAgainst(doubleProgram(program), claim, options.relaxation === true, tolerances);
}

/** {@link validateClaim} against bounds that may differ from the program's own. */
export function validateAgainst<C extends Claim>(
  doubles: DoubleProgram,
  claim: C,
  relaxation: boolean,
  tolerances?: DualTolerances,
): C {
  const refuse: Refuse = (message) => {
    throw new ContradictoryClaim(claim, message);
  };
  const { columns, rows } = doubles.program;
  requireLength(refuse, "the point", claim.point, columns.length);
  requireLength(refuse, "the row duals", claim.rowDuals, rows.length);
  requireLength(refuse, "the reduced costs", claim.reducedCosts, columns.length);
  if (claim.point === undefined && (claim.status === "optimal" || claim.status === "feasible")) {
    refuse(`the status is ${claim.status}, yet there is no point`);
  }
  if (claim.point !== undefined && claim.status === "infeasible") {
    refuse("the status is infeasible, yet there is a point");
  }
  if (Number.isNaN(claim.primalBound)) refuse("the primal bound is not a number");
  if (Number.isNaN(claim.dualBound)) refuse("the dual bound is not a number");
  if (claim.point !== undefined) checkPoint(doubles, claim.point, relaxation, refuse);
  checkBounds(doubles, claim, refuse);
  checkDuals(doubles, claim, relaxation, tolerances, refuse);
  return claim;
}

type Refuse = (message: string) => never;

function requireLength(refuse: Refuse, what: string, vector: Float64Array | undefined, length: number): void {
  if (vector === undefined) return;
  if (vector.length !== length) refuse(`${what} should have ${length} values, there are ${vector.length}`);
  const bad = vector.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) refuse(`value ${bad} of ${what} is ${vector[bad]}`);
}

function checkPoint(doubles: DoubleProgram, point: Float64Array, relaxation: boolean, refuse: Refuse): void {
  doubles.program.columns.forEach((column, j) => {
    const value = point[j] as number;
    const [lower, upper] = [doubles.columnLower[j] as number, doubles.columnUpper[j] as number];
    if (outside(value, lower, upper, 1) > GROSS) {
      refuse(`"${column.name}" is ${value}, outside its bounds [${lower}, ${upper}]`);
    }
    if (column.integer && !relaxation && Math.abs(value - Math.round(value)) > GROSS + 1e-9 * Math.abs(value)) {
      refuse(`"${column.name}" must be an integer and is ${value}`);
    }
  });
  doubles.program.rows.forEach((row, i) => {
    let sum = 0;
    let magnitude = 0;
    let largest = 0;
    for (let k = doubles.starts[i] as number; k < (doubles.starts[i + 1] as number); k++) {
      const coefficient = doubles.values[k] as number;
      const term = coefficient * (point[doubles.indices[k] as number] as number);
      sum += term;
      magnitude += Math.abs(term);
      largest = Math.max(largest, Math.abs(coefficient));
    }
    const [lower, upper] = [doubles.rowLower[i] as number, doubles.rowUpper[i] as number];
    if (outside(sum, lower, upper, Math.max(magnitude, largest)) > GROSS) {
      refuse(`row "${row.name}" comes to ${sum}, outside its bounds [${lower}, ${upper}]`);
    }
  });
}

/** How far a value lies outside its bounds, relative to the larger of the bound broken and the magnitude given. */
function outside(value: number, lower: number, upper: number, magnitude: number): number {
  const [bound, excess] = value < lower ? [lower, lower - value] : [upper, value - upper];
  return excess <= 0 ? 0 : excess / Math.max(Math.abs(bound), magnitude);
}

function checkBounds(doubles: DoubleProgram, claim: Claim, refuse: Refuse): void {
  const { point, primalBound, dualBound } = claim;
  let own = doubles.constant;
  let magnitude = Math.abs(doubles.constant);
  if (point !== undefined) {
    let largest = 0;
    for (let j = 0; j < point.length; j++) {
      const term = (doubles.cost[j] as number) * (point[j] as number);
      own += term;
      magnitude += Math.abs(term);
      largest = Math.max(largest, Math.abs(doubles.cost[j] as number));
    }
    magnitude = Math.max(magnitude, largest);
    if (
      primalBound !== undefined &&
      Math.abs(own - primalBound) > ROUNDING * Math.max(magnitude, Math.abs(primalBound))
    ) {
      refuse(`it reports the objective ${primalBound}, its point has ${own}`);
    }
  }
  if (primalBound === undefined || dualBound === undefined) return;
  const beyond = doubles.program.objective.sense === "minimize" ? dualBound - primalBound : primalBound - dualBound;
  if (beyond > ROUNDING * Math.max(magnitude, Math.abs(primalBound), Math.abs(dualBound))) {
    refuse(`its bound ${dualBound} excludes its own solution of ${primalBound}`);
  }
}

function checkDuals(
  doubles: DoubleProgram,
  claim: Claim,
  relaxation: boolean,
  tolerances: DualTolerances | undefined,
  refuse: Refuse,
): void {
  const { rowDuals, reducedCosts } = claim;
  if (rowDuals === undefined && reducedCosts === undefined) return;
  const { columns, rows, objective } = doubles.program;
  if (!relaxation && columns.some((column) => column.integer)) {
    refuse("it gives duals for a mixed-integer program, where none exist");
  }
  if (rowDuals === undefined || reducedCosts === undefined) refuse("row duals and reduced costs come together");
  if (claim.status !== "optimal") return;
  // The terms cⱼ and yᵢaᵢⱼ of a column share units: a sign is judged against the size of the largest of them.
  const gradient = doubles.cost.slice();
  const sizes = doubles.cost.map(Math.abs);
  addRows(doubles, rowDuals, -1, gradient, sizes);
  const sense = objective.sense === "minimize" ? 1 : -1;
  columns.forEach((column, j) => {
    const d = reducedCosts[j] as number;
    const tolerance = GROSS * (sizes[j] as number);
    if (Math.abs(d - (gradient[j] as number)) > tolerance) {
      refuse(`the reduced cost of "${column.name}" is ${d}, its duals make it ${gradient[j]}`);
    }
    const side = forbiddenSide(
      sense * d,
      doubles.columnLower[j] as number,
      doubles.columnUpper[j] as number,
      Math.max(tolerance, tolerances?.columns[j] ?? 0),
    );
    if (side !== undefined) refuse(`"${column.name}" has the reduced cost ${d} but no ${side} bound`);
  });
  rows.forEach((row, i) => {
    const y = rowDuals[i] as number;
    const [lower, upper] = [doubles.rowLower[i] as number, doubles.rowUpper[i] as number];
    // Nearly all have the right sign: no tolerance is needed.
    if (forbiddenSide(sense * y, lower, upper, 0) === undefined) return;
    // A dual counts by what it does to the reduced costs of its row's columns.
    let tolerance = doubles.starts[i] === doubles.starts[i + 1] ? 0 : Number.POSITIVE_INFINITY;
    for (let k = doubles.starts[i] as number; k < (doubles.starts[i + 1] as number); k++) {
      const size = sizes[doubles.indices[k] as number] as number;
      tolerance = Math.min(tolerance, (GROSS * size) / Math.abs(doubles.values[k] as number));
    }
    tolerance = Math.max(tolerance, tolerances?.rows[i] ?? 0);
    const side = forbiddenSide(sense * y, lower, upper, tolerance);
    if (side !== undefined) refuse(`row "${row.name}" has the dual ${y} but no ${side} bound`);
  });
}

/** The side a dual of this sign needs, when it is not there; the dual is taken as of a minimisation. */
function forbiddenSide(dual: number, lower: number, upper: number, tolerance: number): "lower" | "upper" | undefined {
  if (dual > tolerance && lower === Number.NEGATIVE_INFINITY) return "lower";
  if (dual < -tolerance && upper === Number.POSITIVE_INFINITY) return "upper";
  return undefined;
}
