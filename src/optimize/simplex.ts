/** A column of a growing linear program: sparse coefficients, rows rising. */
export interface SimplexColumn {
  readonly cost: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

const TOLERANCE = 1e-9;
const PIVOT_TOLERANCE = 1e-8;

/** Pivots after which a solve gives up. */
const MOST_PIVOTS = 20_000;

/** Pivots after which the inverse is computed anew: rounding errors add up. */
const REFACTOR_EVERY = 60;

/**
 * A primal simplex for min c·x, A·x = b, x ≥ 0 with few rows and columns that are added between solves (the restricted
 * master of column generation), in doubles with an explicit inverse of the basis. It stays where it is when columns are
 * added, so that solving again is a few pivots. Nothing that it says is trusted: its prices are checked exactly.
 */
export class Simplex {
  readonly #sides: Float64Array;
  readonly #columns: SimplexColumn[];
  readonly #costs: number[];
  readonly #basis: number[];
  readonly #isBasic: boolean[] = [];
  /** Row-major inverse of the basis. */
  #inverse: Float64Array;
  #values: Float64Array;
  #sincefactored = 0;

  /** `basis`: a feasible basis among the columns, one per row. */
  constructor(sides: readonly number[], columns: readonly SimplexColumn[], basis: readonly number[]) {
    this.#sides = Float64Array.from(sides);
    this.#columns = columns.slice();
    this.#costs = columns.map(({ cost }) => cost);
    this.#basis = basis.slice();
    for (const j of basis) this.#isBasic[j] = true;
    this.#inverse = new Float64Array(sides.length * sides.length);
    this.#values = new Float64Array(sides.length);
    this.#factor();
  }

  get columnCount(): number {
    return this.#columns.length;
  }

  addColumn(column: SimplexColumn): void {
    this.#columns.push(column);
    this.#costs.push(column.cost);
  }

  /** Another cost for a column, from the next solve on. */
  setCost(column: number, cost: number): void {
    this.#costs[column] = cost;
  }

  get objective(): number {
    return this.#basis.reduce((sum, j, i) => sum + (this.#costs[j] as number) * (this.#values[i] as number), 0);
  }

  /** The value of each column. */
  values(): Float64Array {
    const values = new Float64Array(this.#columns.length);
    this.#basis.forEach((j, i) => {
      values[j] = this.#values[i] as number;
    });
    return values;
  }

  /** One price per row at the current basis. */
  prices(): Float64Array {
    const m = this.#sides.length;
    const prices = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      const cost = this.#costs[this.#basis[i] as number] as number;
      if (cost === 0) continue;
      for (let r = 0; r < m; r++) prices[r] = (prices[r] as number) + cost * (this.#inverse[i * m + r] as number);
    }
    return prices;
  }

  /** Pivots to an optimum; `false` when it had to give up (stopped, a limit on pivots, or numerical trouble). */
  solve(shouldStop: () => boolean = () => false): boolean {
    let degenerate = 0;
    for (let pivots = 0; pivots < MOST_PIVOTS && !shouldStop(); pivots++) {
      const entering = this.#entering(degenerate > 100);
      if (entering === -1) return true;
      const direction = this.#direction(entering);
      const row = this.#leaving(direction, degenerate > 100);
      if (row === -1) return false;
      const step = Math.max(0, (this.#values[row] as number) / (direction[row] as number));
      degenerate = step > 1e-12 ? 0 : degenerate + 1;
      this.#pivot(entering, row, direction, step);
    }
    return false;
  }

  /** The column of the most negative reduced cost; with `bland` the first that has one, which cannot cycle. */
  #entering(bland: boolean): number {
    const prices = this.prices();
    let best = -1;
    let least = -TOLERANCE;
    for (let j = 0; j < this.#columns.length; j++) {
      if (this.#isBasic[j] === true) continue;
      const { rows, values } = this.#columns[j] as SimplexColumn;
      let reduced = this.#costs[j] as number;
      for (let k = 0; k < rows.length; k++) reduced -= (prices[rows[k] as number] as number) * (values[k] as number);
      if (reduced >= least) continue;
      best = j;
      if (bland) return j;
      least = reduced;
    }
    return best;
  }

  #direction(entering: number): Float64Array {
    const m = this.#sides.length;
    const { rows, values } = this.#columns[entering] as SimplexColumn;
    const direction = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < rows.length; k++) {
        sum += (this.#inverse[i * m + (rows[k] as number)] as number) * (values[k] as number);
      }
      direction[i] = sum;
    }
    return direction;
  }

  #leaving(direction: Float64Array, bland: boolean): number {
    let row = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < direction.length; i++) {
      const slope = direction[i] as number;
      if (slope <= PIVOT_TOLERANCE) continue;
      const ratio = Math.max(0, this.#values[i] as number) / slope;
      const tie = row !== -1 && Math.abs(ratio - least) <= 1e-12 * (1 + least);
      const better = tie
        ? bland
          ? (this.#basis[i] as number) < (this.#basis[row] as number)
          : slope > (direction[row] as number)
        : ratio < least;
      if (!better) continue;
      least = Math.min(ratio, least);
      row = i;
    }
    return row;
  }

  #pivot(entering: number, row: number, direction: Float64Array, step: number): void {
    const m = this.#sides.length;
    const inverse = this.#inverse;
    const scale = 1 / (direction[row] as number);
    for (let k = 0; k < m; k++) inverse[row * m + k] = (inverse[row * m + k] as number) * scale;
    for (let i = 0; i < m; i++) {
      const factor = direction[i] as number;
      if (i === row || factor === 0) continue;
      for (let k = 0; k < m; k++) {
        inverse[i * m + k] = (inverse[i * m + k] as number) - factor * (inverse[row * m + k] as number);
      }
      this.#values[i] = (this.#values[i] as number) - factor * step;
    }
    this.#values[row] = step;
    this.#isBasic[this.#basis[row] as number] = false;
    this.#isBasic[entering] = true;
    this.#basis[row] = entering;
    if (++this.#sincefactored >= REFACTOR_EVERY) this.#factor();
  }

  /** Inverts the basis by elimination with row pivoting, and computes the values anew. */
  #factor(): void {
    const m = this.#sides.length;
    const matrix = new Float64Array(m * m);
    this.#basis.forEach((j, i) => {
      const { rows, values } = this.#columns[j] as SimplexColumn;
      rows.forEach((r, k) => {
        matrix[r * m + i] = values[k] as number;
      });
    });
    this.#inverse = inverseOf(matrix, m) ?? this.#inverse;
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let r = 0; r < m; r++) sum += (this.#inverse[i * m + r] as number) * (this.#sides[r] as number);
      this.#values[i] = Math.abs(sum) < 1e-12 ? 0 : sum;
    }
    this.#sincefactored = 0;
  }
}

/** The inverse of a row-major square matrix, `null` where it is singular; the matrix is overwritten. */
function inverseOf(matrix: Float64Array, m: number): Float64Array | null {
  const inverse = new Float64Array(m * m);
  for (let i = 0; i < m; i++) inverse[i * m + i] = 1;
  for (let column = 0; column < m; column++) {
    let pivot = column;
    for (let i = column + 1; i < m; i++) {
      if (Math.abs(matrix[i * m + column] as number) > Math.abs(matrix[pivot * m + column] as number)) pivot = i;
    }
    const value = matrix[pivot * m + column] as number;
    if (Math.abs(value) < 1e-13) return null;
    for (const square of [matrix, inverse]) {
      for (let k = 0; k < m && pivot !== column; k++) {
        const other = square[pivot * m + k] as number;
        square[pivot * m + k] = square[column * m + k] as number;
        square[column * m + k] = other;
      }
      for (let k = 0; k < m; k++) square[column * m + k] = (square[column * m + k] as number) / value;
    }
    for (let i = 0; i < m; i++) {
      const factor = matrix[i * m + column] as number;
      if (i === column || factor === 0) continue;
      for (const square of [matrix, inverse]) {
        for (let k = 0; k < m; k++) {
          square[i * m + k] = (square[i * m + k] as number) - factor * (square[column * m + k] as number);
        }
      }
    }
  }
  return inverse;
}
