import type { Field } from "./modular.js";

/** Above this share of entries what is left to eliminate is kept dense. */
const DENSE = 0.25;

/** A matrix of residues by rows. */
export interface ModularRow {
  readonly columns: number[];
  readonly values: number[];
}

/**
 * Factors L·U of a sparse matrix modulo a prime, its pivots chosen for little fill (Markowitz, Management Science 3,
 * 1957). There is no rounding, so that a pivot may be any entry other than zero. The matrix need not be square: the
 * rows and columns without a pivot depend on the others.
 */
export class ModularFactors {
  readonly #field: Field;
  /** The row and the column of each pivot. */
  readonly pivotRows: number[] = [];
  readonly pivotColumns: number[] = [];
  readonly #inverses: number[] = [];
  /** By pivot: how many times its row is taken from which others. */
  readonly #lower = new SparseVectors();
  /** By pivot: its row beyond the pivot. */
  readonly #upper = new SparseVectors();

  /** Takes the rows over. */
  constructor(field: Field, rows: readonly ModularRow[], columnCount: number) {
    this.#field = field;
    new Elimination(field, rows, columnCount, (row, column, inverse, lower, upper) => {
      this.pivotRows.push(row);
      this.pivotColumns.push(column);
      this.#inverses.push(inverse);
      this.#lower.push(lower);
      this.#upper.push(upper);
    }).run();
  }

  get rank(): number {
    return this.pivotRows.length;
  }

  /** Entries of both factors. */
  get size(): number {
    return this.#lower.filled + this.#upper.filled + this.rank;
  }

  /** Solves A·x = v for a square matrix of full rank: residues by row, which are overwritten, to residues by column. */
  solve(v: Float64Array, x: Float64Array): void {
    const { pivotRows, pivotColumns } = this;
    for (let k = 0; k < pivotRows.length; k++) this.#take(this.#lower, k, v[pivotRows[k] as number] as number, v);
    for (let k = pivotRows.length - 1; k >= 0; k--) {
      const rest = (v[pivotRows[k] as number] as number) - this.#dot(this.#upper, k, x);
      x[pivotColumns[k] as number] = this.#field.reduce(this.#field.reduce(rest) * (this.#inverses[k] as number));
    }
  }

  /** Solves Aᵀ·y = v: residues by column, which are overwritten, to residues by row. */
  solveTransposed(v: Float64Array, y: Float64Array): void {
    const { pivotRows, pivotColumns } = this;
    for (let k = 0; k < pivotRows.length; k++) {
      const value = this.#field.reduce((v[pivotColumns[k] as number] as number) * (this.#inverses[k] as number));
      y[pivotRows[k] as number] = value;
      this.#take(this.#upper, k, value, v);
    }
    for (let k = pivotRows.length - 1; k >= 0; k--) {
      const row = pivotRows[k] as number;
      y[row] = this.#field.reduce((y[row] as number) - this.#dot(this.#lower, k, y));
    }
  }

  #take(vectors: SparseVectors, k: number, factor: number, v: Float64Array): void {
    if (factor === 0) return;
    const { starts, indices, values } = vectors;
    const field = this.#field;
    for (let e = starts[k] as number, end = starts[k + 1] as number; e < end; e++) {
      const at = indices[e] as number;
      v[at] = field.reduce((v[at] as number) - factor * (values[e] as number));
    }
  }

  #dot({ starts, indices, values }: SparseVectors, k: number, v: Float64Array): number {
    const field = this.#field;
    let sum = 0;
    for (let e = starts[k] as number, end = starts[k + 1] as number; e < end; e++) {
      sum += field.reduce((values[e] as number) * (v[indices[e] as number] as number));
    }
    return field.reduce(sum);
  }
}

type OnPivot = (row: number, column: number, inverse: number, lower: ModularRow, upper: ModularRow) => void;

class Elimination {
  readonly #field: Field;
  readonly #rows: readonly ModularRow[];
  readonly #onPivot: OnPivot;
  readonly #rowOpen: Uint8Array;
  readonly #columnOpen: Uint8Array;
  /** By column: the rows with an entry there, and some that had one. */
  readonly #columnRows: number[][];
  readonly #columnCounts: Int32Array;
  /** Where the row at hand has a column, −1 where it has not. */
  readonly #place: Int32Array;
  #openRows: number;
  #openColumns: number;
  #entries = 0;

  constructor(field: Field, rows: readonly ModularRow[], columnCount: number, onPivot: OnPivot) {
    this.#field = field;
    this.#rows = rows;
    this.#onPivot = onPivot;
    this.#rowOpen = new Uint8Array(rows.length).fill(1);
    this.#columnOpen = new Uint8Array(columnCount).fill(1);
    this.#columnRows = Array.from({ length: columnCount }, () => []);
    this.#columnCounts = new Int32Array(columnCount);
    this.#place = new Int32Array(columnCount).fill(-1);
    this.#openRows = rows.length;
    this.#openColumns = columnCount;
    rows.forEach(({ columns }, i) => {
      this.#entries += columns.length;
      for (const j of columns) {
        (this.#columnRows[j] as number[]).push(i);
        this.#columnCounts[j] = (this.#columnCounts[j] as number) + 1;
      }
    });
  }

  run(): void {
    this.#singletons();
    while (this.#openRows > 0 && this.#openColumns > 0) {
      if (this.#entries > DENSE * this.#openRows * this.#openColumns) {
        this.#eliminateDense();
        return;
      }
      const pivot = this.#choose();
      if (pivot === null) return;
      this.#eliminate(pivot.row, pivot.column);
    }
  }

  /** Pivots alone in their column or row, which need no arithmetic on others, for as long as there are any. */
  #singletons(): void {
    const ready: number[] = [];
    this.#columnCounts.forEach((count, j) => {
      if (count === 1) ready.push(j);
    });
    for (let j = ready.pop(); j !== undefined; j = ready.pop()) {
      if (this.#columnOpen[j] === 0 || this.#columnCounts[j] !== 1) continue;
      const row = (this.#columnRows[j] as number[]).find((i) => this.#rowOpen[i] === 1) as number;
      const { columns } = this.#rows[row] as ModularRow;
      this.#eliminate(row, j);
      for (const other of columns) if (this.#columnCounts[other] === 1) ready.push(other);
    }
  }

  /** Of the rows and columns with fewest entries the better pivot; `null` where no entry is left. */
  #choose(): { row: number; column: number } | null {
    let bestRow = -1;
    let rowCount = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#rows.length; i++) {
      if (this.#rowOpen[i] === 0) continue;
      const count = (this.#rows[i] as ModularRow).columns.length;
      if (count === 0) {
        this.#rowOpen[i] = 0;
        this.#openRows--;
      } else if (count < rowCount) {
        rowCount = count;
        bestRow = i;
      }
    }
    if (bestRow === -1) return null;
    let column = -1;
    let count = Number.POSITIVE_INFINITY;
    for (const j of (this.#rows[bestRow] as ModularRow).columns) {
      if ((this.#columnCounts[j] as number) >= count) continue;
      count = this.#columnCounts[j] as number;
      column = j;
    }
    const ofRow = (rowCount - 1) * (count - 1);
    if (ofRow === 0) return { row: bestRow, column };
    let fewest = -1;
    let columnCount = Number.POSITIVE_INFINITY;
    for (let j = 0; j < this.#columnCounts.length; j++) {
      const entries = this.#columnCounts[j] as number;
      if (this.#columnOpen[j] === 0 || entries === 0 || entries >= columnCount) continue;
      columnCount = entries;
      fewest = j;
    }
    let other = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const i of this.#columnRows[fewest] as number[]) {
      if (this.#rowOpen[i] === 0) continue;
      const { columns } = this.#rows[i] as ModularRow;
      if (columns.length >= least || !columns.includes(fewest)) continue;
      least = columns.length;
      other = i;
    }
    return (columnCount - 1) * (least - 1) < ofRow ? { row: other, column: fewest } : { row: bestRow, column };
  }

  #eliminate(row: number, column: number): void {
    const field = this.#field;
    const source = this.#rows[row] as ModularRow;
    const at = source.columns.indexOf(column);
    const inverse = field.inverse(source.values[at] as number);
    removeAt(source, at);
    this.#close(row, column);
    const lower: ModularRow = { columns: [], values: [] };
    const touched = new Set(this.#columnRows[column] as number[]);
    for (const i of touched) {
      if (this.#rowOpen[i] === 0) continue;
      const target = this.#rows[i] as ModularRow;
      const place = target.columns.indexOf(column);
      if (place === -1) continue;
      const factor = field.reduce((target.values[place] as number) * inverse);
      removeAt(target, place);
      this.#entries--;
      lower.columns.push(i);
      lower.values.push(factor);
      this.#subtract(i, target, factor, source);
    }
    this.#entries -= 1 + source.columns.length;
    for (const j of source.columns) this.#columnCounts[j] = (this.#columnCounts[j] as number) - 1;
    this.#columnCounts[column] = 0;
    this.#onPivot(row, column, inverse, lower, source);
  }

  #subtract(i: number, target: ModularRow, factor: number, source: ModularRow): void {
    if (source.columns.length === 0) return;
    const field = this.#field;
    const place = this.#place;
    const { columns, values } = target;
    for (let e = 0; e < columns.length; e++) place[columns[e] as number] = e;
    let vanished = false;
    for (let e = 0; e < source.columns.length; e++) {
      const j = source.columns[e] as number;
      const product = factor * (source.values[e] as number);
      const at = place[j] as number;
      if (at === -1) {
        columns.push(j);
        values.push(field.reduce(-product));
        (this.#columnRows[j] as number[]).push(i);
        this.#columnCounts[j] = (this.#columnCounts[j] as number) + 1;
        this.#entries++;
      } else {
        values[at] = field.reduce((values[at] as number) - product);
        vanished ||= values[at] === 0;
      }
    }
    for (const j of columns) place[j] = -1;
    if (!vanished) return;
    for (let e = columns.length - 1; e >= 0; e--) {
      if (values[e] !== 0) continue;
      const j = columns[e] as number;
      this.#columnCounts[j] = (this.#columnCounts[j] as number) - 1;
      this.#entries--;
      removeAt(target, e);
    }
  }

  #close(row: number, column: number): void {
    this.#rowOpen[row] = 0;
    this.#columnOpen[column] = 0;
    this.#openRows--;
    this.#openColumns--;
  }

  /** The rest, once it is nearly full: rows in turn, each with its first entry as the pivot. */
  #eliminateDense(): void {
    const field = this.#field;
    const open = [...this.#rowOpen.keys()].filter((i) => this.#rowOpen[i] === 1);
    const columns = [...this.#columnOpen.keys()].filter((j) => this.#columnOpen[j] === 1);
    const local = new Int32Array(this.#columnOpen.length);
    columns.forEach((j, k) => {
      local[j] = k;
    });
    const dense = open.map((i) => {
      const values = new Float64Array(columns.length);
      const row = this.#rows[i] as ModularRow;
      row.columns.forEach((j, e) => {
        values[local[j] as number] = row.values[e] as number;
      });
      return values;
    });
    open.forEach((row, k) => {
      const source = dense[k] as Float64Array;
      const at = source.findIndex((value, j) => value !== 0 && this.#columnOpen[columns[j] as number] === 1);
      if (at === -1) return;
      this.#columnOpen[columns[at] as number] = 0;
      const inverse = field.inverse(source[at] as number);
      const upper: ModularRow = { columns: [], values: [] };
      source.forEach((value, j) => {
        if (value === 0 || this.#columnOpen[columns[j] as number] === 0) return;
        upper.columns.push(columns[j] as number);
        upper.values.push(value);
      });
      const lower: ModularRow = { columns: [], values: [] };
      const places = upper.columns.map((j) => local[j] as number);
      for (let i = k + 1; i < dense.length; i++) {
        const target = dense[i] as Float64Array;
        if (target[at] === 0) continue;
        const factor = field.reduce((target[at] as number) * inverse);
        target[at] = 0;
        lower.columns.push(open[i] as number);
        lower.values.push(factor);
        for (let e = 0; e < places.length; e++) {
          const j = places[e] as number;
          target[j] = field.reduce((target[j] as number) - factor * (upper.values[e] as number));
        }
      }
      this.#onPivot(row, columns[at] as number, inverse, lower, upper);
    });
  }
}

/** Takes an entry out; the last one takes its place. */
function removeAt({ columns, values }: ModularRow, at: number): void {
  const [lastColumn, lastValue] = [columns.pop() as number, values.pop() as number];
  if (at === columns.length) return;
  columns[at] = lastColumn;
  values[at] = lastValue;
}

/**
 * Sparse vectors one after another in flat arrays, so that a loop over all of them is over neighbouring memory. Vector k has
 * `values[e]` at `indices[e]` for `starts[k]` ≤ e < `starts[k + 1]`. Read the arrays anew after anything was put in: they grow.
 */
class SparseVectors {
  /** Entries in all. */
  filled = 0;
  starts = new Int32Array(64);
  indices = new Int32Array(256);
  values = new Float64Array(256);
  #count = 0;

  /** One more vector. */
  push({ columns, values }: ModularRow): void {
    for (let k = 0; k < columns.length; k++) {
      if (this.filled === this.indices.length) {
        this.indices = twice(this.indices, new Int32Array(2 * this.filled));
        this.values = twice(this.values, new Float64Array(2 * this.filled));
      }
      this.indices[this.filled] = columns[k] as number;
      this.values[this.filled++] = values[k] as number;
    }
    if (++this.#count === this.starts.length) this.starts = twice(this.starts, new Int32Array(2 * this.#count));
    this.starts[this.#count] = this.filled;
  }
}

function twice<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
