import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Two to four integers in boxes of a few values, rows of every kind; coefficients up to 20, some of them fractions. */
export const smallBox: CaseClass = {
  name: "small boxes",
  make(draw) {
    const program = programOf({
      ...drawBox(draw, (limit) => ratio(draw.int(-limit, limit), draw.oneIn(4) ? draw.of([2, 3, 7]) : 1)),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};

/** The same with every number a multiple of a thousandth, sides within a thousandth of what can be reached. */
export const thousandths: CaseClass = {
  name: "thousandths",
  make(draw) {
    const program = programOf({
      ...drawBox(draw, (limit) => ratio(draw.int(-limit * 1000, limit * 1000), 1000)),
      maximise: draw.oneIn(2),
      constant: ratio(draw.int(-5000, 5000), 1000),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};

function drawBox(draw: Draw, value: (limit: number) => ReturnType<typeof ratio>) {
  const n = draw.int(2, 4);
  const values = (limit: number) => Array.from({ length: n }, () => value(limit));
  return {
    columns: Array.from({ length: n }, () => [ratio(draw.int(-2, 0)), ratio(draw.int(0, 4)), true] as const),
    rows: Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
      const side = value(60);
      const kind = draw.int(0, 5);
      const coefficients = values(20);
      if (kind === 0) return [coefficients, side, null];
      return [coefficients, kind === 1 ? side.subtract(ratio(draw.int(0, 40))) : null, side];
    }),
    costs: values(20),
  };
}
