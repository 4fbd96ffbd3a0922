import { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";

const LIMIT = 1000;

/** Two to five integers with bounds to ten million and coefficients to a thousand: where solvers are wrong. */
export const wide: CaseClass = {
  name: "wide bounds",
  make(draw) {
    const n = draw.int(2, 5);
    const program = programOf({
      columns: wideColumns(draw, n, 10_000_000),
      rows: Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
        const side = ratio(draw.int(-2 * LIMIT, LIMIT * 1000));
        const coefficients = values(draw, n);
        if (draw.oneIn(6)) return [coefficients, side, side];
        if (draw.oneIn(4)) return [coefficients, side, side.add(ratio(draw.int(0, 5 * LIMIT)))];
        return [coefficients, null, side];
      }),
      costs: values(draw, n),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "seek" } };
  },
};

/**
 * Around a hidden point: it is feasible and near the rows, so that a claim of infeasibility is wrong. Bounds to a
 * hundred thousand, to two thousand where a row is an equation: thinner and longer strips are out of reach of branching.
 */
export const wideFeasible: CaseClass = {
  name: "wide bounds, feasible by construction",
  make(draw) {
    const n = draw.int(2, 4);
    const equation = draw.oneIn(3);
    const columns = wideColumns(draw, n, equation ? 2000 : 100_000);
    const hidden = columns.map(([, upper]) => ratio(draw.int(0, upper.toNumber())));
    const program = programOf({
      columns,
      rows: Array.from({ length: draw.int(1, 3) }, (_, r): SketchRow => {
        const coefficients = values(draw, n);
        const at = coefficients.reduce(
          (sum, value, j) => sum.add(value.multiply(hidden[j] as Rational)),
          Rational.zero,
        );
        if (r === 0 && equation) return [coefficients, at, at];
        const below = ratio(draw.int(0, LIMIT));
        return [coefficients, draw.oneIn(3) ? at.subtract(below) : null, at.add(ratio(draw.int(0, 3)))];
      }),
      costs: values(draw, n),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "seek" } };
  },
};

function wideColumns(draw: Draw, n: number, limit: number) {
  return Array.from({ length: n }, () => [ratio(0), ratio(draw.int(1, limit)), true] as const);
}

function values(draw: Draw, n: number): Rational[] {
  return Array.from({ length: n }, () => ratio(draw.int(-LIMIT, LIMIT)));
}
