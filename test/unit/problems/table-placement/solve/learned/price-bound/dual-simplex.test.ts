import { expect, test } from "vitest";
import { Rational } from "../../../../../../../src/exact/rational.js";
import { DualSimplex } from "../../../../../../../src/problems/table-placement/solve/learned/price-bound/dual-simplex.js";
import { integerForm, type Program } from "../../../../../../../src/program/program.js";
import { lagrangianBound } from "../../../../../../../src/proof/kernel/bound.js";
import { viewOf } from "../../../../../../../src/proof/kernel/view.js";
import { openRelaxation } from "../../../../../../../src/solvers/highs-relaxation.js";
import { type Draw, drawFrom, programOf, ratio } from "../../../../../../fuzz/oracle/draw.js";

/** A program of continuous columns in bounds, of very different sizes, with rows of all kinds. */
function drawRelaxation(draw: Draw): Program {
  const n = draw.int(2, 9);
  const sizes = Array.from({ length: n }, () => draw.of([1, 1, 50, 1000]));
  return programOf({
    columns: sizes.map((size) => [ratio(draw.of([0, 0, -size])), ratio(size), false]),
    rows: Array.from({ length: draw.int(1, 7) }, () => {
      const row = sizes.map((size) => (draw.oneIn(3) ? ratio(0) : ratio(draw.int(-20, 20), size)));
      const side = ratio(draw.int(-15, 25));
      const kind = draw.int(0, 3);
      if (kind === 0) return [row, side, side] as const;
      if (kind === 1) return [row, side.subtract(ratio(draw.int(0, 9))), side] as const;
      return kind === 2 ? ([row, side, null] as const) : ([row, null, side] as const);
    }),
    costs: sizes.map((size) => ratio(draw.int(-30, 30), size)),
  });
}

function costsOf({ objective, columns }: Program): Float64Array {
  const costs = new Float64Array(columns.length);
  const { form } = objective;
  form.columns.forEach((j, k) => {
    costs[j] = Number(form.coefficients[k]) / Number(form.denominator);
  });
  return costs;
}

/** What multipliers show in exact arithmetic; a program that contradicts itself without them has any bound. */
function shownBy(program: Program, values: Float64Array, purpose: "bound" | "infeasibility"): number {
  const { view, box } = viewOf(program);
  const multipliers = new Map<number, Rational>();
  values.forEach((value, r) => {
    const row = program.rows[r];
    if (value !== 0 && (value > 0 ? row?.lower : row?.upper) !== null) multipliers.set(r, Rational.fromNumber(value));
  });
  const { bound, infeasible } = lagrangianBound(view, box, multipliers, purpose);
  return infeasible ? Number.POSITIVE_INFINITY : (bound as Rational).toNumber();
}

test("optima are HiGHS's, multipliers show them exactly, and rays that nothing is feasible", async () => {
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= 150; seed++) {
    const program = drawRelaxation(drawFrom(seed));
    const simplex = DualSimplex.of(program).withCosts(costsOf(program));
    const outcome = simplex.solve(Number.POSITIVE_INFINITY);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const session = await openRelaxation(program);
    const claim = session.solve();
    session.dispose();
    expect(outcome).toBe(claim.status);
    if (outcome === "infeasible") {
      expect(shownBy(program, simplex.ray(), "infeasibility")).toBeGreaterThan(0);
      continue;
    }
    const best = claim.primalBound as number;
    expect(simplex.bound).toBeCloseTo(best, 6);
    expect(shownBy(program, simplex.multipliers(), "bound")).toBeCloseTo(best, 6);
    const point = simplex.point();
    expect(costsOf(program).reduce((sum, cost, j) => sum + cost * (point[j] as number), 0)).toBeCloseTo(best, 6);
  }
  expect(outcomes.get("optimal")).toBeGreaterThan(40);
  expect(outcomes.get("infeasible")).toBeGreaterThan(20);
});

test("a copy with narrower bounds goes on from there, and the original stays as it is", () => {
  let narrowed = 0;
  for (let seed = 200; seed < 300; seed++) {
    const draw = drawFrom(seed);
    const program = drawRelaxation(draw);
    const simplex = DualSimplex.of(program).withCosts(costsOf(program));
    if (simplex.solve(Number.POSITIVE_INFINITY) !== "optimal") continue;
    const before = simplex.bound;
    const column = draw.int(0, program.columns.length - 1);
    const at = program.columns[column]?.[draw.oneIn(2) ? "lower" : "upper"] as Rational;
    const copied = simplex.copy();
    copied.setBounds(column, at.toNumber(), at.toNumber());
    const outcome = copied.solve(Number.POSITIVE_INFINITY);
    const columns = program.columns.map((own, j) => (j === column ? { ...own, lower: at, upper: at } : own));
    const anew = DualSimplex.of({ ...program, columns }).withCosts(costsOf(program));
    expect(outcome).toBe(anew.solve(Number.POSITIVE_INFINITY));
    if (outcome === "optimal") {
      narrowed++;
      expect(copied.bound).toBeCloseTo(anew.bound, 6);
      expect(copied.bound).toBeGreaterThan(before - 1e-6);
    }
    expect(simplex.bound).toBe(before);
    expect(simplex.solve(Number.POSITIVE_INFINITY)).toBe("optimal");
  }
  expect(narrowed).toBeGreaterThan(20);
});

test("a solve ends once the bound has reached the cutoff", () => {
  const program = drawRelaxation(drawFrom(3));
  const simplex = DualSimplex.of(program).withCosts(costsOf(program));
  const first = simplex.bound;
  expect(simplex.solve(first)).toBe("cutoff");
  expect(simplex.bound).toBe(first);
});

test("columns need bounds, and costs are set before anything is solved", () => {
  const column = { name: "x", lower: Rational.zero, upper: null, integer: false };
  const objective = { form: integerForm([0], [1n], 1n) };
  const free = { ...drawRelaxation(drawFrom(1)), columns: [column], rows: [], ...objective };
  expect(() => DualSimplex.of(free)).toThrow(RangeError);
});
