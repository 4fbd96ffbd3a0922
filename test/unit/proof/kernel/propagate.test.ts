import { expect, test } from "vitest";
import type { Rational } from "../../../../src/exact/rational.js";
import { propagate } from "../../../../src/proof/kernel/propagate.js";
import { substituteFixed, viewOf } from "../../../../src/proof/kernel/view.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

test("no feasible point is lost, and every change is recorded with the old bounds", () => {
  const seen = { changes: 0, closed: 0, kept: 0 };
  for (let seed = 0; seed < 1500; seed++) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const whole = viewOf(program);
    shrinkAtRandom(draw, whole.box);
    const before = feasiblePoints(program).filter(({ point }) => isIn(whole.view, whole.box, point));
    const { view, box } = draw.oneIn(2) ? whole : substituteFixed(whole.view, whole.box);
    const start = { lower: box.lower.slice(), upper: box.upper.slice() };
    const trail: [number, Rational | null, Rational | null][] = [];
    const some = propagate(view, box, (column, lower, upper) => {
      trail.push([column, lower, upper]);
    });
    seen.changes += trail.length;
    if (!some) seen.closed++;
    for (const { point } of before) {
      seen.kept++;
      expect(some, `seed ${seed}: ${point.join(", ")} is feasible`).toBe(true);
      expect(isIn(view, box, point), `seed ${seed}: ${point.join(", ")}`).toBe(true);
    }
    for (const [column, lower, upper] of trail.reverse()) {
      box.lower[column] = lower;
      box.upper[column] = upper;
    }
    expect(box, `seed ${seed}: undone`).toEqual(start);
  }
  expect(Math.min(seen.changes, seen.closed, seen.kept)).toBeGreaterThan(200);
});

test("columns without bounds get them from a row with one open side each", () => {
  const program = programOf({
    columns: [
      [null, null, true],
      [ratio(0), ratio(4), false],
      [null, null, false],
    ],
    rows: [
      [[ratio(3), ratio(-1), ratio(0)], ratio(-7), ratio(7)],
      [[ratio(1), ratio(0), ratio(2)], ratio(-1), null],
    ],
    costs: [ratio(0), ratio(0), ratio(0)],
  });
  const { view, box } = viewOf(program);
  expect(propagate(view, box, () => {})).toBe(true);
  // −7 ≤ 3x − y ≤ 7 with y in [0, 4]: x in [−7/3, 11/3], rounded inwards; then z ≥ (−1 − 3) / 2.
  expect([box.lower[0], box.upper[0], box.lower[2], box.upper[2]].map(String)).toEqual(["-2", "3", "-2", "null"]);
});

test("two columns without bounds tell nothing of each other", () => {
  const program = programOf({
    columns: [
      [null, null, true],
      [null, null, true],
    ],
    rows: [[[ratio(1), ratio(1)], ratio(0), ratio(0)]],
    costs: [ratio(0), ratio(0)],
  });
  const { view, box } = viewOf(program);
  expect(propagate(view, box, () => {})).toBe(true);
  expect([...box.lower, ...box.upper]).toEqual([null, null, null, null]);
});
