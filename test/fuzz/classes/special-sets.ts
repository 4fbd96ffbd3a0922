import type { CaseClass } from "../case.js";
import { programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryInteger } from "../oracle/every-integer.js";

/**
 * Weights that add up to 1, of which one (SOS1) or two neighbours (SOS2) are not zero, with a binary for each segment: a
 * piecewise linear function of a column that other rows speak of.
 */
export const specialSets: CaseClass = {
  name: "special ordered sets",
  make(draw) {
    const points = draw.int(2, 4);
    const isSecond = draw.oneIn(2);
    const binaries = isSecond ? points - 1 : points;
    const n = points + binaries;
    const row = (entry: (j: number) => number, lower: number | null, upper: number | null): SketchRow => [
      Array.from({ length: n }, (_, j) => ratio(entry(j))),
      lower === null ? null : ratio(lower),
      upper === null ? null : ratio(upper),
    ];
    const isNear = (point: number, segment: number) =>
      isSecond ? point === segment || point === segment + 1 : point === segment;
    const places = Array.from({ length: points }, (_, p) => 3 * p + draw.int(0, 2));
    const rows = [
      row((j) => (j < points ? 1 : 0), 1, 1),
      row((j) => (j < points ? 0 : 1), 1, 1),
      ...places.map((_, p) => row((j) => (j === p ? 1 : j >= points && isNear(p, j - points) ? -1 : 0), null, 0)),
      row((j) => (j < points ? (places[j] as number) : 0), draw.int(0, 4), draw.oneIn(2) ? null : draw.int(4, 12)),
    ];
    const program = programOf({
      columns: Array.from({ length: n }, (_, j) => [ratio(0), ratio(1), j >= points]),
      rows: draw.shuffled(rows),
      costs: Array.from({ length: n }, (_, j) => ratio(j < points ? draw.int(-20, 20) : 0)),
      maximise: draw.oneIn(2),
    });
    const box = Array.from({ length: binaries }, () => [0n, 1n] as const);
    return { program, witness: { kind: "truth", truth: tryEveryInteger(program, box) } };
  },
};
