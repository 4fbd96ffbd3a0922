import type { RowTiersStructure } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import { formValue } from "../../../program/evaluate.js";
import type { ExplicitPart } from "../../../program/ladder/explicit.js";
import type { Ladder, Rail } from "../../../program/ladder/ladder.js";
import type { Stretch } from "../../../program/ladder/stretch.js";
import type { Column, Program, Row } from "../../../program/program.js";
import { countsOf } from "../../../search/class-knapsack/breakpoint.js";
import type { LadderDual } from "../../../search/class-knapsack/dual.js";

/**
 * Everything but the rungs next to the breaks between tiers, `near` of them on either side, decided as the relaxation
 * has it; `null` where that is nothing.
 */
export function besidesBreaks(
  ladder: Ladder,
  dual: Extract<LadderDual, { kind: "solved" }>,
  near: number,
): readonly Stretch[] | null {
  const decided = dual.bound.cheapest.flatMap((stretch) => {
    const rungs = (ladder.rails[stretch.rail] as Rail).units.length;
    const from = stretch.from === 0 ? 0 : stretch.from + near;
    const to = stretch.to === rungs ? rungs : stretch.to - near;
    return from < to ? [{ ...stretch, from, to }] : [];
  });
  return decided.length === 0 ? null : decided;
}

/** The structure of a ladder in a part of it that is written out: rungs first, then the ladder's rows and auxiliaries. */
export function rolesIn({ rungs, program }: ExplicitPart, structure: RowTiersStructure): RowTiersStructure {
  const auxiliaries = structure.carriers.length + (structure.channels === null ? 0 : 1);
  const firstColumn = program.columns.length - auxiliaries;
  const row = (index: number) => rungs.length + index;
  const column = (index: number) => firstColumn + index;
  const { memoryRow, hostRow, carriers, channels } = structure;
  return {
    memoryRow: row(memoryRow),
    hostRow: hostRow === null ? null : row(hostRow),
    carriers: carriers.map((carrier) => ({ row: row(carrier.row), column: column(carrier.column) })),
    channels: channels === null ? null : { rows: channels.rows.map(row), column: column(channels.column) },
  };
}

/** Sets what follows from the units: a decided charge as it was decided, the slowest channel at its least. */
export function completeIn(
  program: Program,
  { carriers, channels }: RowTiersStructure,
  point: readonly Rational[],
): readonly Rational[] {
  const completed = point.slice();
  for (const { column } of carriers) completed[column] = (program.columns[column] as Column).lower as Rational;
  if (channels !== null) {
    completed[channels.column] = Rational.zero;
    const slowest = channels.rows.map((row) => {
      const { form, upper } = program.rows[row] as Row;
      return formValue(form, completed).subtract(upper as Rational);
    });
    completed[channels.column] = slowest.reduce((a, b) => (a.compare(b) > 0 ? a : b));
  }
  return completed;
}

/** The unit counts of the whole ladder from a point of a part. */
export function wholeCounts(
  ladder: Ladder,
  { rungs, tiers }: ExplicitPart,
  decided: readonly Stretch[],
  point: readonly Rational[],
): Float64Array {
  const counts = countsOf(ladder, decided);
  let column = 0;
  rungs.forEach((rung, k) => {
    for (const tier of tiers[k] as readonly number[]) {
      counts[rung * ladder.tiers.length + tier] = Number((point[column++] as Rational).numerator);
    }
  });
  return counts;
}
