/** A pivot has at least this part of its column's largest value. */
export const THRESHOLD = 0.1;

/** A column whose values are all below this depends on those before it. */
export const SINGULAR = 1e-9;

/** What is left of a value when others are taken from it counts as nothing below this. */
const NOTHING = 1e-14;

/** Of the rows and columns with fewest entries so many are searched for a pivot. */
const SEARCHED = 4;

/**
 * The part of a basis that singletons leave over, eliminated from left to right: each pivot is one of little fill, of those
 * that are large enough (Markowitz, Management Science 3, 1957). Kept dense by columns, with counts of what is not zero.
 */
export class Nucleus {
  readonly #size: number;
  readonly #values: Float64Array;
  readonly #rowCounts: Int32Array;
  readonly #columnCounts: Int32Array;
  readonly #rowOpen: Uint8Array;
  readonly #columnOpen: Uint8Array;
  /** The rows of the pivot's column, and by how much of the pivot's row each of them is eliminated. */
  readonly #below: Int32Array;
  readonly #multipliers: Float64Array;
  /** By row: the columns with an entry there, and some that had one or came to have it again. */
  readonly #rowColumns: number[][];
  /** The largest value of a column in open rows; −1 where it may have changed. */
  readonly #largest: Float64Array;
  /** The last pivot. */
  row = -1;
  column = -1;
  /** How much fill the pivot chosen may make, and how large it is. */
  #fill = 0;
  #pivot = 0;

  constructor(size: number) {
    this.#size = size;
    this.#values = new Float64Array(size * size);
    this.#rowCounts = new Int32Array(size);
    this.#columnCounts = new Int32Array(size);
    this.#rowOpen = new Uint8Array(size).fill(1);
    this.#columnOpen = new Uint8Array(size).fill(1);
    this.#below = new Int32Array(size);
    this.#multipliers = new Float64Array(size);
    this.#rowColumns = Array.from({ length: size }, () => []);
    this.#largest = new Float64Array(size).fill(-1);
  }

  /** Puts in a value, once for each place. */
  put(row: number, column: number, value: number): void {
    if (value === 0) return;
    this.#values[column * this.#size + row] = value;
    (this.#rowColumns[row] as number[]).push(column);
    this.#rowCounts[row] = (this.#rowCounts[row] as number) + 1;
    this.#columnCounts[column] = (this.#columnCounts[column] as number) + 1;
  }

  /** The value in the pivot's column: of U in rows that were pivots before, else what is to be eliminated. */
  at(row: number): number {
    return this.#values[this.column * this.#size + row] as number;
  }

  isOpen(row: number): boolean {
    return this.#rowOpen[row] === 1;
  }

  /** Chooses the next pivot; `false` where no column is left, but those that depend on others. */
  choose(): boolean {
    this.row = -1;
    this.#fill = Number.POSITIVE_INFINITY;
    while (this.row === -1) {
      const columns = fewest(this.#columnCounts, this.#columnOpen);
      if (columns.length === 0) return false;
      for (const column of columns) this.#searchColumn(column);
    }
    if (this.#fill > 0) for (const row of fewest(this.#rowCounts, this.#rowOpen)) this.#searchRow(row);
    return true;
  }

  #searchColumn(column: number): void {
    const largest = this.#largestIn(column);
    if (largest < SINGULAR) {
      this.#drop(column);
      return;
    }
    const [values, isOpen] = [this.#values, this.#rowOpen];
    for (let row = 0, at = column * this.#size; row < this.#size; row++, at++) {
      const value = values[at] as number;
      if (value === 0 || isOpen[row] === 0) continue;
      const size = Math.abs(value);
      if (size >= THRESHOLD * largest) this.#offer(row, column, size);
    }
  }

  #searchRow(row: number): void {
    for (const column of this.#rowColumns[row] as number[]) {
      const size = Math.abs(this.#values[column * this.#size + row] as number);
      if (size < SINGULAR || this.#columnOpen[column] === 0 || this.#fillAt(row, column) >= this.#fill) continue;
      if (size >= THRESHOLD * this.#largestIn(column)) this.#offer(row, column, size);
    }
  }

  #fillAt(row: number, column: number): number {
    return ((this.#rowCounts[row] as number) - 1) * ((this.#columnCounts[column] as number) - 1);
  }

  #offer(row: number, column: number, size: number): void {
    const fill = this.#fillAt(row, column);
    if (fill > this.#fill || (fill === this.#fill && size <= this.#pivot)) return;
    this.#fill = fill;
    this.#pivot = size;
    this.row = row;
    this.column = column;
  }

  /** Takes the pivot's row from the others, so that its column is gone; afterwards the pivot is no longer open. */
  eliminate(): void {
    const [row, column, k] = [this.row, this.column, this.#size];
    const [values, rowCounts, below, multipliers] = [this.#values, this.#rowCounts, this.#below, this.#multipliers];
    const pivot = values[column * k + row] as number;
    this.#rowOpen[row] = 0;
    this.#columnOpen[column] = 0;
    let count = 0;
    for (let i = 0; i < k; i++) {
      const value = values[column * k + i] as number;
      if (value === 0 || this.#rowOpen[i] === 0) continue;
      rowCounts[i] = (rowCounts[i] as number) - 1;
      below[count] = i;
      multipliers[count++] = value / pivot;
    }
    for (const other of new Set(this.#rowColumns[row])) {
      const value = values[other * k + row] as number;
      if (value === 0 || this.#columnOpen[other] === 0) continue;
      this.#largest[other] = -1;
      let more = -1;
      for (let e = 0; e < count; e++) {
        const i = below[e] as number;
        const before = values[other * k + i] as number;
        let after = before - (multipliers[e] as number) * value;
        if (Math.abs(after) < NOTHING) after = 0;
        values[other * k + i] = after;
        const change = (after === 0 ? 0 : 1) - (before === 0 ? 0 : 1);
        if (change === 0) continue;
        if (change === 1) (this.#rowColumns[i] as number[]).push(other);
        more += change;
        rowCounts[i] = (rowCounts[i] as number) + change;
      }
      this.#columnCounts[other] = (this.#columnCounts[other] as number) + more;
    }
  }

  #largestIn(column: number): number {
    let largest = this.#largest[column] as number;
    if (largest >= 0) return largest;
    largest = 0;
    const [values, isOpen] = [this.#values, this.#rowOpen];
    for (let row = 0, at = column * this.#size; row < this.#size; row++, at++) {
      if (isOpen[row] === 1) largest = Math.max(largest, Math.abs(values[at] as number));
    }
    this.#largest[column] = largest;
    return largest;
  }

  /** Gives up a column that depends on others. */
  #drop(column: number): void {
    this.#columnOpen[column] = 0;
    for (let row = 0; row < this.#size; row++) {
      if (this.#values[column * this.#size + row] !== 0 && this.#rowOpen[row] === 1) {
        this.#rowCounts[row] = (this.#rowCounts[row] as number) - 1;
      }
    }
  }
}

/** The open lines with the least counts, least first. */
function fewest(counts: Int32Array, isOpen: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let line = 0; line < counts.length; line++) {
    if (isOpen[line] === 0) continue;
    const count = counts[line] as number;
    if (found.length === SEARCHED && count >= (counts[found[SEARCHED - 1] as number] as number)) continue;
    let at = Math.min(found.length, SEARCHED - 1);
    while (at > 0 && (counts[found[at - 1] as number] as number) > count) {
      found[at] = found[at - 1] as number;
      at--;
    }
    found[at] = line;
  }
  return found;
}
