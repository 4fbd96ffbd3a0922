import { type Fractions, reconstruct } from "./fractions.js";
import { Field, PRIMES } from "./modular.js";
import { ModularFactors, type ModularRow } from "./modular-factors.js";

/** A row of integers, sparse. */
export interface IntegerRow {
  readonly columns: readonly number[];
  readonly coefficients: readonly bigint[];
}

/** Digits of the first attempt at reconstruction, and by how much more of them each further one is made. */
const FIRST_DIGITS = 4;
const GROWTH = 1.6;

/**
 * A square system A·x = b of integers, solved exactly for any right-hand side: A is factored modulo a prime p, the
 * solution's digits to the base p follow one by one, and once there are enough of them they are a fraction's (Dixon
 * 1982; of the exact methods for sparse bases of linear programs the fastest in Cook and Steffy, ACM Transactions on
 * Mathematical Software 37, 2011). Nothing is taken on trust: what is reconstructed must be too small to fulfil the
 * congruence by chance.
 */
export class ExactSystem {
  readonly #field: Field;
  readonly #factors: ModularFactors;
  readonly #byRow: IntegerMatrix;
  #byColumn: IntegerMatrix | null = null;
  readonly #rows: readonly IntegerRow[];

  private constructor(rows: readonly IntegerRow[], field: Field, factors: ModularFactors) {
    this.#rows = rows;
    this.#field = field;
    this.#factors = factors;
    this.#byRow = new IntegerMatrix(rows);
  }

  /** `null` where the matrix is singular (modulo several primes, that is). */
  static of(rows: readonly IntegerRow[]): ExactSystem | null {
    for (const prime of PRIMES) {
      const field = new Field(prime);
      const factors = new ModularFactors(field, modularRows(rows, field), rows.length);
      if (factors.rank === rows.length) return new ExactSystem(rows, field, factors);
    }
    return null;
  }

  /** Entries that a solve goes through for each digit. */
  get size(): number {
    return this.#factors.size + this.#byRow.size;
  }

  /** x with A·x = b. `null` where `shouldStop` said so, which is asked with the entries gone through. */
  solve(b: readonly bigint[], shouldStop: (entries: number) => boolean): Fractions | null {
    return this.#lift(this.#byRow, b, (v, x) => this.#factors.solve(v, x), shouldStop);
  }

  /** y with Aᵀ·y = c. */
  solveTransposed(c: readonly bigint[], shouldStop: (entries: number) => boolean): Fractions | null {
    this.#byColumn ??= new IntegerMatrix(transposed(this.#rows, this.#rows.length));
    return this.#lift(this.#byColumn, c, (v, y) => this.#factors.solveTransposed(v, y), shouldStop);
  }

  #lift(
    matrix: IntegerMatrix,
    right: readonly bigint[],
    solve: (v: Float64Array, x: Float64Array) => void,
    shouldStop: (entries: number) => boolean,
  ): Fractions | null {
    const size = right.length;
    if (right.every((value) => value === 0n)) return { numerators: right.map(() => 0n), denominator: 1n };
    const field = this.#field;
    const prime = BigInt(field.prime);
    const rest = new Residual(matrix, right, field);
    const residues: bigint[] = new Array(size).fill(0n);
    const v = new Float64Array(size);
    /** The prime to powers of two. */
    const powers: bigint[] = [];
    let modulus = 1n;
    for (let digits = 0, wanted = FIRST_DIGITS; ; wanted = Math.ceil(wanted * GROWTH)) {
      const found: Float64Array[] = [];
      for (let power = 2; power < wanted; power *= 2) powers[power] ??= prime ** BigInt(power);
      for (; digits < wanted; digits++) {
        const x = new Float64Array(size);
        rest.modulo(v);
        solve(v, x);
        rest.take(x);
        found.push(x);
        if (shouldStop(this.size)) return null;
      }
      for (let i = 0; i < size; i++) {
        residues[i] = (residues[i] as bigint) + modulus * numberOf(found, i, powers, field.prime);
      }
      modulus *= prime ** BigInt(found.length);
      const fractions = reconstruct(residues, modulus);
      if (fractions !== null && matrix.isSolution(fractions, right, modulus)) return fractions;
    }
  }
}

/** The rows modulo a prime. */
export function modularRows(rows: readonly IntegerRow[], field: Field): ModularRow[] {
  return rows.map(({ columns, coefficients }) => {
    const row: ModularRow = { columns: [], values: [] };
    columns.forEach((column, k) => {
      const value = field.reduceBig(coefficients[k] as bigint);
      if (value === 0) return;
      row.columns.push(column);
      row.values.push(value);
    });
    return row;
  });
}

/** The columns of a matrix with so many, as rows. */
export function transposed(rows: readonly IntegerRow[], columnCount: number): IntegerRow[] {
  const result = Array.from({ length: columnCount }, () => ({ columns: [] as number[], coefficients: [] as bigint[] }));
  rows.forEach(({ columns, coefficients }, i) => {
    columns.forEach((j, k) => {
      result[j]?.columns.push(i);
      result[j]?.coefficients.push(coefficients[k] as bigint);
    });
  });
  return result;
}

/**
 * The integer whose digits, the least first, are the i-th of each vector: two of them are a double, halves are joined.
 */
function numberOf(digits: readonly Float64Array[], i: number, powers: readonly bigint[], prime: number): bigint {
  const digit = (k: number) => (digits[k] as Float64Array)[i] as number;
  const join = (from: number, to: number): bigint => {
    if (to - from === 1) return BigInt(digit(from));
    if (to - from === 2) return BigInt(digit(from) + digit(from + 1) * prime);
    const middle = from + 2 ** Math.floor(Math.log2(to - from - 1));
    return join(from, middle) + join(middle, to) * (powers[middle - from] as bigint);
  };
  return join(0, digits.length);
}

/** A square matrix of integers, with doubles for the rows in which they do for what lifting asks. */
class IntegerMatrix {
  readonly rows: readonly IntegerRow[];
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
  /** By row: Σ |coefficient|. */
  readonly sums: readonly bigint[];
  /**
   * By row: whether a product with digits, divided by the prime, is off by less than 1/4 in doubles: the quotient of a
   * sum that the prime divides is then the nearest integer.
   */
  readonly isLight: Uint8Array;

  constructor(rows: readonly IntegerRow[]) {
    this.rows = rows;
    this.starts = new Int32Array(rows.length + 1);
    rows.forEach(({ columns }, i) => {
      this.starts[i + 1] = (this.starts[i] as number) + columns.length;
    });
    this.indices = new Int32Array(this.size);
    this.values = new Float64Array(this.size);
    this.isLight = new Uint8Array(rows.length);
    this.sums = rows.map(({ columns, coefficients }, i) => {
      this.indices.set(columns, this.starts[i] as number);
      this.values.set(coefficients.map(Number), this.starts[i] as number);
      const sum = coefficients.reduce((total, value) => total + (value < 0n ? -value : value), 0n);
      this.isLight[i] = sum * BigInt(columns.length + 2) < 1n << 50n ? 1 : 0;
      return sum;
    });
  }

  get size(): number {
    return this.starts[this.rows.length] as number;
  }

  /**
   * Whether fractions that solve the system modulo `modulus` solve it: both sides, times the denominator, differ by a
   * multiple of the modulus, and by less than it.
   */
  isSolution({ numerators, denominator }: Fractions, right: readonly bigint[], modulus: bigint): boolean {
    let largest = 0n;
    for (const numerator of numerators) {
      const size = numerator < 0n ? -numerator : numerator;
      if (size > largest) largest = size;
    }
    return right.every((value, i) => {
      const left = (this.sums[i] as bigint) * largest;
      return left + (value < 0n ? -value : value) * denominator < modulus;
    });
  }
}

/** What is left of a right-hand side, divided by the prime with each digit taken. */
class Residual {
  readonly #matrix: IntegerMatrix;
  readonly #field: Field;
  /** In doubles, for light rows once the right-hand side has shrunk to the size of the row. */
  readonly #small: Float64Array;
  /** The others, by row; `null` for those in doubles. */
  readonly #large: (bigint | null)[];

  constructor(matrix: IntegerMatrix, right: readonly bigint[], field: Field) {
    this.#matrix = matrix;
    this.#field = field;
    this.#small = new Float64Array(right.length);
    this.#large = right.slice();
    for (let i = 0; i < right.length; i++) this.#settle(i);
  }

  modulo(v: Float64Array): void {
    for (let i = 0; i < v.length; i++) {
      const large = this.#large[i] as bigint | null;
      v[i] = large === null ? this.#field.reduce(this.#small[i] as number) : this.#field.reduceBig(large);
    }
  }

  /** (r − A·x) / p, which is whole. */
  take(x: Float64Array): void {
    const { starts, indices, values, rows } = this.#matrix;
    const { prime } = this.#field;
    for (let i = 0; i < rows.length; i++) {
      const large = this.#large[i] as bigint | null;
      if (large === null) {
        let sum = this.#small[i] as number;
        for (let e = starts[i] as number, end = starts[i + 1] as number; e < end; e++) {
          sum -= (values[e] as number) * (x[indices[e] as number] as number);
        }
        this.#small[i] = Math.round(sum / prime);
        continue;
      }
      const { columns, coefficients } = rows[i] as IntegerRow;
      let sum = large;
      for (let k = 0; k < columns.length; k++) {
        const digit = x[columns[k] as number] as number;
        if (digit !== 0) sum -= (coefficients[k] as bigint) * BigInt(digit);
      }
      this.#large[i] = sum / BigInt(prime);
      this.#settle(i);
    }
  }

  /** Goes on in doubles where they do. */
  #settle(i: number): void {
    const large = this.#large[i] as bigint;
    const size = large < 0n ? -large : large;
    if (this.#matrix.isLight[i] === 0 || size > (this.#matrix.sums[i] as bigint) + 1n) return;
    this.#small[i] = Number(large);
    this.#large[i] = null;
  }
}
