import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { coefficientAt } from "../../../../src/program/program.js";
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
    const some = propagate(view, box, (column) => {
      trail.push([column, box.lower[column] ?? null, box.upper[column] ?? null]);
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

test("nothing is left to tighten, by numbers that doubles have and by those that they round", () => {
  const seen = { moved: 0, tight: 0 };
  for (let seed = 0; seed < 2000; seed++) {
    const draw = drawFrom(seed);
    const size = draw.of([1n, 1n, 3n, 2n ** 26n + 1n, 2n ** 51n - 1n, 2n ** 60n + 1n, 10n ** 30n + 7n]);
    const denominator = draw.of([1, 1, 3, 7]);
    const value = (from: number, to: number) => ratio(draw.int(from, to), denominator).multiply(Rational.of(size));
    const columns = Array.from({ length: draw.int(2, 4) }, () => {
      const lower = draw.int(-4, 2);
      return [ratio(lower), ratio(lower + draw.int(0, 6)), !draw.oneIn(5)] as const;
    });
    const rows = Array.from({ length: draw.int(1, 3) }, () => {
      // A hair off a value that the row has.
      const side = value(-9, 12).add(draw.of([ratio(0), ratio(0), ratio(1), ratio(-1), ratio(1, 1_000_000_007)]));
      const coefficients = columns.map(() => value(-3, 3));
      return draw.oneIn(2) ? ([coefficients, side, null] as const) : ([coefficients, null, side] as const);
    });
    const { view, box } = viewOf(programOf({ columns, rows, costs: columns.map(() => ratio(0)) }));
    let moves = 0;
    const some = propagate(view, box, () => {
      moves++;
    });
    if (moves > 0) seen.moved++;
    // Rounds are limited.
    if (!some || moves > 11) continue;
    for (const { form, lower, upper } of view.rows.values()) {
      for (const [side, sign] of [
        [upper, ratio(1)],
        [lower, ratio(-1)],
      ] as const) {
        if (side === null) continue;
        const terms = form.columns.map((j, k) => {
          const coefficient = coefficientAt(form, k).multiply(sign);
          const [low, high] = [box.lower[j] as Rational, box.upper[j] as Rational];
          const [near, far] = coefficient.sign() > 0 ? [low, high] : [high, low];
          return { j, least: coefficient.multiply(near), most: coefficient.multiply(far) };
        });
        const room = terms.reduce((left, { least }) => left.subtract(least), side.multiply(sign));
        expect(room.sign(), `seed ${seed}`).toBeGreaterThanOrEqual(0);
        for (const { j, least, most } of terms.filter(({ j }) => view.integer[j] === true)) {
          seen.tight++;
          const beyond = most.subtract(least).subtract(room);
          expect(beyond.sign(), `seed ${seed}: column ${j} can be tightened`).toBeLessThanOrEqual(0);
        }
      }
    }
  }
  expect(Math.min(seen.moved, seen.tight)).toBeGreaterThan(300);
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
