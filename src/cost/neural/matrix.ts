/**
 * Products of dense matrices in rows after one another, written for speed in plain JavaScript: four rows by four are
 * multiplied at once, so that each number is loaded once for four multiplications.
 */

/**
 * out[m × n] = a[m × k] · bᵀ, for b[n × k]; with `accumulate` it is added to what `out` holds. Only the first m · k, n · k and
 * m · n numbers of the arrays are looked at.
 */
export function multiplyTransposed(
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
  [m, n, k]: readonly [m: number, n: number, k: number],
  accumulate = false,
): void {
  if (!accumulate) out.fill(0, 0, m * n);
  const wholeRows = m - (m % 4);
  const wholeColumns = n - (n % 4);
  for (let i = 0; i < wholeRows; i += 4) {
    for (let j = 0; j < wholeColumns; j += 4) addBlock(a, b, out, i, j, n, k);
    for (let j = wholeColumns; j < n; j++) {
      for (let row = i; row < i + 4; row++) addDot(a, b, out, row, j, n, k);
    }
  }
  for (let i = wholeRows; i < m; i++) {
    for (let j = 0; j < wholeColumns; j += 4) addFourDots(a, b, out, i, j, n, k);
    for (let j = wholeColumns; j < n; j++) addDot(a, b, out, i, j, n, k);
  }
}

/** out[columns × rows] = the transpose of a[rows × columns]. */
export function transpose(a: Float64Array, out: Float64Array, rows: number, columns: number): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j] as number;
  }
}

function addDot(a: Float64Array, b: Float64Array, out: Float64Array, i: number, j: number, n: number, k: number): void {
  const [p, q] = [i * k, j * k];
  let sum = 0;
  for (let x = 0; x < k; x++) sum += (a[p + x] as number) * (b[q + x] as number);
  out[i * n + j] = (out[i * n + j] as number) + sum;
}

function addFourDots(
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
  i: number,
  j: number,
  n: number,
  k: number,
): void {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let p = i * k;
  let q = j * k;
  for (const end = p + k; p < end; p++, q++) {
    const value = a[p] as number;
    s0 += value * (b[q] as number);
    s1 += value * (b[q + k] as number);
    s2 += value * (b[q + 2 * k] as number);
    s3 += value * (b[q + 3 * k] as number);
  }
  addFour(out, i * n + j, s0, s1, s2, s3);
}

function addBlock(
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
  i: number,
  j: number,
  n: number,
  k: number,
): void {
  let [s00, s01, s02, s03] = [0, 0, 0, 0];
  let [s10, s11, s12, s13] = [0, 0, 0, 0];
  let [s20, s21, s22, s23] = [0, 0, 0, 0];
  let [s30, s31, s32, s33] = [0, 0, 0, 0];
  let p0 = i * k;
  let q0 = j * k;
  for (const end = p0 + k; p0 < end; p0++, q0++) {
    const a0 = a[p0] as number;
    const a1 = a[p0 + k] as number;
    const a2 = a[p0 + 2 * k] as number;
    const a3 = a[p0 + 3 * k] as number;
    const b0 = b[q0] as number;
    const b1 = b[q0 + k] as number;
    const b2 = b[q0 + 2 * k] as number;
    const b3 = b[q0 + 3 * k] as number;
    s00 += a0 * b0;
    s01 += a0 * b1;
    s02 += a0 * b2;
    s03 += a0 * b3;
    s10 += a1 * b0;
    s11 += a1 * b1;
    s12 += a1 * b2;
    s13 += a1 * b3;
    s20 += a2 * b0;
    s21 += a2 * b1;
    s22 += a2 * b2;
    s23 += a2 * b3;
    s30 += a3 * b0;
    s31 += a3 * b1;
    s32 += a3 * b2;
    s33 += a3 * b3;
  }
  addFour(out, i * n + j, s00, s01, s02, s03);
  addFour(out, (i + 1) * n + j, s10, s11, s12, s13);
  addFour(out, (i + 2) * n + j, s20, s21, s22, s23);
  addFour(out, (i + 3) * n + j, s30, s31, s32, s33);
}

function addFour(out: Float64Array, at: number, s0: number, s1: number, s2: number, s3: number): void {
  out[at] = (out[at] as number) + s0;
  out[at + 1] = (out[at + 1] as number) + s1;
  out[at + 2] = (out[at + 2] as number) + s2;
  out[at + 3] = (out[at + 3] as number) + s3;
}
