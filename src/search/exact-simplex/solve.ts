import { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box, View } from "../../proof/kernel/view.js";
import { type ShouldStop, UNITS } from "../work.js";
import { Tableau } from "./tableau.js";

/** The linear relaxation of a view over a box, solved in exact arithmetic. */
export type ExactAnswer =
  | { readonly kind: "optimal"; readonly point: readonly Rational[]; readonly multipliers: Multipliers }
  /** The multipliers show it (`lagrangianBound` with purpose "infeasibility"). */
  | { readonly kind: "infeasible"; readonly multipliers: Multipliers }
  | { readonly kind: "unbounded"; readonly point: readonly Rational[] };

/**
 * Bounded primal simplex on a dense exact tableau, for small programs: first to feasibility (Dutertre and de Moura 2006),
 * then to the optimum, with Bland's rule throughout, so that it ends. `near` is a floating-point optimum to start from:
 * columns strictly between their bounds there are brought into the basis first, which leaves few pivots to do. Returns
 * `null` when `shouldStop` says so.
 */
export function solveExactLinear(
  view: View,
  box: Box,
  near: Float64Array | null = null,
  shouldStop: ShouldStop = () => false,
): ExactAnswer | null {
  const tableau = new Tableau(view, box);
  for (let j = 0; j < tableau.lower.length; j++) {
    const lower = tableau.lower[j] ?? null;
    const upper = tableau.upper[j] ?? null;
    if (lower !== null && upper !== null && lower.compare(upper) > 0)
      return { kind: "infeasible", multipliers: new Map() };
  }
  if (near !== null) crash(tableau, near);
  const conflict = makeFeasible(tableau, shouldStop);
  if (conflict === "stopped") return null;
  if (conflict !== null) return { kind: "infeasible", multipliers: conflict };
  const end = improve(tableau, shouldStop);
  if (end === "stopped") return null;
  const point = tableau.value.slice(0, tableau.columnCount);
  return end === "optimal"
    ? { kind: "optimal", point, multipliers: multipliersOf(tableau, tableau.nonbasic, tableau.costs) }
    : { kind: "unbounded", point };
}

/** Puts the tableau near a floating-point point: nonbasic columns to the bound they are at, others into the basis. */
function crash(tableau: Tableau, near: Float64Array): void {
  for (let k = 0; k < tableau.nonbasic.length; k++) {
    const j = tableau.nonbasic[k] as number;
    const at = near[j] as number;
    const lower = tableau.lower[j] ?? null;
    const upper = tableau.upper[j] ?? null;
    const tolerance = 1e-7 * (1 + Math.abs(at));
    if (lower !== null && at - lower.toNumber() <= tolerance)
      tableau.move(k, lower.subtract(tableau.value[j] as Rational));
    else if (upper !== null && upper.toNumber() - at <= tolerance)
      tableau.move(k, upper.subtract(tableau.value[j] as Rational));
    else {
      tableau.move(k, Rational.fromNumber(at).subtract(tableau.value[j] as Rational));
      const i = tableau.basic.findIndex(
        (variable, row) =>
          variable >= tableau.columnCount &&
          ((tableau.entries[row] as Rational[])[k] as Rational).sign() !== 0 &&
          isAtBound(tableau, variable),
      );
      if (i === -1) continue;
      const row = tableau.basic[i] as number;
      tableau.pivot(i, k);
      snap(tableau, k, row);
    }
  }
}

function isAtBound({ lower, upper, value }: Tableau, variable: number): boolean {
  const at = (value[variable] as Rational).toNumber();
  const tolerance = 1e-6 * (1 + Math.abs(at));
  return [lower[variable], upper[variable]].some(
    (bound) => bound !== null && bound !== undefined && Math.abs(bound.toNumber() - at) <= tolerance,
  );
}

/** Moves a nonbasic variable onto the nearer of its bounds. */
function snap(tableau: Tableau, k: number, variable: number): void {
  const value = tableau.value[variable] as Rational;
  const bounds = [tableau.lower[variable], tableau.upper[variable]].filter(
    (bound) => bound !== null && bound !== undefined,
  );
  const [first, second] = bounds;
  if (first === undefined) return;
  const nearer =
    second !== undefined && second.subtract(value).absolute().compare(first.subtract(value).absolute()) < 0
      ? second
      : first;
  tableau.move(k, nearer.subtract(value));
}

/** Brings every basic variable within its bounds; returns multipliers that show it impossible, or `null`. */
function makeFeasible(tableau: Tableau, shouldStop: ShouldStop): Multipliers | "stopped" | null {
  // Nonbasic variables that a crash left between their bounds are put on one.
  tableau.nonbasic.forEach((variable, k) => {
    snap(tableau, k, variable);
  });
  for (;;) {
    if (shouldStop(UNITS.rational * tableau.basic.length * tableau.nonbasic.length)) return "stopped";
    const i = leastViolated(tableau);
    if (i === -1) return null;
    const variable = tableau.basic[i] as number;
    const value = tableau.value[variable] as Rational;
    const lower = tableau.lower[variable] ?? null;
    const upwards = lower !== null && value.compare(lower) < 0;
    const target = upwards ? lower : (tableau.upper[variable] as Rational);
    const row = tableau.entries[i] as Rational[];
    const k = smallest(tableau.nonbasic, (l) => canMove(tableau, l, (row[l] as Rational).sign() * (upwards ? 1 : -1)));
    if (k === -1) {
      // The row itself says why: what it is made of is already where it helps most.
      const sign = upwards ? Rational.one : Rational.one.negate();
      const combination = row.map((entry) => entry.multiply(sign).negate());
      return multipliersOf(tableau, [...tableau.nonbasic, variable], [...combination, sign]);
    }
    const step = target.subtract(value).divide(row[k] as Rational);
    tableau.move(k, step);
    tableau.pivot(i, k);
  }
}

/** The tableau row of the violated basic variable with the least index, −1 where all are within their bounds. */
function leastViolated({ basic, lower, upper, value }: Tableau): number {
  let found = -1;
  basic.forEach((variable, i) => {
    const at = value[variable] as Rational;
    const low = lower[variable] ?? null;
    const high = upper[variable] ?? null;
    if ((low === null || at.compare(low) >= 0) && (high === null || at.compare(high) <= 0)) return;
    if (found === -1 || variable < (basic[found] as number)) found = i;
  });
  return found;
}

/** Moves along improving directions until none is left. */
function improve(tableau: Tableau, shouldStop: ShouldStop): "optimal" | "unbounded" | "stopped" {
  for (;;) {
    if (shouldStop(UNITS.rational * tableau.basic.length * tableau.nonbasic.length)) return "stopped";
    const k = smallest(tableau.nonbasic, (l) => canMove(tableau, l, -(tableau.costs[l] as Rational).sign()));
    if (k === -1) return "optimal";
    const direction = -(tableau.costs[k] as Rational).sign();
    const entering = tableau.nonbasic[k] as number;
    let blocking = -1;
    let reach: Rational | null = null;
    const own = direction > 0 ? tableau.upper[entering] : tableau.lower[entering];
    if (own !== null && own !== undefined) reach = own.subtract(tableau.value[entering] as Rational).absolute();
    tableau.basic.forEach((variable, i) => {
      const rate = (tableau.entries[i] as Rational[])[k] as Rational;
      const sign = rate.sign() * direction;
      if (sign === 0) return;
      const bound = sign > 0 ? tableau.upper[variable] : tableau.lower[variable];
      if (bound === null || bound === undefined) return;
      const limit = bound
        .subtract(tableau.value[variable] as Rational)
        .divide(rate)
        .absolute();
      const order = reach === null ? -1 : limit.compare(reach);
      if (order > 0 || (order === 0 && (blocking === -1 || variable >= (tableau.basic[blocking] as number)))) return;
      reach = limit;
      blocking = i;
    });
    if (reach === null) return "unbounded";
    tableau.move(k, direction > 0 ? reach : (reach as Rational).negate());
    if (blocking !== -1) tableau.pivot(blocking, k);
  }
}

/** Whether a nonbasic variable has room in a direction (the sign). */
function canMove({ nonbasic, lower, upper, value }: Tableau, k: number, direction: number): boolean {
  if (direction === 0) return false;
  const variable = nonbasic[k] as number;
  const bound = (direction > 0 ? upper[variable] : lower[variable]) ?? null;
  return bound === null || (value[variable] as Rational).compare(bound) !== 0;
}

/** The position with the least variable index among those that qualify (Bland's rule), −1 where none does. */
function smallest(variables: readonly number[], qualifies: (k: number) => boolean): number {
  let best = -1;
  variables.forEach((variable, k) => {
    if ((best === -1 || variable < (variables[best] as number)) && qualifies(k)) best = k;
  });
  return best;
}

/** The coefficients of row activities in a combination of variables, by the program's row index. */
function multipliersOf(tableau: Tableau, variables: readonly number[], factors: readonly Rational[]): Multipliers {
  const multipliers = new Map<number, Rational>();
  variables.forEach((variable, k) => {
    const factor = factors[k] as Rational;
    if (variable < tableau.columnCount || factor.sign() === 0) return;
    multipliers.set(tableau.rowIds[variable - tableau.columnCount] as number, factor);
  });
  return multipliers;
}
