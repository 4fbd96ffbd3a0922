import { CholeskyDecomposition, Matrix } from "ml-matrix";
import type { SemidefiniteStep } from "../../../../proof/kernel/grouping/semidefinite.js";
import type { Multipliers } from "./dual-ascent.js";
import type { Relaxation } from "./relaxation.js";
import { leastEigenvalue } from "./symmetric-eigen.js";

/** Bits of the factor's entries below the largest cost's root. */
const BITS = 30;
/** What the slack's diagonal is raised by beyond its least eigenvalue, of the largest cost. */
const MARGIN = 1e-10;

/**
 * Multipliers as a step of a certificate: rounded to multiples of 2^−bits, and the slack without the multipliers of M ≥
 * 0 raised on the diagonal until it has a Cholesky factor. The checker puts right what rounding leaves. `null` where
 * numbers are too far apart for that.
 */
export function roundedStep(relaxation: Relaxation, multipliers: Multipliers): SemidefiniteStep | null {
  const n = relaxation.elements;
  const { factor, bits } = scaleOf(relaxation);
  const unit = 2 ** bits;
  const rows = Array.from(multipliers.rows, (dual) => Math.round(dual * factor * unit));
  const cuts = multipliers.cuts
    .map(({ cut, dual }) => ({ price: Math.round(dual * factor * unit), ...cut }))
    .filter(({ price }) => price > 0);
  const lower = factorOf(multipliers.slack, n);
  if (lower === null) return null;
  const scale = Math.sqrt(factor) * unit;
  const entries = lower.map((row) => row.map((entry) => Math.round(entry * scale)));
  if (![...rows, ...cuts.map(({ price }) => price), ...entries.flat()].every(Number.isSafeInteger)) return null;
  return { semidefinite: { bits, rows, cuts, factor: entries } };
}

/** A step with zeros alone: nothing is worth less than nothing, and a pair in one cluster costs what it costs. */
export function zeroStep(relaxation: Relaxation): SemidefiniteStep {
  const zeros = (length: number) => new Array<number>(length).fill(0);
  const factor = Array.from({ length: relaxation.elements }, (_, i) => zeros(i + 1));
  return { semidefinite: { bits: scaleOf(relaxation).bits, rows: zeros(relaxation.elements), cuts: [], factor } };
}

/** The certificate's costs are ½ pair, the relaxation's are pair / largest. */
function scaleOf({ largest }: Relaxation): { factor: number; bits: number } {
  return { factor: largest / 2, bits: Math.max(1, BITS - Math.round(Math.log2(largest / 2) / 2)) };
}

/** The rows of L with L·Lᵀ = slack + a diagonal; `null` where the matrix is not finite. */
function factorOf(slack: Float64Array, n: number): readonly (readonly number[])[] | null {
  const least = leastEigenvalue(slack, n);
  for (let margin = MARGIN; margin < 1; margin *= 100) {
    const lower = choleskyOf(slack, n, margin - Math.min(0, least));
    if (lower !== null) return lower;
  }
  return null;
}

function choleskyOf(matrix: Float64Array, n: number, raise: number): readonly (readonly number[])[] | null {
  const raised = Matrix.add(Matrix.from1DArray(n, n, matrix), Matrix.eye(n, n, raise));
  const cholesky = new CholeskyDecomposition(raised);
  if (!cholesky.isPositiveDefinite()) return null;
  return cholesky.lowerTriangularMatrix.to2DArray().map((row, i) => row.slice(0, i + 1));
}
