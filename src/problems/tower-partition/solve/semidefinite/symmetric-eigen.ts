/** The spectrum of a symmetric matrix. */
export interface Spectrum {
  /** n of them, in no particular order. */
  readonly values: Float64Array;
  /** n × n by rows: the row k is the unit eigenvector of values[k]. */
  readonly vectors: Float64Array;
}

/**
 * Eigenvalues and eigenvectors of a symmetric n × n matrix (by rows): Householder's reduction to a tridiagonal matrix,
 * then the implicit QL method (Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3). Eigenvectors are kept
 * as rows, so that every rotation runs over memory in order.
 *
 * Throws `RangeError` where the QL method does not settle, as with numbers that are not finite.
 */
export function spectrumOf(matrix: Float64Array, n: number): Spectrum {
  const vectors = Float64Array.from(matrix);
  const values = new Float64Array(n);
  const beside = new Float64Array(n);
  const factors = new Float64Array(n);
  reduce(vectors, n, values, beside, factors);
  accumulate(vectors, n, factors);
  diagonalize(values, beside, n, vectors);
  return { values, vectors };
}

/** The smallest eigenvalue. Throws as {@link spectrumOf}. */
export function leastEigenvalue(matrix: Float64Array, n: number): number {
  return spectrumOf(matrix, n).values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/**
 * Householder reflections from the first column on: the reflection that clears column k below its neighbour is
 * I − factors[k] · v·vᵀ, with v kept in the row k of `a` from k + 1 on.
 */
function reduce(a: Float64Array, n: number, diagonal: Float64Array, beside: Float64Array, factors: Float64Array): void {
  const p = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const row = k * n;
    diagonal[k] = a[row + k] as number;
    if (k === n - 1) break;
    let norm = 0;
    for (let j = k + 1; j < n; j++) norm += (a[row + j] as number) ** 2;
    norm = Math.sqrt(norm);
    if (norm === 0) continue;
    const first = a[row + k + 1] as number;
    const alpha = first > 0 ? -norm : norm;
    beside[k] = alpha;
    a[row + k + 1] = first - alpha;
    const beta = 1 / (norm * (norm + Math.abs(first)));
    factors[k] = beta;
    // p = beta · A·v over the part that is left, of which the upper triangle is kept.
    p.fill(0, k + 1);
    for (let i = k + 1; i < n; i++) {
      const vi = a[row + i] as number;
      const start = i * n;
      let sum = (a[start + i] as number) * vi;
      for (let j = i + 1; j < n; j++) {
        const entry = a[start + j] as number;
        sum += entry * (a[row + j] as number);
        p[j] = (p[j] as number) + entry * vi;
      }
      p[i] = (p[i] as number) + sum;
    }
    let product = 0;
    for (let j = k + 1; j < n; j++) {
      p[j] = beta * (p[j] as number);
      product += (p[j] as number) * (a[row + j] as number);
    }
    const half = 0.5 * beta * product;
    for (let j = k + 1; j < n; j++) p[j] = (p[j] as number) - half * (a[row + j] as number);
    for (let i = k + 1; i < n; i++) {
      const vi = a[row + i] as number;
      const pi = p[i] as number;
      const start = i * n;
      for (let j = i; j < n; j++) {
        a[start + j] = (a[start + j] as number) - vi * (p[j] as number) - pi * (a[row + j] as number);
      }
    }
  }
}

/** Multiplies the reflections out, the last first, into the rows of Q with a = Qᵀ · tridiagonal · Q. */
function accumulate(a: Float64Array, n: number, factors: Float64Array): void {
  const v = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    const row = k * n;
    const beta = factors[k] as number;
    for (let j = k + 1; j < n; j++) v[j] = a[row + j] as number;
    a.fill(0, row, row + n);
    a[row + k] = 1;
    for (let i = k + 1; i < n; i++) a[i * n + k] = 0;
    if (beta === 0) continue;
    for (let i = k + 1; i < n; i++) {
      const start = i * n;
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += (a[start + j] as number) * (v[j] as number);
      sum *= beta;
      for (let j = k + 1; j < n; j++) a[start + j] = (a[start + j] as number) - sum * (v[j] as number);
    }
  }
}

/** Implicit QL on a tridiagonal matrix; rotates the rows of `vectors` along. */
function diagonalize(d: Float64Array, e: Float64Array, n: number, vectors: Float64Array): void {
  // Of the matrix so far: where its rank is low, next to eigenvalues that are zero but for rounding all is rounding.
  let largest = 0;
  for (let l = 0; l < n; l++) {
    largest = Math.max(largest, Math.abs(d[l] as number) + Math.abs(e[l] as number));
    for (let round = 0; ; round++) {
      let m = l;
      for (; m < n - 1; m++) {
        const scale = Math.max(largest, Math.abs(d[m] as number) + Math.abs(d[m + 1] as number));
        if (Math.abs(e[m] as number) <= Number.EPSILON * scale) break;
      }
      if (m === l) break;
      if (round === 60) throw new RangeError("the eigenvalues do not settle");
      rotateDown(d, e, l, m, n, vectors);
    }
  }
}

/** One implicit QL sweep from m down to l. */
function rotateDown(d: Float64Array, e: Float64Array, l: number, m: number, n: number, vectors: Float64Array) {
  const difference = ((d[l + 1] as number) - (d[l] as number)) / (2 * (e[l] as number));
  const root = Math.hypot(difference, 1);
  let g = (d[m] as number) - (d[l] as number) + (e[l] as number) / (difference + (difference < 0 ? -root : root));
  let sine = 1;
  let cosine = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = sine * (e[i] as number);
    const b = cosine * (e[i] as number);
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] = (d[i + 1] as number) - p;
      e[m] = 0;
      return;
    }
    sine = f / r;
    cosine = g / r;
    g = (d[i + 1] as number) - p;
    const s = ((d[i] as number) - g) * sine + 2 * cosine * b;
    p = sine * s;
    d[i + 1] = g + p;
    g = cosine * s - b;
    const low = i * n;
    const high = low + n;
    for (let k = 0; k < n; k++) {
      const upper = vectors[high + k] as number;
      const lower = vectors[low + k] as number;
      vectors[high + k] = sine * lower + cosine * upper;
      vectors[low + k] = cosine * lower - sine * upper;
    }
  }
  d[l] = (d[l] as number) - p;
  e[l] = g;
  e[m] = 0;
}
