import type { RowTiersStructure } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import { formValue } from "../../../program/evaluate.js";
import type { ExplicitPart } from "../../../program/ladder/explicit.js";
import type { Interval } from "../../../program/ladder/interval.js";
import type { Chain, Ladder } from "../../../program/ladder/ladder.js";
import type { Column, Program, Row } from "../../../program/program.js";
import { countsOf } from "../../../search/class-knapsack/breakpoint.js";
import type { LadderDual } from "../../../search/class-knapsack/dual.js";

/**
 * Everything but the classes next to the breaks between tiers, `near` of them on either side, decided as the relaxation
 * has it; `null` where that is nothing.
 */
export function besidesBreaks(
  ladder: Ladder,
  dual: Extract<LadderDual, { kind: "solved" }>,
  near: number,
): readonly Interval[] | null {
  const decided = dual.bound.cheapest.flatMap((interval) => {
    const classes = (ladder.chains[interval.chain] as Chain).units.length;
    const from = interval.from === 0 ? 0 : interval.from + near;
    const to = interval.to === classes ? classes : interval.to - near;
    return from < to ? [{ ...interval, from, to }] : [];
  });
  return decided.length === 0 ? null : decided;
}

/**
 * The structure of a ladder in a part of it that is written out: classes first, then the ladder's rows and auxiliaries.
 */
export function rolesIn({ classes, program }: ExplicitPart, structure: RowTiersStructure): RowTiersStructure {
  const auxiliaries = structure.carriers.length + (structure.channels === null ? 0 : 1);
  const firstColumn = program.columns.length - auxiliaries;
  const row = (index: number) => classes.length + index;
  const column = (index: number) => firstColumn + index;
  const { memoryRow, hostRow, capacities, carriers, channels } = structure;
  return {
    memoryRow: row(memoryRow),
    hostRow: hostRow === null ? null : row(hostRow),
    capacities: capacities.map(row),
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
  { classes, tiers }: ExplicitPart,
  decided: readonly Interval[],
  point: readonly Rational[],
): Float64Array {
  const counts = countsOf(ladder, decided);
  let column = 0;
  classes.forEach((unitClass, k) => {
    for (const tier of tiers[k] as readonly number[]) {
      counts[unitClass * ladder.tiers.length + tier] = Number((point[column++] as Rational).numerator);
    }
  });
  return counts;
}
