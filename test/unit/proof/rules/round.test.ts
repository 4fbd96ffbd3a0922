import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { formValue } from "../../../../src/program/evaluate.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { roundRows } from "../../../../src/proof/rules/program/lemma.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../support/draws.js";
import { drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

test("a rounded row keeps every point of the box that the row keeps", () => {
  let tighter = 0;
  const draws = drawsOf(2000, 0);
  for (const seed of draws.seeds) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const { view, box } = viewOf(program);
    shrinkAtRandom(draw, box);
    const factors = new Map(
      [...view.rows].flatMap(([r, { upper }]) =>
        upper === null || draw.oneIn(3) ? [] : [[r, ratio(draw.int(1, 30), draw.of([1, 7, 10]))] as const],
      ),
    );
    const { rows } = roundRows(view, box, factors);
    for (const { point } of feasiblePoints(program)) {
      if (!isIn(view, box, point)) continue;
      for (const [r, { form, upper }] of rows) {
        if (!factors.has(r)) continue;
        const local = view.columns.map((column) => point[column] as Rational);
        expect(formValue(form, local).compare(upper as Rational), `seed ${seed}`).toBeLessThanOrEqual(0);
        if (formValue(form, local).equals(upper as Rational)) tighter++;
      }
    }
  }
  expect(tighter).toBeGreaterThanOrEqual(draws.atLeast(100));
});

test("hundredths that are doubles become whole numbers", () => {
  const costs = [0.07, 0.29, 1.1].map((cost) => Rational.fromNumber(cost));
  const { view, box } = viewOf(
    programOf({
      columns: costs.map(() => [ratio(0), ratio(1), true]),
      rows: [[costs, null, ratio(36, 100)]],
      costs: [],
    }),
  );
  const factor = Rational.of(100n * (2n ** 50n + 1n), 2n ** 50n);
  const { form, upper } = roundRows(view, box, new Map([[0, factor]])).rows.get(0) ?? {};
  expect(form?.coefficients).toEqual([7n, 29n, 110n]);
  expect(String(upper)).toBe("36");
});

test("refuses what would not be a rounding", () => {
  const program = (lower: Rational | null, integer: boolean, upper: Rational | null) =>
    viewOf(programOf({ columns: [[lower, ratio(9), integer]], rows: [[[ratio(2)], ratio(0), upper]], costs: [] }));
  const attempt =
    ({ view, box }: ReturnType<typeof viewOf>, factor: Rational) =>
    () =>
      roundRows(view, box, new Map([[0, factor]]));
  expect(attempt(program(ratio(0), true, ratio(5)), ratio(1, 3))).not.toThrow();
  expect(attempt(program(ratio(0), true, ratio(5)), ratio(0))).toThrow(RangeError);
  expect(attempt(program(ratio(0), true, ratio(5)), ratio(-1))).toThrow(RangeError);
  expect(attempt(program(null, true, ratio(5)), ratio(1))).toThrow(RangeError);
  expect(attempt(program(ratio(0), false, ratio(5)), ratio(1))).toThrow(RangeError);
  expect(attempt(program(ratio(0), true, null), ratio(1))).toThrow(RangeError);
});
