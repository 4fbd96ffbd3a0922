import type { Counts } from "../../../../../models/table-placement/counted-placement.js";
import { Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { packedByFullPatterns } from "../packing/full-patterns.js";
import type { CountedPoint } from "./counted-lp.js";
import { type CountedRelaxation, copyOf } from "./counted-relaxation.js";

/**
 * What a placement below the limit may count in a box where all but patterns is whole at a point; `null` where shards have no room beside
 * that, or none was found.
 */
export function settledCounts(
  relaxation: CountedRelaxation,
  open: Box,
  { chosen, filling }: Pick<CountedPoint, "chosen" | "filling">,
): Counts | null {
  const { model, points, program } = relaxation;
  const box = copyOf(open);
  const counts = {
    chosen: chosen.map((own) => own.map(Math.round)),
    filling: filling.map((own) => own.map(Math.round)),
  };
  const wanted = model.free.map(() => 0);
  counts.chosen.forEach((own, c) => {
    own.forEach((tables, o) => {
      settle(box, program.structure.chosen[c]?.[o] as number, tables);
      for (const [kind, count] of model.options[c]?.[o]?.free ?? []) {
        wanted[kind] = (wanted[kind] as number) + tables * count;
      }
    });
  });
  counts.filling.forEach((own, s) => {
    own.forEach((groups, v) => {
      settle(box, program.structure.filling[s]?.columns[v] as number, groups);
    });
  });
  if (!relaxation.keeps(box)) return null;
  const spend = (units: number) => relaxation.spend(units);
  const free = packedByFullPatterns(points, model, wanted, relaxation.roomBeside(counts), spend);
  return free === null ? null : { ...counts, free };
}

function settle(box: Box, column: number, value: number): void {
  box.lower[column] = box.upper[column] = Rational.of(BigInt(value));
}
