/** Rows, the last of which is the mixture's own. */
const ROWS = 4;

/** A reduced cost this far below zero, as a part of the largest cost, is worth a pivot. */
const OPTIMAL = 1e-12;

/** An entry below this is no pivot. */
const PIVOT = 1e-9;

/** Pivots after which an added point is given up: a few are usual. */
const MAX_PIVOTS = 200;

/**
 * The linear program of the cheapest mixture of points within three budgets,
 *
 *   min Σ_p cost_p·x_p   subject to   Σ_p used_pr·x_p ≤ 1 for r < 3,   Σ_p x_p = 1,   x ≥ 0,
 *
 * to which points are added; the first one costs and uses nothing. It is so small that a dense tableau in plain arrays takes less
 * time than a call of a solver: a column is its four entries and its reduced cost, and the right-hand side is one more column.
 */
export class Mixture {
  /** The first four are the slacks and the empty point: their entries are those of the basis's inverse. */
  readonly #columns: Float64Array[] = Array.from({ length: ROWS }, (_, unit) =>
    new Float64Array(ROWS + 1).fill(1, unit, unit + 1),
  );
  readonly #side = Float64Array.of(1, 1, 1, 1, 0);
  #largest = 0;

  /** The least cost of a mixture of the points so far. */
  get cost(): number {
    return -(this.#side[ROWS] as number);
  }

  /** What more of each budget is worth, not below zero but for rounding. */
  get worths(): readonly number[] {
    return this.#columns.slice(0, ROWS - 1).map((column) => column[ROWS] as number);
  }

  /** Adds a point and finds the cheapest mixture; `false` where numbers are not finite or pivots lead nowhere. */
  add(cost: number, used: readonly [number, number, number]): boolean {
    if (![cost, ...used].every(Number.isFinite)) return false;
    this.#largest = Math.max(this.#largest, Math.abs(cost));
    const column = new Float64Array(ROWS + 1).fill(cost, ROWS);
    [...used, 1].forEach((entry, r) => {
      addTo(column, entry, this.#columns[r] as Float64Array);
    });
    this.#columns.push(column);
    for (let pivots = 0; pivots < MAX_PIVOTS; pivots++) {
      const entering = this.#entering();
      if (entering === null) return true;
      const row = this.#leaving(entering);
      if (row === -1) return false;
      this.#pivot(entering.slice(), row);
    }
    return false;
  }

  #entering(): Float64Array | null {
    let best: Float64Array | null = null;
    let least = -OPTIMAL * this.#largest;
    for (const column of this.#columns) {
      const reduced = column[ROWS] as number;
      if (reduced >= least) continue;
      least = reduced;
      best = column;
    }
    return best;
  }

  /** The row that limits a step most, of those that tie the one with the largest pivot; −1 where none does. */
  #leaving(entering: Float64Array): number {
    let at = -1;
    let reach = Number.POSITIVE_INFINITY;
    for (let row = 0; row < ROWS; row++) {
      const entry = entering[row] as number;
      if (entry <= PIVOT) continue;
      const step = Math.max(0, this.#side[row] as number) / entry;
      if (step > reach || (step === reach && entry <= (entering[at] as number))) continue;
      reach = step;
      at = row;
    }
    return at;
  }

  #pivot(entering: Float64Array, row: number): void {
    for (const column of [...this.#columns, this.#side]) {
      const value = (column[row] as number) / (entering[row] as number);
      addTo(column, -value, entering);
      column[row] = value;
    }
  }
}

function addTo(column: Float64Array, factor: number, other: Float64Array): void {
  for (let r = 0; r < column.length; r++) column[r] = (column[r] as number) + factor * (other[r] as number);
}
