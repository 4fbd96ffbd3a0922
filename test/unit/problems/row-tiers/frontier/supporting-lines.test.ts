import { expect, test } from "vitest";
import { Rational } from "../../../../../src/exact/rational.js";
import { ConvexCurve } from "../../../../../src/problems/row-tiers/frontier/convex-curve.js";
import { curveOfLines, type SupportingLine } from "../../../../../src/problems/row-tiers/frontier/supporting-lines.js";
import { spreadBudgets } from "../../../../../src/problems/spread-budgets.js";

const ratio = (numerator: number, denominator = 1) => Rational.of(BigInt(numerator), BigInt(denominator));
const settings = { precision: 1e-9, mostLines: 1000, shouldStop: () => false };

/** Supporting lines of the curve through points, as a linear program's dual would give them. */
function oracleOf(points: readonly (readonly [bytes: number, seconds: number])[], asked: Rational[] = []) {
  return (bytes: Rational): SupportingLine => {
    asked.push(bytes);
    const after = points.findIndex(([x]) => ratio(x).compare(bytes) > 0);
    const [x, y] = points.at(after === -1 ? -1 : after - 1) as [number, number];
    const next = points[after];
    const slope = next === undefined ? Rational.zero : Rational.of(BigInt(next[1] - y), BigInt(next[0] - x));
    return { bytes, slope, seconds: ratio(y).add(slope.multiply(bytes.subtract(ratio(x)))) };
  };
}

test("every break-point of a curve is found, exactly, with few lines", () => {
  const points = [
    [10, 100],
    [13, 50],
    [20, 40],
    [31, 39],
  ] as const;
  const asked: Rational[] = [];
  const at = oracleOf(points, asked);
  const { curve, precision } = curveOfLines({ ...settings, ends: [at(ratio(10)), at(ratio(1000))], at });
  const found = Array.from({ length: curve.count }, (_, k) => curve.at(k));
  expect(found.map(({ bytes, seconds }) => [bytes.toString(), seconds.toString()])).toEqual(
    points.map(([bytes, seconds]) => [String(bytes), String(seconds)]),
  );
  expect(precision).toBeLessThanOrEqual(1e-9);
  expect(asked.length).toBeLessThanOrEqual(3 * points.length);
});

test("of a smooth curve the lines are below it, and as near as is said", () => {
  // 1 / x from 1 to 100, level from there on.
  const at = (bytes: Rational): SupportingLine => {
    if (bytes.compare(ratio(100)) >= 0) return { bytes, seconds: ratio(1, 100), slope: Rational.zero };
    const seconds = Rational.one.divide(bytes);
    return { bytes, seconds, slope: seconds.multiply(seconds).negate() };
  };
  const ends = [at(ratio(1)), at(ratio(1000))] as const;
  const { curve, precision } = curveOfLines({ ...settings, ends, at, mostLines: 60 });
  expect(precision).toBeGreaterThan(1e-9);
  expect(precision).toBeLessThan(0.02);
  for (let x = 1; x <= 100; x += 1) {
    const truth = Rational.one.divide(ratio(x));
    const value = curve.valueAt(ratio(x)) as Rational;
    expect(value.compare(truth)).toBeLessThanOrEqual(0);
    expect(truth.subtract(value).divide(truth).toNumber()).toBeLessThanOrEqual(precision);
  }
});

test("a curve has values between its break-points and after the last, and none before the first", () => {
  const points = [
    { bytes: ratio(1), seconds: ratio(9) },
    { bytes: ratio(4), seconds: ratio(7) },
    { bytes: ratio(6), seconds: ratio(6) },
  ];
  const curve = new ConvexCurve(points.length, (k) => points[k] as (typeof points)[number]);
  expect(curve.valueAt(ratio(1, 2))).toBeNull();
  const values = [1, 2, 4, 5, 6, 7].map((bytes) => `${curve.valueAt(ratio(bytes))}`);
  expect(values).toEqual(["9", "25/3", "7", "13/2", "6", "6"]);
});

test("budgets are spread evenly, the ends as they are, in whole bytes where that is fine enough", () => {
  expect(spreadBudgets(0.5, 2.5, 3)).toEqual([0.5, 1.5, 2.5]);
  expect(spreadBudgets(100.25, 30_100.5, 4)).toEqual([100.25, 10_100, 20_100, 30_100.5]);
  expect(spreadBudgets(7, 7, 20)).toEqual([7]);
  expect(spreadBudgets(1, 2, 0)).toEqual([]);
});
