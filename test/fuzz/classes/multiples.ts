import { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** A few integers in boxes, and rows of them with multiples beside: what lies between their sides is few points, one or none. */
export const multiples: CaseClass = {
  name: "multiples of rows",
  make(draw) {
    const n = draw.int(2, 5);
    const values = (limit: number) => Array.from({ length: n }, () => draw.int(-limit, limit));
    const least = values(2).map((value) => Math.min(value, 0));
    const inside = least.map((from) => from + draw.int(0, 3));
    const rows = Array.from({ length: draw.int(1, 2) }, () => {
      const limit = draw.of([3, 20, 1_000_000]);
      const weights = values(limit);
      const reached = weights.reduce((sum, weight, j) => sum + weight * (inside[j] as number), 0);
      return Array.from({ length: draw.int(2, 3) }, () => multipleOf(draw, weights, reached));
    });
    const program = programOf({
      columns: least.map((from) => [ratio(from), ratio(from + draw.int(3, 4)), true]),
      rows: draw.shuffled(rows.flat()),
      costs: values(9).map((cost) => ratio(cost)),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};

/** A row times a factor, its sides within a unit of what a point reaches, or within a fraction of one. */
function multipleOf(draw: Draw, weights: readonly number[], reached: number): SketchRow {
  const size = draw.of([ratio(1), ratio(2), ratio(6), ratio(1, 3), ratio(1, 7), ratio(10 ** 9), ratio(1, 10 ** 6)]);
  const factor = draw.oneIn(2) ? size : size.negate();
  const side = (by: number) => ratio(reached).add(ratio(by * draw.int(0, 8), draw.of([1, 3, 8])));
  const slip = draw.oneIn(4) ? ratio(draw.int(-9, 9), 8) : ratio(0);
  const [low, high] = [side(-1).add(slip).multiply(factor), side(1).add(slip).multiply(factor)];
  const [lower, upper] = factor.sign() > 0 ? [low, high] : [high, low];
  const kind = draw.int(0, 2);
  return [
    weights.map((weight) => ratio(weight).multiply(factor)),
    kind === 1 ? null : lower,
    kind === 2 ? null : upper,
  ];
}

/** Integers in boxes with a row whose side is about 1e20 or 1e30, which some readers take for none, and a little off it. */
export const hugeSides: CaseClass = {
  name: "sides of 1e20 and 1e30",
  make(draw) {
    const n = draw.int(1, 4);
    const small = (limit: number) => Array.from({ length: n }, () => ratio(draw.int(-limit, limit)));
    const huge = Rational.of(10n ** draw.of([19n, 20n, 21n, 29n, 30n, 31n]));
    const side = () => huge.multiply(ratio(draw.int(-3, 3))).add(ratio(draw.int(-2, 2)));
    const rows = Array.from({ length: draw.int(1, 2) }, (): SketchRow => {
      const weights = draw.oneIn(3) ? small(9) : small(3).map((weight, j) => weight.multiply(huge).add(ratio(j)));
      const at = side();
      return draw.oneIn(4) ? [weights, at, at] : draw.oneIn(2) ? [weights, at, null] : [weights, null, at];
    });
    const program = programOf({
      columns: small(2).map((from) => [from, from.add(ratio(draw.int(0, 4))), true]),
      rows: [...rows, [small(5), ratio(draw.int(-20, 5)), null]],
      costs: small(9),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};
