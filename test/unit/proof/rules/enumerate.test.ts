import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { evaluate } from "../../../../src/program/evaluate.js";
import type { Program } from "../../../../src/program/program.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { enumerateBelow } from "../../../../src/proof/rules/program/enumeration/enumerate.js";
import { type Draw, drawFrom, programOf, ratio, type SketchRow } from "../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../support/draws.js";
import { drawMultipliers, drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

/** When it is looked at which partial points can be completed. */
const ALWAYS = { proportion: Number.POSITIVE_INFINITY, growth: 0 };
const NEVER = { proportion: 0, growth: 0 };

/** A program whose columns are taken together by rows that let one of them be positive, among others. */
function drawChoices(draw: Draw): Program {
  const sizes = Array.from({ length: draw.int(1, 3) }, () => draw.int(1, 3));
  const n = sizes.reduce((a, b) => a + b, 0);
  const none = () => new Array<Rational>(n).fill(ratio(0));
  let first = 0;
  const rows = sizes.map((size) => {
    const coefficients = none();
    for (let k = first; k < first + size; k++) coefficients[k] = draw.oneIn(4) ? ratio(draw.int(1, 3), 2) : ratio(1);
    first += size;
    return [coefficients, draw.oneIn(3) ? ratio(1) : null, ratio(draw.oneIn(4) ? 2 : 1)] as const;
  });
  const weights = Array.from({ length: n }, () => ratio(draw.int(-2, 9)));
  return programOf({
    columns: Array.from({ length: n }, () => [ratio(draw.oneIn(6) ? -1 : 0), ratio(draw.int(1, 2)), true]),
    rows: [...rows, [weights, draw.oneIn(4) ? ratio(2) : null, ratio(draw.int(0, 12))]],
    costs: Array.from({ length: n }, () => ratio(draw.int(-9, 9), draw.of([1, 3, 1_000_000_007]))),
  });
}

/** Columns that others switch on, of which a row lets only one be positive. */
function drawSwitches(draw: Draw): Program {
  const sizes = Array.from({ length: draw.int(1, 3) }, () => draw.int(0, 2));
  const n = sizes.length + sizes.reduce((a, b) => a + b, 0);
  const row = (entries: readonly (readonly [number, number])[]): Rational[] => {
    const coefficients = new Array<Rational>(n).fill(ratio(0));
    for (const [j, value] of entries) coefficients[j] = ratio(value);
    return coefficients;
  };
  let first = sizes.length;
  const rows: SketchRow[] = sizes.map((size, w) => {
    const own = Array.from({ length: size }, (_, k) => [first + k, draw.int(1, 2)] as const);
    first += size;
    return [row([...own, [w, -draw.int(0, 3)]]), draw.oneIn(8) ? ratio(-1) : null, ratio(draw.oneIn(8) ? 1 : 0)];
  });
  rows.push([row(sizes.map((_, w) => [w, 1])), draw.oneIn(3) ? ratio(1) : null, ratio(1)]);
  if (draw.oneIn(4) && n > sizes.length)
    rows.push([
      row([
        [n - 1, 1],
        [draw.int(0, sizes.length - 1), -1],
      ]),
      null,
      ratio(0),
    ]);
  rows.push([
    Array.from({ length: n }, () => ratio(draw.int(-2, 9))),
    draw.oneIn(4) ? ratio(2) : null,
    ratio(draw.int(0, 12)),
  ]);
  return programOf({
    columns: Array.from({ length: n }, (_, j) => [
      ratio(draw.oneIn(9) ? -1 : 0),
      ratio(j < sizes.length ? 1 : draw.int(1, 2)),
      true,
    ]),
    rows: draw.shuffled(rows),
    costs: Array.from({ length: n }, () => ratio(draw.int(-9, 9))),
  });
}

/**
 * Tables that a device may hold one part of each, within its load, and the most that each of them alone brings, all others being
 * what they are at least: rows that are alike but for a table of their own.
 */
function drawPeaks(draw: Draw, sizes = Array.from({ length: draw.int(2, 4) }, () => draw.int(1, 4))): Program {
  const starts = sizes.map((_, t) => sizes.slice(0, t).reduce((a, b) => a + b, 0));
  const n = sizes.reduce((a, b) => a + b, 0);
  // Half of them have sums of more than 52 bits.
  const unit = draw.oneIn(2) ? 1n : (1n << 55n) + BigInt(draw.int(0, 9));
  const whole = (value: number) => Rational.of(BigInt(value) * unit);
  const isOf = (t: number, j: number) => j >= (starts[t] as number) && j < (starts[t] as number) + (sizes[t] as number);
  const [least, mean, most] = [0, 1, 2].map((k) => Array.from({ length: n }, () => draw.int(k, 9 + 4 * k))) as [
    number[],
    number[],
    number[],
  ];
  const room = draw.int(4, 3 * sizes.length + 8);
  const rows: SketchRow[] = [
    ...sizes.map((_, t): SketchRow => [mean.map((_, j) => ratio(isOf(t, j) ? 1 : 0)), null, ratio(1)]),
    [mean.map(whole), null, whole(room)],
    ...sizes.map((_, t): SketchRow => {
      const own = least.map((value, j) => whole(isOf(t, j) ? value + (most[j] as number) : value));
      return [own, null, whole(room + (draw.oneIn(4) ? draw.int(-2, 2) : 0))];
    }),
  ];
  return programOf({
    columns: mean.map(() => [ratio(0), ratio(1), true]),
    rows,
    costs: mean.map((value, j) => whole(-(value + (least[j] as number) + draw.int(0, 5)))),
  });
}

/** Numbers of more than 53 bits, beside small ones. */
function drawLarge(draw: Draw): Program {
  const n = draw.int(2, 5);
  const huge = () => Rational.of((BigInt(draw.int(1, 2 ** 30)) << 40n) + BigInt(draw.int(0, 3)));
  const weights = Array.from({ length: n }, huge);
  const some = weights.filter(() => draw.oneIn(2)).reduce((a, b) => a.add(b), Rational.of(BigInt(draw.int(-1, 1))));
  return programOf({
    columns: Array.from({ length: n }, () => [ratio(0), ratio(1), true]),
    rows: [[weights, null, some]],
    costs: weights.map((weight) => weight.negate().add(ratio(draw.int(-1, 1)))),
  });
}

describe.each([
  { name: "small programs", make: drawProgram },
  { name: "programs with choices", make: drawChoices },
  { name: "programs with switches", make: drawSwitches },
  { name: "programs of large numbers", make: drawLarge },
  { name: "programs with rows that are alike", make: drawPeaks },
])("going through the points of $name", ({ make }) => {
  test("finds a point below the target exactly when there is one", () => {
    const tally = { none: 0, found: 0 };
    const draws = drawsOf(1500, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const program = make(draw);
      const { view, box } = viewOf(program);
      shrinkAtRandom(draw, box);
      const points = feasiblePoints(program).filter(({ point }) => isIn(view, box, point));
      const least = points
        .map(({ cost }) => cost)
        .reduce<Rational | null>((a, b) => (a && a.compare(b) < 0 ? a : b), null);
      const around = least ?? ratio(draw.int(-20, 20));
      const tiny = Rational.of(1n, 10n ** 12n);
      for (const target of [around, around.add(tiny), around.add(ratio(1)), around.subtract(tiny), null]) {
        const result = enumerateBelow(
          view,
          box,
          Array.from({ length: draw.int(0, 3) }, () => drawMultipliers(draw, view)),
          target,
          undefined,
          // Which ones can be completed is always looked at, or as otherwise.
          draw.of([ALWAYS, undefined]),
        );
        const expected = points.some(({ cost }) => target === null || cost.compare(target) < 0);
        expect(result.kind, `seed ${seed}, target ${target}`).toBe(expected ? "found" : "none");
        if (result.kind === "found") {
          tally.found++;
          expect(evaluate(program, result.point).violations, `seed ${seed}`).toEqual([]);
        } else tally.none++;
      }
    }
    expect(Math.min(tally.none, tally.found)).toBeGreaterThanOrEqual(draws.atLeast(500));
  });
});

test("says so when there is too much to go through", () => {
  // Weights of which none add up to 41.
  const weights = [6, 10, 15, 21, 22, 33, 34, 39, 46, 51, 57, 58].map((weight) => ratio(weight));
  const sum = ratio(41);
  const { view, box } = viewOf(
    programOf({ columns: weights.map(() => [ratio(0), ratio(1), true]), rows: [[weights, sum, sum]], costs: [] }),
  );
  expect(enumerateBelow(view, box, [], null).kind).toBe("none");
  expect(enumerateBelow(view, box, [], null, 5).kind).toBe("too-many");
});

test("refuses what has no end of points", () => {
  const box = (upper: Rational | null, integer: boolean) =>
    viewOf(
      programOf({ columns: [[ratio(0), upper, integer]], rows: [[[ratio(3)], null, ratio(1)]], costs: [ratio(1)] }),
    );
  for (const { view, box: own } of [box(null, true), box(ratio(1), false), box(ratio(1_000_000), true)]) {
    expect(() => enumerateBelow(view, own, [], ratio(5))).toThrow(RangeError);
  }
});

test("what the choices to come cannot complete is not gone on with", () => {
  const program = drawPeaks(drawFrom(5), new Array<number>(14).fill(6));
  const { view, box } = viewOf(program);
  // Just what no point is below: in units of the load that there is room for.
  const target = ((program.rows[14] as Program["rows"][number]).upper as Rational).multiply(ratio(-174, 60));
  const visits = 300_000;
  expect(enumerateBelow(view, box, [], target, visits, NEVER).kind).toBe("too-many");
  expect(enumerateBelow(view, box, [], target, visits).kind).toBe("none");
});
