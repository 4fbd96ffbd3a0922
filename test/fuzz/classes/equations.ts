import { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Equations alone, through a hidden point in half of the programs, beside it by one in the others. */
export const equations: CaseClass = {
  name: "equations",
  make(draw) {
    const n = draw.int(2, 5);
    const columns = Array.from({ length: n }, () => [ratio(draw.int(-1, 0)), ratio(draw.int(1, 5)), true] as const);
    const hidden = columns.map(([, upper]) => ratio(draw.int(0, upper.toNumber())));
    const beside = draw.oneIn(2) ? 1 : 0;
    const program = programOf({
      columns,
      rows: Array.from({ length: draw.int(1, 2) }, (): SketchRow => {
        const coefficients = values(draw, n, 40);
        const side = activity(coefficients, hidden).add(ratio(beside));
        return [coefficients, side, side];
      }),
      costs: values(draw, n, 40),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};

/** Infeasible by construction, though the linear relaxation mostly is not: parity, or a gap between the rows. */
export const infeasible: CaseClass = {
  name: "infeasible by construction",
  make(draw) {
    const n = draw.int(2, 4);
    const odd = 2 * draw.int(0, 20) + 1;
    const coefficients = values(draw, n, 30);
    const even = coefficients.map((value) => value.multiply(ratio(2)));
    const kind = draw.int(0, 3);
    const wide = kind < 2;
    const rows: SketchRow[] =
      kind === 0
        ? // Twice an integer is never odd.
          [[even, ratio(odd), ratio(odd)]]
        : kind === 1
          ? // Nor between two neighbouring even numbers.
            [[even.map((value) => value.divide(ratio(3))), ratio(3 * odd - 1, 9), ratio(3 * odd + 1, 9)]]
          : kind === 2
            ? // The same parity, hidden in two rows whose sum is even.
              [[coefficients, ratio(odd), ratio(odd)], opposite(draw, coefficients, odd)]
            : // A strip above another.
              [
                [coefficients, null, ratio(odd)],
                [coefficients.map((value) => value.multiply(ratio(7))), ratio(7 * odd + 1), null],
              ];
    const program = programOf({
      columns: Array.from({ length: n }, () => [ratio(0), ratio(wide ? draw.int(1, 1_000_000) : draw.int(1, 6)), true]),
      rows: draw.shuffled(rows),
      costs: values(draw, n, 30),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: { status: "infeasible" } } };
  },
};

/** A row with coefficients of the same parities, whose side has the other parity than `odd`. */
function opposite(draw: Draw, coefficients: readonly Rational[], odd: number): SketchRow {
  const side = ratio(odd + 1);
  return [coefficients.map((value) => value.add(ratio(2 * draw.int(-3, 3)))), side, side];
}

function values(draw: Draw, n: number, limit: number): Rational[] {
  return Array.from({ length: n }, () => ratio(draw.int(-limit, limit)));
}

function activity(coefficients: readonly Rational[], point: readonly Rational[]): Rational {
  return coefficients.reduce((sum, value, j) => sum.add(value.multiply(point[j] as Rational)), Rational.zero);
}
