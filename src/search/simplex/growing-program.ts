import { SparseVectors } from "./sparse-vectors.js";

/** A column of a growing linear program: sparse coefficients, rows rising. */
export interface SimplexColumn {
  readonly cost: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

/** A row Σ values·x ≤ side over some of the columns at hand. */
export interface SimplexRow {
  readonly columns: readonly number[];
  readonly values: readonly number[];
  readonly side: number;
}

/**
 * A linear program min c·x, x ≥ 0, with rows A·x = b and A·x ≤ b, to which columns and rows are added. Each row has a logical
 * column of its own, a unit vector: the slack of a row ≤, a column fixed at zero for a row =. Columns given from outside are
 * numbered on their own, in the order in which they came; `outer` tells where they are among all.
 */
export class GrowingProgram {
  /** All columns, logical ones too. */
  columns = new SparseVectors();
  costs = new Float64Array(64);
  /** By column: 1 where it is fixed at zero. */
  isFixed = new Uint8Array(64);
  /** The right-hand side of each row. */
  sides: readonly number[];
  /** The logical column of each row. */
  logicals: readonly number[];
  /** The place of each outer column. */
  outer: number[] = [];
  /** Rows not yet among the columns' entries. */
  #waiting: SimplexRow[] = [];
  #fixed = 0;
  #isSound = true;

  /** Rows =, without columns. */
  constructor(sides: readonly number[]) {
    this.sides = sides.slice();
    this.logicals = sides.map((_, row) => this.#add(0, [row], [1], true));
  }

  /** Whether all numbers are finite. */
  get isSound(): boolean {
    return this.#isSound && this.costs.subarray(0, this.columns.count).every(Number.isFinite);
  }

  /** Columns fixed at zero. */
  get fixedCount(): number {
    return this.#fixed;
  }

  get rowCount(): number {
    return this.sides.length + this.#waiting.length;
  }

  addColumn({ cost, rows, values }: SimplexColumn): void {
    this.outer.push(this.#add(cost, rows, values, false));
  }

  addRow(row: SimplexRow): void {
    if (!row.values.every(Number.isFinite)) this.#isSound = false;
    this.#waiting.push(row);
  }

  setCost(column: number, cost: number): void {
    this.costs[this.outer[column] as number] = cost;
  }

  /** Fixes a column at zero, or lets go of it. */
  setFixed(column: number, isFixed: boolean): void {
    this.#fix(this.outer[column] as number, isFixed);
  }

  #fix(place: number, isFixed: boolean): void {
    this.#fixed += (isFixed ? 1 : 0) - (this.isFixed[place] as number);
    this.isFixed[place] = isFixed ? 1 : 0;
  }

  /** Puts the rows added since the last time among the columns' entries, each with a slack; says whether there were any. */
  takeRows(): boolean {
    const added = this.#waiting;
    if (added.length === 0) return false;
    const first = this.sides.length;
    this.#waiting = [];
    // By column: how many of the rows it is in, then the rows' places in one list.
    const ends = new Int32Array(this.columns.count + 1);
    for (const { columns } of added) {
      for (const column of columns) {
        const place = this.outer[column] as number;
        ends[place + 1] = (ends[place + 1] as number) + 1;
      }
    }
    for (let place = 0; place < this.columns.count; place++) {
      ends[place + 1] = (ends[place + 1] as number) + (ends[place] as number);
    }
    const starts = ends.slice();
    const rows = new Int32Array(ends[this.columns.count] as number);
    const entries = new Float64Array(rows.length);
    added.forEach(({ columns, values }, k) => {
      for (let at = 0; at < columns.length; at++) {
        const place = this.outer[columns[at] as number] as number;
        const next = starts[place] as number;
        rows[next] = first + k;
        entries[next] = values[at] as number;
        starts[place] = next + 1;
      }
    });
    const longer = new SparseVectors();
    for (let place = 0; place < this.columns.count; place++) {
      this.#copy(place, longer, null);
      for (let e = ends[place] as number; e < (ends[place + 1] as number); e++) {
        longer.push(rows[e] as number, entries[e] as number);
      }
      longer.close();
    }
    this.columns = longer;
    this.sides = [...this.sides, ...added.map(({ side }) => side)];
    this.logicals = [...this.logicals, ...added.map((_, k) => this.#add(0, [first + k], [1], false))];
    return true;
  }

  /** Takes rows out, with their logical columns. Returns where each column has gone; −1 where it has gone for good. */
  dropRows(rows: ReadonlySet<number>): Int32Array {
    const newRows = new Int32Array(this.sides.length);
    let left = 0;
    for (let row = 0; row < newRows.length; row++) newRows[row] = rows.has(row) ? -1 : left++;
    const gone = new Set(this.logicals.filter((_, row) => rows.has(row)));
    const places = new Int32Array(this.columns.count).fill(-1);
    const shorter = new SparseVectors();
    for (let place = 0; place < places.length; place++) {
      if (gone.has(place)) continue;
      this.#copy(place, shorter, newRows);
      const at = shorter.close();
      places[place] = at;
      this.costs[at] = this.costs[place] as number;
      this.isFixed[at] = this.isFixed[place] as number;
    }
    this.columns = shorter;
    const stays = (_: number, row: number) => !rows.has(row);
    this.sides = this.sides.filter(stays);
    this.logicals = this.logicals.filter(stays).map((place) => places[place] as number);
    this.outer = this.outer.map((place) => places[place] as number);
    return places;
  }

  /** Puts a column's entries into other vectors, with new rows. */
  #copy(place: number, into: SparseVectors, newRows: Int32Array | null): void {
    const { starts, ends, indices, values } = this.columns;
    for (let e = starts[place] as number; e < (ends[place] as number); e++) {
      const row = indices[e] as number;
      const to = newRows === null ? row : (newRows[row] as number);
      if (to >= 0) into.push(to, values[e] as number);
    }
  }

  #add(cost: number, rows: readonly number[], values: readonly number[], isFixed: boolean): number {
    if (!values.every(Number.isFinite)) this.#isSound = false;
    for (let k = 0; k < rows.length; k++) this.columns.push(rows[k] as number, values[k] as number);
    const place = this.columns.close();
    if (place === this.costs.length) {
      const costs = new Float64Array(2 * place);
      costs.set(this.costs);
      this.costs = costs;
      const fixed = new Uint8Array(2 * place);
      fixed.set(this.isFixed);
      this.isFixed = fixed;
    }
    this.costs[place] = cost;
    this.isFixed[place] = 0;
    this.#fix(place, isFixed);
    return place;
  }
}
