import { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type Sketch, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** A class of integer programs in boxes, tried point by point. */
function ofIntegers(name: string, sketch: (draw: Draw) => Sketch): CaseClass {
  return {
    name,
    make(draw) {
      const program = programOf(sketch(draw));
      return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
    },
  };
}

const many = <T>(count: number, value: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => value(k));

/** Binaries whose weights and costs are some 10¹⁵: sums are beyond what doubles tell apart. */
export const hugeKnapsack = ofIntegers("knapsacks of 1e15", (draw) => {
  const n = draw.int(3, 8);
  const huge = () =>
    ratio(10 ** 15)
      .multiply(ratio(draw.int(1, 9)))
      .add(ratio(draw.int(0, 9)));
  const weights = many(n, huge);
  const reached = weights.reduce((sum, weight) => (draw.oneIn(2) ? sum.add(weight) : sum), Rational.zero);
  const side = reached.add(ratio(draw.of([-1, 0, 0, 1])));
  return {
    columns: many(n, () => [ratio(0), ratio(1), true]),
    rows: [[weights, draw.oneIn(3) ? side : null, side]],
    costs: draw.oneIn(2) ? weights : many(n, huge),
    maximise: !draw.oneIn(4),
  };
});

/** Boxes below zero. */
export const negativeBounds = ofIntegers("negative bounds", (draw) => {
  const n = draw.int(2, 4);
  const values = () => many(n, () => ratio(draw.int(-9, 9)));
  return {
    columns: many(n, () => {
      const upper = draw.int(-6, 0);
      return [ratio(upper - draw.int(0, 4)), ratio(upper), true];
    }),
    rows: many(
      draw.int(1, 3),
      (): SketchRow =>
        draw.oneIn(2) ? [values(), ratio(draw.int(-60, 20)), null] : [values(), null, ratio(draw.int(-20, 60))],
    ),
    costs: values(),
    maximise: draw.oneIn(2),
  };
});

/** Integers between fractions, in rows and with costs of thirds and sevenths. */
export const fractionalBounds = ofIntegers("fractional bounds", (draw) => {
  const n = draw.int(1, 4);
  const fraction = (size: number) => ratio(draw.int(-size, size), draw.of([2, 3, 7]));
  return {
    columns: many(n, () => {
      const lower = fraction(9);
      return [lower, lower.add(ratio(draw.int(0, 20), draw.of([3, 7]))), true];
    }),
    rows: many(
      draw.int(0, 2),
      (): SketchRow => [
        many(n, () => fraction(9)),
        draw.oneIn(2) ? fraction(40).subtract(ratio(6)) : null,
        fraction(40),
      ],
    ),
    costs: many(n, () => fraction(9)),
    maximise: draw.oneIn(2),
    constant: fraction(99),
  };
});

/** Equations whose coefficients share divisors, with sides that these divide or not. */
export const sharedDivisors = ofIntegers("equations with shared divisors", (draw) => {
  const n = draw.int(2, 4);
  const rows = many(draw.int(1, 2), (): SketchRow => {
    const coefficients = many(n, () => ratio(draw.of([6, 10, 15, -6, -10, 14, 21, 0])));
    const side = ratio(draw.int(-60, 60));
    return [coefficients, side, side];
  });
  return {
    columns: many(n, () => [ratio(draw.int(-5, 0)), ratio(draw.int(0, 6)), true]),
    rows,
    costs: many(n, () => ratio(draw.int(-9, 9))),
    maximise: draw.oneIn(2),
  };
});

/** The best point and the next differ by a hair, as do a row's side and what reaches it. */
export const hairs = ofIntegers("differences of a hair", (draw) => {
  const n = draw.int(2, 6);
  const hair = Rational.of(1n, 10n ** BigInt(draw.of([9, 12, 15, 18])));
  const near = (value: number) => ratio(value).add(hair.multiply(ratio(draw.int(-3, 3))));
  const weight = draw.int(1, 5);
  return {
    columns: many(n, () => [ratio(0), ratio(draw.int(1, 2)), true]),
    rows: many(
      draw.int(1, 2),
      (): SketchRow => [
        many(n, () => near(weight)),
        draw.oneIn(3) ? near(weight) : null,
        near(weight * draw.int(1, 3)),
      ],
    ),
    costs: many(n, () => near(draw.int(1, 2))),
    maximise: draw.oneIn(2),
  };
});

/** Rows with both sides, some so near that few values are between them. */
export const ranges = ofIntegers("ranges", (draw) => {
  const n = draw.int(2, 4);
  return {
    columns: many(n, () => [ratio(draw.int(-2, 0)), ratio(draw.int(1, 4)), true]),
    rows: many(draw.int(1, 4), (): SketchRow => {
      const lower = ratio(draw.int(-30, 20), draw.of([1, 3]));
      return [many(n, () => ratio(draw.int(-9, 9))), lower, lower.add(ratio(draw.int(0, 30), draw.of([1, 2, 7])))];
    }),
    costs: many(n, () => ratio(draw.int(-9, 9))),
    maximise: draw.oneIn(2),
  };
});

/** Columns and rows that are there twice, rows also with other sides. */
export const duplicates = ofIntegers("duplicates", (draw) => {
  const distinct = draw.int(1, 3);
  const of = many(distinct + draw.int(1, 2), (j) => (j < distinct ? j : draw.int(0, distinct - 1)));
  const each = (value: () => number) => {
    const values = many(distinct, value);
    return of.map((k) => ratio(values[k] as number));
  };
  const rows = many(draw.int(1, 2), (): SketchRow => [each(() => draw.int(-9, 9)), null, ratio(draw.int(-9, 30))]);
  const again = rows.map(
    ([coefficients, , side]): SketchRow => [
      coefficients,
      draw.oneIn(3) ? ratio(draw.int(-30, 0)) : null,
      draw.oneIn(2) ? side : ratio(draw.int(0, 30)),
    ],
  );
  const upper = ratio(draw.int(1, 3));
  return {
    columns: of.map(() => [ratio(0), upper, true]),
    rows: [...rows, ...again],
    costs: each(() => draw.int(-9, 9)),
    maximise: draw.oneIn(2),
  };
});
