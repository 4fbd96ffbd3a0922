import type { RowTiersModel, RowTiersStructure } from "../../../../models/row-tiers/build.js";
import { Rational } from "../../../exact/rational.js";
import { formValue } from "../../../program/evaluate.js";
import { type ExplicitPart, explicitPart } from "../../../program/ladder/explicit.js";
import type { Interval } from "../../../program/ladder/interval.js";
import type { Ladder } from "../../../program/ladder/ladder.js";
import type { Column, Program, Row } from "../../../program/program.js";
import type { LadderNode } from "../../../proof/kernel/ladder/node.js";
import { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import { SearchSpace } from "../../../search/branch-and-bound/space.js";
import { countsOf } from "../../../search/class-knapsack/breakpoint.js";
import type { BestPoint } from "../../../search/class-knapsack/incumbent.js";

/** What a node leaves open beside some intervals that are decided, written out to be searched. */
export class OpenPart {
  readonly #ladder: Ladder;
  readonly #decided: readonly Interval[];
  readonly #best: BestPoint;
  readonly part: ExplicitPart;
  readonly roles: RowTiersStructure;
  readonly space: SearchSpace;
  /** Takes points of the part that are better than the best plan. */
  readonly incumbent: Incumbent;

  constructor({ ladder, structure }: RowTiersModel, node: LadderNode, decided: readonly Interval[], best: BestPoint) {
    [this.#ladder, this.#decided, this.#best] = [ladder, decided, best];
    this.part = explicitPart(ladder, { ...node, decided });
    const { program } = this.part;
    const roles = rolesIn(this.part, structure);
    this.roles = roles;
    this.space = SearchSpace.of(program);
    this.incumbent = new Incumbent(program, (point) => completeIn(program, roles, point), best.value);
  }

  /** Makes a plan of the best point of the part, with what is decided. */
  offerWhole(): void {
    const { point } = this.incumbent;
    if (point !== null) this.#best.offer(wholeCounts(this.#ladder, this.part, this.#decided, point));
  }
}

/**
 * The structure of a ladder in a part of it that is written out: classes first, then the ladder's rows and auxiliaries.
 */
function rolesIn({ classes, program }: ExplicitPart, structure: RowTiersStructure): RowTiersStructure {
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
function completeIn(
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
function wholeCounts(
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
