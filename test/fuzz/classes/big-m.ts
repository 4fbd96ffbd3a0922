import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";

/** Continuous columns that binaries switch on, y ≤ M·b with an M of up to 10¹², beside rows over all of them. */
export const bigM: CaseClass = {
  name: "big-M",
  make(draw) {
    const pairs = draw.int(1, 3);
    const most = 10 ** draw.of([2, 6, 9, 12]);
    const n = 2 * pairs;
    const values = () => Array.from({ length: n }, () => ratio(draw.int(-9, 9), draw.of([1, 1, 3])));
    const rows: SketchRow[] = Array.from({ length: pairs }, (_, k) => [
      Array.from({ length: n }, (__, j) => ratio(j === k ? 1 : j === pairs + k ? -most : 0)),
      null,
      ratio(0),
    ]);
    for (let more = draw.int(1, 2); more > 0; more--) {
      const side = ratio(draw.int(-5, 30));
      rows.push(draw.oneIn(2) ? [values(), side, null] : [values(), null, side]);
    }
    const program = programOf({
      columns: Array.from({ length: n }, (_, j) => [ratio(0), ratio(j < pairs ? draw.of([5, most]) : 1), j >= pairs]),
      rows,
      costs: values(),
      maximise: draw.oneIn(2),
    });
    const box = Array.from({ length: pairs }, () => [0n, 1n] as const);
    return { program, witness: { kind: "truth", truth: tryEveryInteger(program, box) } };
  },
};
