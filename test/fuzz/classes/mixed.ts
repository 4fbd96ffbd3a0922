import type { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";

/** Integers in small boxes beside continuous columns in boxes of their own. */
export const mixed: CaseClass = {
  name: "mixed integer",
  make(draw) {
    const integers = draw.int(1, 3);
    const n = integers + draw.int(1, 3);
    const program = programOf({
      columns: Array.from({ length: n }, (_, j) =>
        j < integers
          ? ([ratio(draw.int(-2, 0)), ratio(draw.int(0, 4)), true] as const)
          : ([ratio(draw.int(-30, 0), draw.of([1, 3])), ratio(draw.int(1, 90), draw.of([1, 7])), false] as const),
      ),
      rows: drawRows(draw, n, draw.int(1, 3)),
      costs: values(draw, n),
      maximise: draw.oneIn(2),
      constant: ratio(draw.int(-9, 9)),
    });
    const box = boxOf(program.columns.slice(0, integers));
    return { program, witness: { kind: "truth", truth: tryEveryInteger(program, box) } };
  },
};

/**
 * No column has bounds; rows of two columns each keep them together: integers near zero, continuous ones within reach of
 * the integers. The optimum exists because everything is bounded in the end.
 */
export const freeColumns: CaseClass = {
  name: "free columns",
  make(draw) {
    const integers = draw.int(1, 2);
    const n = integers + draw.int(0, 2);
    const reach = draw.int(1, 4);
    const rows: SketchRow[] = Array.from({ length: n }, (_, j) => {
      const coefficients = Array.from({ length: n }, (_, k) => ratio(k === j ? draw.of([1, 2, -3]) : 0));
      if (j >= integers) coefficients[draw.int(0, integers - 1)] = ratio(draw.int(-3, 3));
      const scale = (coefficients[j] as Rational).absolute();
      return [coefficients, scale.multiply(ratio(-reach)), scale.multiply(ratio(reach))];
    });
    const program = programOf({
      columns: Array.from({ length: n }, (_, j) => [null, draw.oneIn(5) ? ratio(50) : null, j < integers] as const),
      rows: draw.shuffled([...rows, ...drawRows(draw, n, draw.int(0, 2))]),
      costs: values(draw, n),
      maximise: draw.oneIn(2),
    });
    const box = Array.from({ length: integers }, () => [BigInt(-reach), BigInt(reach)] as const);
    return { program, witness: { kind: "truth", truth: tryEveryInteger(program, box) } };
  },
};

function drawRows(draw: Draw, n: number, count: number): SketchRow[] {
  return Array.from({ length: count }, (): SketchRow => {
    const side = ratio(draw.int(-40, 90), draw.of([1, 1, 3, 1000]));
    const coefficients = values(draw, n);
    const kind = draw.int(0, 5);
    if (kind === 0) return [coefficients, side, side];
    if (kind === 1) return [coefficients, side, null];
    return [coefficients, kind === 2 ? side.subtract(ratio(draw.int(1, 20))) : null, side];
  });
}

function values(draw: Draw, n: number): Rational[] {
  return Array.from({ length: n }, () => ratio(draw.int(-20, 20), draw.of([1, 1, 1, 3, 1000])));
}

function boxOf(columns: readonly { readonly lower: Rational | null; readonly upper: Rational | null }[]) {
  return columns.map(({ lower, upper }) => [lower?.ceil() ?? 0n, upper?.floor() ?? 0n] as const);
}
