import { Rational } from "../../../src/exact/rational.js";
import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Ties everywhere: few different numbers, alike columns, rows that repeat one another at another scale. */
export const degenerate: CaseClass = {
  name: "degenerate",
  make(draw) {
    const n = draw.int(3, 6);
    const upper = ratio(draw.int(1, 2));
    const few = () => ratio(draw.of([-1, 0, 1, 1, 2]));
    const rows: SketchRow[] = Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
      const alike = few();
      const coefficients = Array.from({ length: n }, () => (draw.oneIn(2) ? alike : few()));
      const side = ratio(draw.int(-1, n));
      return [coefficients, draw.oneIn(4) ? side : null, side];
    });
    const repeated = rows.flatMap(([coefficients, lower, side]): SketchRow[] => {
      if (draw.oneIn(2)) return [];
      const scale = ratio(draw.of([1, 2, -1, 3]), draw.of([1, 7]));
      const scaled = [lower?.multiply(scale) ?? null, side?.multiply(scale) ?? null] as const;
      const [low, high] = scale.sign() < 0 ? [scaled[1], scaled[0]] : scaled;
      return [[coefficients.map((value) => value.multiply(scale)), low, high]];
    });
    const cost = few();
    const program = programOf({
      columns: Array.from({ length: n }, () => [Rational.zero, upper, true]),
      rows: draw.shuffled([...rows, ...repeated]),
      costs: Array.from({ length: n }, () => (draw.oneIn(2) ? cost : few())),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};
