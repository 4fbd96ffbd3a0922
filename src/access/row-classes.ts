/** The rows of one table, grouped by how often a sample reads them. */
export interface RowClasses {
  /** Rows of each class: positive integers that add up to the table's rows. */
  readonly rows: Float64Array;
  /** Expected appearances in one sample of each row of the class; strictly falling, finite, not negative. */
  readonly appearances: Float64Array;
}

/** Collects classes in falling order of appearances and keeps them strictly falling. */
export class RowClassesBuilder {
  readonly #rows: number[] = [];
  readonly #appearances: number[] = [];

  /**
   * Adds `rows` rows with `appearances` each; none where `rows` is 0. A class that does not fall below the one before
   * is merged with it (weighted mean), which keeps the total: curves cut into cells meet this at rounding error, equal
   * bins exactly.
   */
  add(rows: number, appearances: number): void {
    if (rows === 0) return;
    let count = rows;
    let mean = appearances;
    for (;;) {
      const last = this.#appearances.at(-1);
      if (last === undefined || last > mean) break;
      const lastRows = this.#rows.pop() as number;
      this.#appearances.pop();
      mean = last === mean ? mean : last + (mean - last) * (count / (count + lastRows));
      count += lastRows;
    }
    this.#rows.push(count);
    this.#appearances.push(mean);
  }

  build(): RowClasses {
    return { rows: Float64Array.from(this.#rows), appearances: Float64Array.from(this.#appearances) };
  }
}
