import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Multiple-choice knapsack: units of each group are shared among its choices, within one or two budgets. */
export const choices: CaseClass = {
  name: "multiple-choice knapsack",
  make(draw) {
    const groups = draw.int(2, 4);
    const size = draw.int(2, 3);
    const units = draw.int(1, 2);
    const n = groups * size;
    const limit = draw.of([9, 1000]);
    const rows: SketchRow[] = [];
    for (let g = 0; g < groups; g++) {
      const members = Array.from({ length: n }, (_, j) => ratio(Math.floor(j / size) === g ? 1 : 0));
      rows.push([members, ratio(units), ratio(units)]);
    }
    for (let budget = draw.int(1, 2); budget > 0; budget--) {
      const weights = Array.from({ length: n }, () => draw.int(0, limit));
      // The weight of a random share, or one less.
      let weight = -draw.int(0, 1);
      for (let g = 0; g < groups; g++) weight += units * (weights[g * size + draw.int(0, size - 1)] as number);
      rows.push([weights.map((value) => ratio(value)), null, ratio(weight)]);
    }
    const program = programOf({
      columns: Array.from({ length: n }, () => [ratio(0), ratio(units), true]),
      rows,
      costs: Array.from({ length: n }, () => ratio(draw.int(0, limit))),
      maximise: draw.oneIn(3),
    });
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};
