import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import type { Box, View } from "../../../src/proof/kernel/view.js";
import { type Draw, programOf, ratio, type SketchRow } from "../../fuzz/oracle/draw.js";
import { forEachPoint, ownBox } from "../../fuzz/oracle/every-point.js";
import { extremeCost } from "../../support/extreme-numbers.js";

/** A feasible point of an integer program with its cost as a minimisation, the constant included. */
export interface PointWithCost {
  readonly point: readonly Rational[];
  readonly cost: Rational;
}

/** All feasible points of an integer program in bounds. */
export function feasiblePoints(program: Program): PointWithCost[] {
  const { form, constant, sense } = program.objective;
  const points: PointWithCost[] = [];
  forEachPoint(program, ownBox(program), (values, cost) => {
    const value = Rational.of(cost, form.denominator).add(constant);
    points.push({
      point: values.map((at) => Rational.of(at)),
      cost: sense === "maximize" ? value.negate() : value,
    });
  });
  return points;
}

/** A small integer program; in half of them some columns are in groups whose sum is fixed. */
export function drawProgram(draw: Draw): Program {
  const n = draw.int(2, 5);
  const value = (limit: number) =>
    draw.oneIn(30) ? extremeCost(draw) : ratio(draw.int(-limit, limit), draw.oneIn(4) ? draw.of([2, 3, 1000]) : 1);
  const rows: SketchRow[] = Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
    const coefficients = Array.from({ length: n }, () => (draw.oneIn(4) ? ratio(0) : value(9)));
    const side = value(25);
    return [coefficients, draw.oneIn(3) ? side.subtract(ratio(draw.int(0, 9))) : null, draw.oneIn(3) ? null : side];
  });
  if (draw.oneIn(2)) {
    const members = Array.from({ length: n }, () => ratio(draw.oneIn(3) ? 0 : 1));
    const total = ratio(draw.int(1, 4));
    rows.push([members, total, total]);
  }
  return programOf({
    columns: Array.from({ length: n }, () => [ratio(draw.int(-2, 0)), ratio(draw.int(0, 3)), true]),
    rows: draw.shuffled(rows),
    costs: Array.from({ length: n }, () => value(9)),
    maximise: draw.oneIn(2),
    constant: value(5),
  });
}

/** Shrinks some of a box's bounds at random, never across one another. */
export function shrinkAtRandom(draw: Draw, box: Box): void {
  for (let j = 0; j < box.lower.length; j++) {
    const lower = box.lower[j] as Rational;
    const upper = box.upper[j] as Rational;
    const width = upper.subtract(lower).toNumber();
    if (width < 1 || draw.oneIn(2)) continue;
    box.lower[j] = lower.add(ratio(draw.int(0, width)));
    if (draw.oneIn(2))
      box.upper[j] = (box.lower[j] as Rational).add(
        ratio(draw.int(0, upper.subtract(box.lower[j] as Rational).toNumber())),
      );
  }
}

/** Whether a point of the program lies in a view's box, by the columns that the view has open. */
export function isIn(view: View, box: Box, point: readonly Rational[]): boolean {
  return view.columns.every((column, j) => {
    const value = point[column] as Rational;
    const lower = box.lower[j] ?? null;
    const upper = box.upper[j] ?? null;
    return (lower === null || value.compare(lower) >= 0) && (upper === null || value.compare(upper) <= 0);
  });
}

/** Multipliers that price only sides that the view's rows have. */
export function drawMultipliers(draw: Draw, view: View): Map<number, Rational> {
  const multipliers = new Map<number, Rational>();
  for (const [r, { lower, upper }] of view.rows) {
    const size = ratio(draw.int(0, 12), draw.of([1, 2, 5]));
    if (lower !== null && (upper === null || draw.oneIn(2))) multipliers.set(r, size);
    else if (upper !== null) multipliers.set(r, size.negate());
  }
  return multipliers;
}

export function copyOf({ lower, upper }: Box): Box {
  return { lower: lower.slice(), upper: upper.slice() };
}
