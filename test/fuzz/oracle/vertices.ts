import { Rational } from "../../../src/exact/rational.js";
import type { Linear } from "./linear.js";

/** The least objective of all vertices of a linear program's region, by trying every choice of tight sides. */
export function bestVertex({ costs, lower, upper, rows }: Linear): Rational | null {
  const n = costs.length;
  const unit = (j: number) => costs.map((_, k) => (k === j ? Rational.one : Rational.zero));
  const all = [
    ...rows.map((row) => ({ ...row, coefficients: row.coefficients.slice() })),
    ...costs.map((_, j) => ({ coefficients: unit(j), lower: lower[j] ?? null, upper: upper[j] ?? null })),
  ];
  const sides = all.flatMap((row) =>
    [row.lower, row.upper].flatMap((side) => (side === null ? [] : [[...row.coefficients, side]])),
  );
  let best: Rational | null = null;
  const choose = (from: number, chosen: readonly Rational[][]) => {
    if (chosen.length === n) {
      const point = intersection(chosen);
      if (point === null) return;
      const feasible = all.every((row) => {
        const activity = product(row.coefficients, point);
        return (
          (row.lower === null || activity.compare(row.lower) >= 0) &&
          (row.upper === null || activity.compare(row.upper) <= 0)
        );
      });
      const value = product(costs, point);
      if (feasible && (best === null || value.compare(best) < 0)) best = value;
      return;
    }
    for (let k = from; k < sides.length; k++) choose(k + 1, [...chosen, sides[k] as Rational[]]);
  };
  choose(0, []);
  return best;
}

function product(coefficients: readonly Rational[], point: readonly Rational[]): Rational {
  return coefficients.reduce((sum, value, j) => sum.add(value.multiply(point[j] as Rational)), Rational.zero);
}

/** Where n hyperplanes (coefficients, then the right side) meet; `null` unless in one point. Gauss and Jordan. */
function intersection(planes: readonly (readonly Rational[])[]): Rational[] | null {
  const rows = planes.map((plane) => plane.slice());
  for (let j = 0; j < rows.length; j++) {
    const at = rows.findIndex((row, i) => i >= j && (row[j] as Rational).sign() !== 0);
    if (at === -1) return null;
    [rows[j], rows[at]] = [rows[at] as Rational[], rows[j] as Rational[]];
    const pivot = rows[j] as Rational[];
    const factor = pivot[j] as Rational;
    rows[j] = pivot.map((value) => value.divide(factor));
    rows.forEach((row, i) => {
      if (i === j) return;
      const times = row[j] as Rational;
      rows[i] = row.map((value, k) => value.subtract(times.multiply((rows[j] as Rational[])[k] as Rational)));
    });
  }
  return rows.map((row) => row[rows.length] as Rational);
}
