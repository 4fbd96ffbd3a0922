import type { Program } from "../../../src/program/program.js";
import type { CaseClass } from "../case.js";
import { type Draw, programOf, ratio, type SketchRow } from "../oracle/draw.js";
import { tryEveryPoint } from "../oracle/every-point.js";

/** Chains of groups between which units may be exchanged at no cost, as between the row classes of one table. */
export const exchangeable: CaseClass = {
  name: "exchangeable groups",
  make(draw) {
    const program = drawChain(draw);
    return { program, witness: { kind: "truth", truth: tryEveryPoint(program) } };
  },
};

/**
 * Groups of two or three positions whose costs and weights mostly rise along the chain, so that exchanges exist; some
 * programs have groups of other sizes, columns in another order, or rows that forbid exchanges.
 */
export function drawChain(draw: Draw): Program {
  const size = draw.int(2, 3);
  const groups = draw.int(2, size === 2 ? 5 : 4);
  const sizes = Array.from({ length: groups }, () => (draw.oneIn(8) ? draw.int(1, 5) : size));
  const units = sizes.map(() => draw.int(1, 2));
  const places = sizes.flatMap((count, g) => Array.from({ length: count }, (_, t) => ({ g, t })));
  const order = draw.oneIn(3) ? draw.shuffled(places) : places;
  const steep = draw.int(-3, 3);
  const noise = draw.oneIn(3) ? 2 : 0;
  const value = (factor: number) =>
    order.map(({ g, t }) => ratio(factor * g * t + draw.int(0, 3) * t + draw.int(-noise, noise)));
  const rows: SketchRow[] = sizes.map((_, g): SketchRow => {
    const total = ratio(units[g] as number);
    return [order.map((place) => ratio(place.g === g ? 1 : 0)), total, total];
  });
  for (let budget = draw.int(0, 2); budget > 0; budget--) {
    const weights = value(draw.int(-2, 2));
    const side = ratio(draw.int(0, 12));
    rows.push(draw.oneIn(3) ? [weights, side, null] : [weights, null, side]);
  }
  return programOf({
    columns: order.map(({ g }) => [ratio(0), ratio((units[g] as number) - (draw.oneIn(20) ? 1 : 0)), true]),
    rows,
    costs: value(steep),
    maximise: draw.oneIn(4),
  });
}
