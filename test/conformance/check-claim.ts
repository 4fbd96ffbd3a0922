import { expect } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { evaluate } from "../../src/program/evaluate.js";
import { coefficientAt, type Program } from "../../src/program/program.js";
import type { Claim } from "../../src/solvers/claim.js";

const TOLERANCE = Rational.parse("1e-7");

/** |a − b| ≤ 1e-7 · max(1, |b|), exact. */
export function near(a: Rational, b: Rational, tolerance = TOLERANCE): boolean {
  const size = b.absolute().compare(Rational.one) > 0 ? b.absolute() : Rational.one;
  return a.subtract(b).absolute().compare(tolerance.multiply(size)) <= 0;
}

function exactly(values: Float64Array): Rational[] {
  return [...values].map((value) => Rational.fromNumber(value));
}

function largest(values: readonly Rational[]): Rational {
  return values.reduce((most, value) => (value.absolute().compare(most) > 0 ? value.absolute() : most), Rational.one);
}

/**
 * Evaluates the claimed point exactly. Integer columns must be within 1e-6 of an integer and are then rounded; bounds
 * and rows must hold to 1e-6 of the larger of 1, the bound and the row's largest coefficient.
 */
export function checkPoint(program: Program, claim: Claim, relaxation: boolean): Rational {
  const point = exactly(claim.point as Float64Array).map((value, j) => {
    if (!program.columns[j]?.integer || relaxation) return value;
    const nearest = Rational.of(value.add(Rational.of(1n, 2n)).floor());
    expect(near(value, nearest, Rational.parse("1e-6")), `column ${j} = ${value.toNumber()}`).toBe(true);
    return nearest;
  });
  const { objective, violations } = evaluate(program, point);
  for (const { kind, index, amount, name } of violations) {
    if (kind === "integrality" && relaxation) continue;
    const sides = kind.startsWith("row") ? program.rows[index] : program.columns[index];
    const form = kind.startsWith("row") ? program.rows[index]?.form : undefined;
    const sizes = [sides?.lower ?? Rational.zero, sides?.upper ?? Rational.zero];
    form?.columns.forEach((_, k) => {
      sizes.push(coefficientAt(form, k));
    });
    const allowed = largest(sizes).multiply(Rational.parse("1e-6"));
    expect(amount.compare(allowed), `${kind} of ${name} broken by ${amount.toNumber()}`).toBeLessThanOrEqual(0);
  }
  return objective;
}

/**
 * Checks the duals of an optimal linear program in exact arithmetic: c = Aᵀy + d, signs, complementary slackness, and
 * strong duality Σ yᵢ·side + Σ dⱼ·side + constant = objective, each within 1e-7 (relative to the objective, at least 1).
 */
export function checkDuals(program: Program, claim: Claim, objective: Rational): void {
  const y = exactly(claim.rowDuals as Float64Array);
  const d = exactly(claim.reducedCosts as Float64Array);
  const sense = program.objective.sense === "minimize" ? 1 : -1;
  const gradient = program.columns.map(() => Rational.zero);
  program.objective.form.columns.forEach((j, k) => {
    gradient[j] = coefficientAt(program.objective.form, k);
  });
  program.rows.forEach(({ form }, i) => {
    form.columns.forEach((j, k) => {
      gradient[j] = (gradient[j] as Rational).subtract((y[i] as Rational).multiply(coefficientAt(form, k)));
    });
  });
  gradient.forEach((value, j) => {
    expect(near(d[j] as Rational, value), `reduced cost of column ${j}`).toBe(true);
  });
  const point = exactly(claim.point as Float64Array);
  const { rowActivities } = evaluate(program, point);
  let dual = program.objective.constant;
  const size = largest([objective]);
  const add = (multiplier: Rational, lower: Rational | null, upper: Rational | null, value: Rational, what: string) => {
    const side = multiplier.sign() * sense > 0 ? lower : upper;
    if (multiplier.sign() === 0) return;
    if (side === null) {
      // No bound on that side: only rounding may be left of the multiplier.
      expect(multiplier.absolute().compare(TOLERANCE), `${what} has the wrong sign`).toBeLessThanOrEqual(0);
      return;
    }
    dual = dual.add(multiplier.multiply(side));
    const slackness = multiplier.multiply(value.subtract(side)).absolute();
    expect(slackness.compare(TOLERANCE.multiply(size)), `${what} is slack and priced`).toBeLessThanOrEqual(0);
  };
  program.rows.forEach((row, i) => {
    add(y[i] as Rational, row.lower, row.upper, rowActivities[i] as Rational, `row ${i}`);
  });
  program.columns.forEach((column, j) => {
    add(d[j] as Rational, column.lower, column.upper, point[j] as Rational, `column ${j}`);
  });
  expect(near(dual, objective), `dual objective ${dual.toNumber()}, primal ${objective.toNumber()}`).toBe(true);
}
