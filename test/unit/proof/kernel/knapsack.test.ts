import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { linearForm } from "../../../../src/program/program.js";
import { greatestBeyond } from "../../../../src/proof/kernel/knapsack.js";
import { substituteFixed, viewOf } from "../../../../src/proof/kernel/view.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { forEachPoint, ownBox } from "../../../fuzz/oracle/every-point.js";
import { drawMultipliers, drawProgram, shrinkAtRandom } from "../support.js";

test("it is the greatest sum of rows over all points of the box that break the form", () => {
  const seen = { reached: 0, empty: 0 };
  for (let seed = 0; seed < 1500; seed++) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const whole = viewOf(program);
    shrinkAtRandom(draw, whole.box);
    const { view, box } = draw.oneIn(2) ? whole : substituteFixed(whole.view, whole.box);
    if (view.crossed) continue;
    const multipliers = drawMultipliers(draw, view);
    const form = linearForm(
      view.columns.map((_, j) => [j, ratio(draw.int(-4, 4), draw.oneIn(3) ? draw.of([2, 3]) : 1)] as const),
    );
    const least = ratio(draw.int(-9, 9), draw.of([1, 1, 2, 5]));
    let greatest: Rational | null = null;
    forEachPoint({ ...program, rows: [] }, ownBox(program), (values) => {
      const at = (j: number) => Rational.of(values[view.columns[j] as number] as bigint);
      const outside = values.some((value, column) => {
        const j = view.columns.indexOf(column);
        const [lower, upper] = j === -1 ? [0n, 0n] : [box.lower[j]?.numerator ?? 0n, box.upper[j]?.numerator ?? 0n];
        return j === -1 ? whole.box.lower[column]?.numerator !== value : value < lower || value > upper;
      });
      const ofForm = (terms: typeof form) =>
        terms.columns.reduce(
          (sum, j, k) => sum.add(at(j).multiply(Rational.of(terms.coefficients[k] as bigint, terms.denominator))),
          Rational.zero,
        );
      if (outside || ofForm(form).compare(least) >= 0) return;
      let kept = Rational.zero;
      for (const [r, y] of multipliers) {
        const row = view.rows.get(r);
        if (row === undefined || y.sign() === 0) continue;
        const side = (y.sign() > 0 ? row.lower : row.upper) as Rational;
        kept = kept.add(y.multiply(ofForm(row.form).subtract(side)));
      }
      if (greatest === null || kept.compare(greatest) > 0) greatest = kept;
    });
    const found = greatestBeyond(view, box, form, least, multipliers);
    expect(String(found), `seed ${seed}`).toBe(greatest === null ? "empty" : String(greatest));
    seen[greatest === null ? "empty" : "reached"]++;
  }
  expect(Math.min(seen.reached, seen.empty)).toBeGreaterThan(150);
});

test("what would take too long is refused", () => {
  const columns = Array.from({ length: 3 }, () => [ratio(0), ratio(1_000_000), true] as const);
  const program = programOf({
    columns,
    rows: [[columns.map(() => ratio(1)), null, ratio(9)]],
    costs: columns.map(() => ratio(0)),
  });
  const { view, box } = viewOf(program);
  const form = linearForm(columns.map((_, j) => [j, ratio(-1)] as const));
  expect(() => greatestBeyond(view, box, form, ratio(-9), new Map([[0, ratio(-1)]]))).toThrow(RangeError);
});

test("room without an item that gains anything needs no table", () => {
  const columns = Array.from({ length: 2 }, () => [ratio(0), ratio(1_000_000_000), true] as const);
  const program = programOf({
    columns,
    rows: [[columns.map(() => ratio(1)), null, ratio(9)]],
    costs: columns.map(() => ratio(0)),
  });
  const { view, box } = viewOf(program);
  const form = linearForm(columns.map((_, j) => [j, ratio(1)] as const));
  // −(x₀ + x₁ − 9) is 9 at most.
  expect(String(greatestBeyond(view, box, form, ratio(2_000_000_000), new Map([[0, ratio(-1)]])))).toBe("9");
});
