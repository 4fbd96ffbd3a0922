import { type RowClasses, RowClassesBuilder } from "../row-classes.js";

/** Counts below this are tallied in an array, the others in a map: most rows of a long file are read a few times. */
const SMALL = 1 << 16;

/** How many rows have each count: memory for the distinct counts alone. */
export class CountTally {
  readonly #small = new Float64Array(SMALL);
  readonly #large = new Map<number, number>();
  /** Rows so far. */
  rows = 0;

  /** Adds `rows` rows with `count` accesses each, both not negative. */
  add(count: number, rows = 1): void {
    this.rows += rows;
    if (count < SMALL && Number.isInteger(count)) this.#small[count] = (this.#small[count] as number) + rows;
    else this.#large.set(count, (this.#large.get(count) ?? 0) + rows);
  }

  /** The classes of a table with `tableRows` rows: those beyond the tally are never read. */
  classes(tableRows: number, samples: number): RowClasses {
    const counts = [...this.#large];
    for (const [count, rows] of this.#small.entries()) if (rows > 0) counts.push([count, rows]);
    const classes = new RowClassesBuilder();
    for (const [count, rows] of counts.sort((a, b) => b[0] - a[0])) classes.add(rows, count / samples);
    classes.add(tableRows - this.rows, 0);
    return classes.build();
  }
}
