import { type PricedCut, settleCut } from "./cut.js";
import type { Range, Relaxation } from "./relaxation.js";
import { leastEigenvalue, spectrumOf } from "./symmetric-eigen.js";

/** Multipliers of a relaxation, as they are when asked for. */
export interface Multipliers {
  /** r_i of the rows. */
  readonly rows: Float64Array;
  readonly cuts: readonly { readonly cut: PricedCut["cut"]; readonly dual: number }[];
  /** cost − Σ multiplier · constraint, by rows: positive semidefinite once it has converged. */
  readonly slack: Float64Array;
}

/** How far a step goes along the primal direction (Wen, Goldfarb and Yin use 1.6; below (1 + √5)/2 = 1.618). */
const STEP = 1.6;
/** Rounds over the multipliers between two eigenvalue decompositions. */
const SWEEPS = 3;

/**
 * The alternating direction method for the dual of a relaxation (Wen, Goldfarb and Yin, "Alternating direction
 * augmented Lagrangian methods for semidefinite programming", 2010):
 *
 *   max Σ b_k·u_k,  S = cost − Σ u_k·A_k ⪰ 0,
 *
 * where u_k are the multipliers of the diagonal, the rows, the totals, M ≥ 0 and the cuts. With Y = M − 11ᵀ/T and a
 * penalty σ, each iteration minimises the augmented Lagrangian over the multipliers, by coordinates: each has a closed
 * form in W = Σ u_k·A_k + S − cost + M/σ, as ⟨A_k, W⟩ = b_k/σ; then over S, by splitting a matrix at its eigenvalue
 * zero into S and −Y/σ.
 */
export class DualAscent {
  readonly #relaxation: Relaxation;
  readonly #n: number;
  readonly #norm: number;
  readonly #rows: Float64Array;
  readonly #diagonal: Float64Array;
  readonly #pairs: Float64Array;
  /** By pairs that are together while the diagonal is not given: of M_ij = ½ (M_ii + M_jj). */
  readonly #ties: readonly Tie[];
  #total = 0;
  #diagonalTotal = 0;
  #cuts: readonly PricedCut[] = [];
  /** Y */
  readonly #primal: Float64Array;
  /** S */
  readonly #slack: Float64Array;
  /** Σ u_k·A_k */
  readonly #combined: Float64Array;
  #penalty = 1;
  #primalResidual = Number.POSITIVE_INFINITY;
  #dualResidual = Number.POSITIVE_INFINITY;
  #iterations = 0;
  /** Since the penalty was looked at: Σ ln(primal residual / dual residual), and how many iterations. */
  #lean = 0;
  #since = 0;

  /** `from`: where it begins, at what was reached of a relaxation that differs in the pairs that are settled alone. */
  constructor(relaxation: Relaxation, from?: DualAscent) {
    const n = relaxation.elements;
    this.#relaxation = relaxation;
    this.#n = n;
    this.#norm = Math.sqrt(relaxation.cost.reduce((sum, value) => sum + value * value, 0));
    const begun = (size: number, known: (from: DualAscent) => Float64Array) =>
      from === undefined ? new Float64Array(size) : known(from).slice();
    this.#rows = begun(n, (other) => other.#rows);
    this.#diagonal = begun(n, (other) => other.#diagonal);
    this.#pairs = begun(n * n, (other) => other.#pairs);
    this.#primal = begun(n * n, (other) => other.#primal);
    this.#slack = begun(n * n, (other) => other.#slack);
    this.#combined = begun(n * n, (other) => other.#combined);
    const { low, high } = relaxation.diagonal;
    const together = low === high ? [] : [...relaxation.settled].filter(([, least]) => least > 0);
    const duals = new Map(from === undefined ? [] : from.#ties.map(({ at, dual }) => [at, dual]));
    this.#ties = together.map(([at]) => ({ at, dual: duals.get(at) ?? 0 }));
    if (from === undefined) return;
    this.#total = from.#total;
    this.#diagonalTotal = from.#diagonalTotal;
    this.#cuts = from.#cuts.map((entry) => ({ ...entry }));
    this.#penalty = from.#penalty;
    this.#iterations = from.#iterations;
  }

  /** Takes the cuts with the dual values that they have; those left out must have price zero. */
  set cuts(cuts: readonly PricedCut[]) {
    this.#cuts = cuts;
  }

  get cuts(): readonly PricedCut[] {
    return this.#cuts;
  }

  /** The larger of the relative primal and dual residuals of the last iteration. */
  get residual(): number {
    return Math.max(this.#primalResidual, this.#dualResidual);
  }

  /** M, by rows. */
  matrix(): Float64Array {
    const shift = 1 / this.#relaxation.clusters;
    return this.#primal.map((value) => value + shift);
  }

  multipliers(): Multipliers {
    const { cost } = this.#relaxation;
    return {
      // A total is a sum of rows.
      rows: this.#rows.map((dual) => dual + this.#total),
      cuts: this.#cuts.filter(({ dual }) => dual > 0).map(({ cut, dual }) => ({ cut, dual })),
      slack: cost.map((value, k) => value - (this.#combined[k] as number)),
    };
  }

  /** About what the multipliers prove, in the relaxation's units: the slack's diagonal is raised until it is ⪰ 0. */
  estimate(): number {
    const n = this.#n;
    const { cost, diagonal, diagonalTotal, row, total, clusters, settled } = this.#relaxation;
    const slack = cost.map((value, k) => value - (this.#combined[k] as number));
    const lift = Math.max(0, -leastEigenvalue(slack, n));
    let value = side(this.#total, total) + side(this.#diagonalTotal, diagonalTotal) - lift * diagonalTotal.high;
    for (let i = 0; i < n; i++) {
      value += side(this.#diagonal[i] as number, diagonal) + side(this.#rows[i] as number, row);
    }
    for (const { dual, least } of this.#cuts) value += dual * least;
    for (const [at, known] of settled) value += 2 * (this.#pairs[at] as number) * known;
    return value + (slack.reduce((sum, entry) => sum + entry, 0) + lift * n) / clusters;
  }

  iterate(): void {
    const n = this.#n;
    const { cost, clusters } = this.#relaxation;
    const [primal, slack, combined] = [this.#primal, this.#slack, this.#combined];
    const inverse = 1 / this.#penalty;
    const shift = inverse / clusters;
    const w = new Float64Array(n * n);
    const rest = new Float64Array(n * n);
    for (let k = 0; k < n * n; k++) {
      const value = (slack[k] as number) - (cost[k] as number) + inverse * (primal[k] as number) + shift;
      rest[k] = value;
      w[k] = (combined[k] as number) + value;
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++) this.#sweep(w, inverse);
    const split = rest;
    for (let k = 0; k < n * n; k++) {
      const sum = (w[k] as number) - (rest[k] as number);
      combined[k] = sum;
      split[k] = (cost[k] as number) - sum - inverse * (primal[k] as number);
    }
    this.#divide(split, negativePart(split, n));
    this.#iterations++;
    this.#balance();
  }

  /** The matrix is S − Y/σ: its positive part is the new S, minus σ times its negative part the primal's direction. */
  #divide(matrix: Float64Array, negative: Float64Array): void {
    const n = this.#n;
    let moved = 0;
    let missed = 0;
    let size = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const at = i * n + j;
        const weight = i === j ? 1 : 2;
        const slack = (matrix[at] as number) - (negative[at] as number);
        const before = this.#primal[at] as number;
        const ahead = -this.#penalty * (negative[at] as number) - before;
        const primal = before + STEP * ahead;
        moved += weight * (slack - (this.#slack[at] as number)) ** 2;
        missed += weight * ahead * ahead;
        size += weight * primal * primal;
        this.#slack[at] = slack;
        this.#slack[j * n + i] = slack;
        this.#primal[at] = primal;
        this.#primal[j * n + i] = primal;
      }
    }
    this.#primalResidual = (this.#penalty * Math.sqrt(moved)) / (1 + Math.sqrt(size));
    this.#dualResidual = Math.sqrt(missed) / this.#penalty / (1 + this.#norm);
  }

  /** Moves the penalty now and then, so that neither residual is far behind. */
  #balance(): void {
    this.#since++;
    if (this.#primalResidual > 0 && this.#dualResidual > 0) {
      this.#lean += Math.log(this.#primalResidual / this.#dualResidual);
    }
    if (this.#since < (this.#iterations < 60 ? 10 : this.#iterations < 200 ? 20 : 50)) return;
    const mean = this.#lean / this.#since;
    if (Math.abs(mean) > 0.7) this.#penalty *= Math.min(2, Math.max(0.5, Math.exp(-mean / 2)));
    this.#since = 0;
    this.#lean = 0;
  }

  /** Settles every multiplier once. Only what is below the diagonal of W is read of pairs before they are settled. */
  #sweep(w: Float64Array, inverse: number): void {
    const n = this.#n;
    for (const cut of this.#cuts) settleCut(cut, w, inverse);
    const { settled, diagonal } = this.#relaxation;
    const isGiven = diagonal.low === diagonal.high;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const at = i * n + j;
        const without = (w[at] as number) - (this.#pairs[at] as number);
        const known = settled.size === 0 ? undefined : settled.get(at);
        const free = inverse * (known ?? 0) - without;
        // M is known there where the pair is apart, or together with a size that is given: the multiplier has any sign.
        const isKnown = known !== undefined && (known === 0 || isGiven);
        const dual = isKnown ? free : Math.max(0, free);
        this.#pairs[at] = dual;
        w[at] = without + dual;
        w[j * n + i] = without + dual;
      }
    }
    for (const tie of this.#ties) settleTie(tie, w, n);
    this.#settleDiagonal(w, inverse);
    this.#settleRows(w, inverse);
  }

  #settleDiagonal(w: Float64Array, inverse: number): void {
    const n = this.#n;
    const { diagonal, diagonalTotal } = this.#relaxation;
    let change = 0;
    if (diagonal.low < diagonal.high) {
      let trace = 0;
      for (let i = 0; i < n; i++) trace += w[i * n + i] as number;
      const dual = settledDual(this.#diagonalTotal, trace, inverse, diagonalTotal, n);
      change = dual - this.#diagonalTotal;
      this.#diagonalTotal = dual;
    }
    for (let i = 0; i < n; i++) {
      const value = (w[i * n + i] as number) + change;
      const dual = settledDual(this.#diagonal[i] as number, value, inverse, diagonal, 1);
      w[i * n + i] = value + dual - (this.#diagonal[i] as number);
      this.#diagonal[i] = dual;
    }
  }

  /** The matrix of row i is ½ (e_i·1ᵀ + 1·e_iᵀ), and that of the total is their sum. */
  #settleRows(w: Float64Array, inverse: number): void {
    const n = this.#n;
    const { row, total } = this.#relaxation;
    const sums = new Float64Array(n);
    let all = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += w[i * n + j] as number;
      sums[i] = sum;
      all += sum;
    }
    let everywhere = 0;
    if (row.low < row.high) {
      const dual = settledDual(this.#total, all, inverse, total, n * n);
      everywhere = dual - this.#total;
      this.#total = dual;
    }
    const changes = new Float64Array(n);
    let changed = 0;
    for (let i = 0; i < n; i++) {
      const sum = (sums[i] as number) + n * everywhere + 0.5 * changed;
      const dual = settledDual(this.#rows[i] as number, sum, inverse, row, (n + 1) / 2);
      const change = dual - (this.#rows[i] as number);
      changes[i] = change;
      changed += change;
      this.#rows[i] = dual;
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const at = i * n + j;
        w[at] = (w[at] as number) + 0.5 * ((changes[i] as number) + (changes[j] as number)) + everywhere;
      }
    }
  }
}

/** A pair i > j that is together, at i·n + j, and its multiplier. */
interface Tie {
  readonly at: number;
  dual: number;
}

/** M_ij + M_ji − M_ii − M_jj = 0. */
function settleTie(tie: Tie, w: Float64Array, n: number): void {
  const [i, j] = [Math.floor(tie.at / n), tie.at % n];
  const cells = [tie.at, j * n + i, i * n + i, j * n + j];
  const [one, other, first, second] = cells.map((at) => w[at] as number) as [number, number, number, number];
  const change = (first + second - one - other) / 4;
  tie.dual += change;
  cells.forEach((at, k) => {
    w[at] = (w[at] as number) + (k < 2 ? change : -change);
  });
}

/** What a multiplier of low ≤ x ≤ high adds to the bound. */
function side(dual: number, { low, high }: Range): number {
  return dual * (dual > 0 ? low : high);
}

/** The multiplier u of low ≤ ⟨A, M⟩ ≤ high that is best while all else stays; inner = ⟨A, W⟩, square = ⟨A, A⟩. */
function settledDual(dual: number, inner: number, inverse: number, { low, high }: Range, square: number): number {
  const up = dual + (inverse * low - inner) / square;
  if (up > 0 || low === high) return up;
  return Math.min(0, dual + (inverse * high - inner) / square);
}

/** Σ of the negative eigenvalues' parts, on and below the diagonal. */
function negativePart(matrix: Float64Array, n: number): Float64Array {
  const { values, vectors } = spectrumOf(matrix, n);
  const below = values.reduce((count, value) => count + (value < 0 ? 1 : 0), 0);
  // The side with fewer eigenvalues is summed; the other is what is left.
  const isNegative = 2 * below <= n;
  const rank = isNegative ? below : values.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  // By elements: √|value| · vector, so that the sum is of products of rows.
  const roots = new Float64Array(n * rank);
  let column = 0;
  for (let k = 0; k < n; k++) {
    const value = values[k] as number;
    if (isNegative ? value >= 0 : value <= 0) continue;
    const root = Math.sqrt(Math.abs(value));
    for (let i = 0; i < n; i++) roots[i * rank + column] = root * (vectors[k * n + i] as number);
    column++;
  }
  const part = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const at = i * n + j;
      const product = rowProduct(roots, rank, i, j);
      part[at] = isNegative ? -product : (matrix[at] as number) - product;
    }
  }
  return part;
}

function rowProduct(roots: Float64Array, rank: number, i: number, j: number): number {
  let sum = 0;
  for (let a = i * rank, b = j * rank, end = a + rank; a < end; a++, b++) {
    sum += (roots[a] as number) * (roots[b] as number);
  }
  return sum;
}
