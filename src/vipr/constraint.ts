import { Rational } from "../exact/rational.js";
import type { Program } from "../program/program.js";
import type { SparseVector, ViprConstraint } from "./read.js";

/** Σ factor · constraint; `null` where the directions of the summands do not agree. */
export function combine(parts: readonly (readonly [ViprConstraint, Rational])[]): ViprConstraint | null {
  const coefficients = new Map<number, Rational>();
  let rhs = Rational.zero;
  let direction = 0;
  for (const [constraint, factor] of parts) {
    const turn = directionOf(constraint) * factor.sign();
    if (turn !== 0 && direction === -turn) return null;
    if (turn !== 0) direction = turn;
    for (const [j, value] of constraint.coefficients) {
      const sum = (coefficients.get(j) ?? Rational.zero).add(value.multiply(factor));
      if (sum.sign() === 0) coefficients.delete(j);
      else coefficients.set(j, sum);
    }
    rhs = rhs.add(constraint.rhs.multiply(factor));
  }
  return { name: "", sense: direction > 0 ? "G" : direction < 0 ? "L" : "E", rhs, coefficients };
}

function directionOf({ sense }: ViprConstraint): number {
  return sense === "G" ? 1 : sense === "L" ? -1 : 0;
}

/** Chvátal–Gomory rounding; `null` where a coefficient or a variable is not an integer. */
export function rounded(program: Program, constraint: ViprConstraint): ViprConstraint | null {
  if (!isIntegral(program, constraint.coefficients)) return null;
  if (constraint.sense === "E") return constraint;
  const { sense, rhs } = constraint;
  return { ...constraint, rhs: Rational.of(sense === "G" ? rhs.ceil() : rhs.floor()) };
}

export function isIntegral(program: Program, coefficients: SparseVector): boolean {
  return [...coefficients].every(([j, value]) => program.columns[j]?.integer === true && value.isInteger());
}

/** Whether one constraint implies another, by VIPR's restricted notion of domination. */
export function dominates(strong: ViprConstraint, weak: ViprConstraint): boolean {
  if (strong.coefficients.size === 0 && !holds(strong)) return true;
  if (!sameVector(strong.coefficients, weak.coefficients)) return false;
  const order = strong.rhs.compare(weak.rhs);
  if (weak.sense === "E") return strong.sense === "E" && order === 0;
  return weak.sense === "G" ? strong.sense !== "L" && order >= 0 : strong.sense !== "G" && order <= 0;
}

/** Whether a constraint without variables is true. */
export function holds({ sense, rhs }: ViprConstraint): boolean {
  return sense === "G" ? rhs.sign() <= 0 : sense === "L" ? rhs.sign() >= 0 : rhs.sign() === 0;
}

/** Whether two constraints are form ≤ β and form ≥ β + 1 for an integer form and an integer β. */
export function areOpposite(program: Program, one: ViprConstraint, other: ViprConstraint): boolean {
  const [below, above] = one.sense === "L" ? [one, other] : [other, one];
  return (
    below.sense === "L" &&
    above.sense === "G" &&
    below.rhs.isInteger() &&
    above.rhs.subtract(below.rhs).equals(Rational.one) &&
    sameVector(below.coefficients, above.coefficients) &&
    isIntegral(program, below.coefficients)
  );
}

function sameVector(a: SparseVector, b: SparseVector): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [j, value] of a) if (b.get(j)?.equals(value) !== true) return false;
  return true;
}

export function product(coefficients: SparseVector, values: SparseVector): Rational {
  let sum = Rational.zero;
  for (const [j, coefficient] of coefficients) {
    const value = values.get(j);
    if (value !== undefined) sum = sum.add(coefficient.multiply(value));
  }
  return sum;
}
