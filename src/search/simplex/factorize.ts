import { Nucleus, SINGULAR, THRESHOLD } from "./nucleus.js";
import { SparseVectors } from "./sparse-vectors.js";

/** Factors B = L·U of a basis; each column of the basis is known by the row that it is pivoted on, its slot. */
export interface Factors {
  /** The basic column of each slot. */
  readonly heads: Int32Array;
  /** The columns of L below their diagonal of ones, in the order of the pivots, those without entries left out. */
  readonly lower: SparseVectors;
  /** The slot of each column of L. */
  readonly lowerSlots: readonly number[];
  /** Columns of U above their diagonal, by slot. */
  readonly upper: SparseVectors;
  /** Which vector of `upper` a slot has. */
  readonly upperOf: Int32Array;
  readonly diagonal: Float64Array;
  /** The slots in the order of the pivots, in which U is triangular. */
  readonly order: Int32Array;
}

/**
 * Factors a basis: columns with one row left, then rows with one column left, which need no arithmetic, then the
 * {@link Nucleus}. `columns`: entries by row;
 * `basic`: m of them; `logicals`: for each row a unit column to take the place of a column that depends on others.
 */
export function factorize(columns: SparseVectors, basic: Int32Array, logicals: Int32Array): Factors {
  return new Factoring(columns, basic, logicals).run();
}

class Factoring {
  readonly #columns: SparseVectors;
  readonly #basic: Int32Array;
  readonly #logicals: Int32Array;
  /** By row: the columns (places in `basic`) with an entry there. */
  readonly #rowColumns: SparseVectors;
  readonly #rowCounts: Int32Array;
  readonly #columnCounts: Int32Array;
  readonly #isTaken: Uint8Array;
  readonly #heads: Int32Array;
  readonly #lower = new SparseVectors();
  readonly #lowerSlots: number[] = [];
  readonly #upper = new SparseVectors();
  readonly #upperOf: Int32Array;
  readonly #diagonal: Float64Array;
  readonly #order: Int32Array;
  #pivots = 0;

  constructor(columns: SparseVectors, basic: Int32Array, logicals: Int32Array) {
    const m = basic.length;
    this.#columns = columns;
    this.#basic = basic;
    this.#logicals = logicals;
    this.#rowCounts = new Int32Array(m);
    this.#columnCounts = new Int32Array(m);
    this.#isTaken = new Uint8Array(m);
    this.#heads = new Int32Array(m).fill(-1);
    this.#upperOf = new Int32Array(m);
    this.#diagonal = new Float64Array(m);
    this.#order = new Int32Array(m);
    this.#rowColumns = this.#transposed();
  }

  run(): Factors {
    this.#columnSingletons();
    this.#rowSingletons();
    this.#nucleus();
    this.#repair();
    return {
      heads: this.#heads,
      lower: this.#lower,
      lowerSlots: this.#lowerSlots,
      upper: this.#upper,
      upperOf: this.#upperOf,
      diagonal: this.#diagonal,
      order: this.#order,
    };
  }

  #transposed(): SparseVectors {
    const { starts, ends, indices } = this.#columns;
    const m = this.#basic.length;
    const rows: number[][] = Array.from({ length: m }, () => []);
    for (let place = 0; place < m; place++) {
      const column = this.#basic[place] as number;
      for (let e = starts[column] as number; e < (ends[column] as number); e++) {
        (rows[indices[e] as number] as number[]).push(place);
      }
      this.#columnCounts[place] = (ends[column] as number) - (starts[column] as number);
    }
    const transposed = new SparseVectors();
    rows.forEach((places, row) => {
      for (const place of places) transposed.push(place, 1);
      transposed.close();
      this.#rowCounts[row] = places.length;
    });
    return transposed;
  }

  #columnSingletons(): void {
    const ready = [...this.#basic.keys()].filter((place) => this.#columnCounts[place] === 1);
    for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
      if (this.#columnCounts[place] !== 1) continue;
      const column = this.#basic[place] as number;
      const { starts, ends, indices, values } = this.#columns;
      for (let e = starts[column] as number; e < (ends[column] as number); e++) {
        const row = indices[e] as number;
        if (this.#heads[row] !== -1 || Math.abs(values[e] as number) < SINGULAR) continue;
        this.#take(place, row);
        break;
      }
      // Its one value is as good as zero: for the nucleus to find out.
      if (this.#isTaken[place] === 0) continue;
      const row = this.#order[this.#pivots - 1] as number;
      const { starts: begins, ends: stops, indices: places } = this.#rowColumns;
      for (let e = begins[row] as number; e < (stops[row] as number); e++) {
        const other = places[e] as number;
        this.#columnCounts[other] = (this.#columnCounts[other] as number) - 1;
        if (this.#isTaken[other] === 0 && this.#columnCounts[other] === 1) ready.push(other);
      }
    }
  }

  #rowSingletons(): void {
    const { starts, ends, indices } = this.#rowColumns;
    const m = this.#basic.length;
    for (let row = 0; row < m; row++) {
      let count = 0;
      for (let e = starts[row] as number; e < (ends[row] as number); e++) {
        if (this.#isTaken[indices[e] as number] === 0) count++;
      }
      this.#rowCounts[row] = count;
    }
    const ready = [...this.#basic.keys()].filter((row) => this.#heads[row] === -1 && this.#rowCounts[row] === 1);
    for (let row = ready.pop(); row !== undefined; row = ready.pop()) {
      if (this.#rowCounts[row] !== 1) continue;
      for (let e = starts[row] as number; e < (ends[row] as number); e++) {
        const place = indices[e] as number;
        if (this.#isTaken[place] === 1 || !this.#isLargeEnough(place, row)) continue;
        this.#take(place, row);
        const { starts: begins, ends: stops, indices: rows } = this.#columns;
        const column = this.#basic[place] as number;
        for (let f = begins[column] as number; f < (stops[column] as number); f++) {
          const other = rows[f] as number;
          this.#rowCounts[other] = (this.#rowCounts[other] as number) - 1;
          if (this.#heads[other] === -1 && this.#rowCounts[other] === 1) ready.push(other);
        }
        break;
      }
    }
  }

  #isLargeEnough(place: number, row: number): boolean {
    const { starts, ends, indices, values } = this.#columns;
    const column = this.#basic[place] as number;
    let largest = SINGULAR;
    let own = 0;
    for (let e = starts[column] as number; e < (ends[column] as number); e++) {
      const value = Math.abs(values[e] as number);
      if (indices[e] === row) own = value;
      if (this.#heads[indices[e] as number] === -1 && value > largest) largest = value;
    }
    return own >= THRESHOLD * largest;
  }

  /** Pivots on an entry that no pivot before has changed. */
  #take(place: number, row: number): void {
    const { starts, ends, indices, values } = this.#columns;
    const column = this.#basic[place] as number;
    let pivot = 0;
    for (let e = starts[column] as number; e < (ends[column] as number); e++) {
      if (indices[e] === row) pivot = values[e] as number;
    }
    let isEmpty = true;
    for (let e = starts[column] as number; e < (ends[column] as number); e++) {
      const other = indices[e] as number;
      if (other === row || values[e] === 0) continue;
      if (this.#heads[other] !== -1) {
        this.#upper.push(other, values[e] as number);
      } else {
        this.#lower.push(other, (values[e] as number) / pivot);
        isEmpty = false;
      }
    }
    this.#close(place, row, pivot, isEmpty);
  }

  #close(place: number, row: number, pivot: number, hasNoLower: boolean): void {
    if (!hasNoLower) {
      this.#lower.close();
      this.#lowerSlots.push(row);
    }
    this.#upperOf[row] = this.#upper.close();
    this.#diagonal[row] = pivot;
    this.#heads[row] = this.#basic[place] as number;
    this.#isTaken[place] = 1;
    this.#order[this.#pivots++] = row;
  }

  /** The columns left over. */
  #nucleus(): void {
    const places = [...this.#basic.keys()].filter((place) => this.#isTaken[place] === 0);
    const open = [...this.#basic.keys()].filter((row) => this.#heads[row] === -1);
    const at = new Int32Array(this.#basic.length).fill(-1);
    open.forEach((row, k) => {
      at[row] = k;
    });
    const { starts, ends, indices, values } = this.#columns;
    const nucleus = new Nucleus(places.length);
    places.forEach((place, k) => {
      const column = this.#basic[place] as number;
      for (let e = starts[column] as number; e < (ends[column] as number); e++) {
        const row = at[indices[e] as number] as number;
        if (row >= 0) nucleus.put(row, k, values[e] as number);
      }
    });
    while (nucleus.choose()) {
      const place = places[nucleus.column] as number;
      const column = this.#basic[place] as number;
      for (let e = starts[column] as number; e < (ends[column] as number); e++) {
        if ((at[indices[e] as number] as number) < 0) this.#upper.push(indices[e] as number, values[e] as number);
      }
      const pivot = nucleus.at(nucleus.row);
      let isEmpty = true;
      for (let k = 0; k < open.length; k++) {
        const value = nucleus.at(k);
        if (k === nucleus.row || value === 0) continue;
        if (!nucleus.isOpen(k)) {
          this.#upper.push(open[k] as number, value);
        } else {
          this.#lower.push(open[k] as number, value / pivot);
          isEmpty = false;
        }
      }
      nucleus.eliminate();
      this.#close(place, open[nucleus.row] as number, pivot, isEmpty);
    }
  }

  /** Unit columns for rows that no column is left for. */
  #repair(): void {
    for (let row = 0; row < this.#heads.length; row++) {
      if (this.#heads[row] !== -1) continue;
      this.#upperOf[row] = this.#upper.close();
      this.#diagonal[row] = 1;
      this.#heads[row] = this.#logicals[row] as number;
      this.#order[this.#pivots++] = row;
    }
  }
}
