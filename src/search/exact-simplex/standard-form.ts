import { Rational } from "../../exact/rational.js";
import type { Box, View } from "../../proof/kernel/view.js";
import { type IntegerRow, transposed } from "./exact-system.js";

/**
 * A view's linear relaxation over a box as a simplex takes it, in integers: min c·x with variables 0 … n − 1 the view's
 * columns and n … n + m − 1 the activities of its rows, each row times its denominator. All have bounds of their own.
 */
export class StandardForm {
  readonly columnCount: number;
  readonly rows: readonly IntegerRow[];
  /** By column: the rows with an entry there. */
  readonly columns: readonly IntegerRow[];
  /** The program's index of each row, and what its activity was multiplied by. */
  readonly rowIds: readonly number[];
  readonly rowFactors: readonly bigint[];
  readonly lower: readonly (Rational | null)[];
  readonly upper: readonly (Rational | null)[];
  /** c, times `costFactor`. */
  readonly costs: readonly bigint[];
  readonly costFactor: bigint;
  /** Entries of all rows. */
  readonly entries: number;

  constructor({ columns, rows, objective }: View, box: Box) {
    const n = columns.length;
    const all = [...rows];
    const scaled = (side: Rational | null, factor: bigint) => side?.multiply(Rational.of(factor)) ?? null;
    this.columnCount = n;
    this.rowIds = all.map(([id]) => id);
    this.rowFactors = all.map(([, { form }]) => form.denominator);
    this.rows = all.map(([, { form }]) => form);
    this.columns = transposed(this.rows, n);
    this.lower = [...box.lower, ...all.map(([, { form, lower }]) => scaled(lower, form.denominator))];
    this.upper = [...box.upper, ...all.map(([, { form, upper }]) => scaled(upper, form.denominator))];
    const costs: bigint[] = new Array(n).fill(0n);
    objective.columns.forEach((j, k) => {
      costs[j] = objective.coefficients[k] as bigint;
    });
    this.costs = costs;
    this.costFactor = objective.denominator;
    this.entries = n + all.reduce((sum, [, { form }]) => sum + form.columns.length, 0);
  }

  get size(): number {
    return this.columnCount + this.rows.length;
  }
}
