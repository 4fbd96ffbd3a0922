import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Binaries whose coefficients are milliseconds in one row and bytes in another: absolute tolerances mean nothing here. */
export const magnitudes: CaseClass = {
  name: "unlike magnitudes",
  make(draw) {
    const n = draw.int(4, 8);
    const rows = Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
      const [unit, per] = draw.of([
        [1, 1_000_000_000],
        [1, 1000],
        [1, 1],
        [1_000_000, 1],
        [1, 3],
      ] as const);
      const counts = Array.from({ length: n }, () => draw.int(0, 50_000));
      // The side is a sum that can be reached, or one unit below it.
      const reached = counts.reduce((sum, count) => sum + (draw.oneIn(2) ? count : 0), 0) - draw.int(0, 1);
      const side = ratio(reached * unit, per);
      const covering = draw.oneIn(3);
      return [counts.map((count) => ratio(count * unit, per)), covering ? side : null, covering ? null : side];
    });
    const program = programOf({
      columns: Array.from({ length: n }, () => [ratio(0), ratio(1), true]),
      rows,
      costs: Array.from({ length: n }, () => ratio(draw.int(1, 100_000), 1_000_000)),
      maximise: draw.oneIn(2),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};
