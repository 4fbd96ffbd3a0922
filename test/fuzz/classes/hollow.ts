import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Programs with parts missing: empty rows and columns, no rows, no objective, a constant, fixed and crossed bounds. */
export const hollow: CaseClass = {
  name: "hollow parts",
  make(draw) {
    const n = draw.int(0, 4);
    const sparse = () => Array.from({ length: n }, () => ratio(draw.oneIn(2) ? 0 : draw.int(-9, 9)));
    const nothing = Array.from({ length: n }, () => ratio(0));
    const program = programOf({
      columns: Array.from({ length: n }, () => {
        const lower = ratio(draw.int(-9, 9), draw.of([1, 2, 4]));
        const width = draw.oneIn(12) ? -1 : draw.of([0, 1, 3]);
        return [lower, lower.add(ratio(width)), true] as const;
      }),
      rows: Array.from({ length: draw.int(0, 3) }, (): SketchRow => {
        if (draw.oneIn(3)) return [nothing, ratio(draw.oneIn(6) ? 1 : 0), ratio(draw.int(1, 3))];
        if (draw.oneIn(6)) return [sparse(), null, null];
        return [sparse(), draw.oneIn(3) ? ratio(-20) : null, ratio(draw.int(-9, 30), draw.of([1, 5]))];
      }),
      costs: draw.oneIn(4) ? nothing : sparse(),
      maximise: draw.oneIn(2),
      constant: ratio(draw.int(-999, 999), draw.of([1, 1000])),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};
