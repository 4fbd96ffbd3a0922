import type { Random } from "../../exact/random.js";

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

/** Numbers that are learned, beside the gradient that backward passes have added up for them. */
export interface Parameters {
  readonly values: Float64Array;
  readonly gradients: Float64Array;
}

/**
 * A dense layer, y = W·x + b, for many inputs x at once: matrices hold one input (or output) after the other. Backward
 * passes add to the gradients; who updates the parameters sets the gradients to zero.
 */
export class Dense {
  readonly inputs: number;
  readonly outputs: number;
  /** W, outputs × inputs. */
  readonly weights: Parameters;
  /** b. */
  readonly biases: Parameters;
  /** Room for transposes, made when needed and kept. */
  #scratch = { weights: new Float64Array(0), inputs: new Float64Array(0), outputs: new Float64Array(0) };

  constructor(inputs: number, outputs: number) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.weights = zeros(inputs * outputs);
    this.biases = zeros(outputs);
  }

  /** A layer whose weights and biases are drawn evenly from ±1/√inputs, as PyTorch's `Linear` begins. */
  static drawn(inputs: number, outputs: number, random: Random): Dense {
    const layer = new Dense(inputs, outputs);
    const most = 1 / Math.sqrt(inputs);
    for (const { values } of layer.parameters()) {
      for (let i = 0; i < values.length; i++) values[i] = most * (2 * random.next() - 1);
    }
    return layer;
  }

  parameters(): readonly Parameters[] {
    return [this.weights, this.biases];
  }

  /** y[count × outputs] from x[count × inputs]. */
  forward(x: Float64Array, y: Float64Array, count: number): void {
    const { inputs, outputs } = this;
    for (let i = 0; i < count; i++) y.set(this.biases.values, i * outputs);
    multiplyTransposed(x, this.weights.values, y, [count, outputs, inputs], true);
  }

  /**
   * Adds the gradients of the parameters, given the inputs of the forward pass and the gradient dy of its outputs, and writes
   * the gradient of the inputs to dx unless that is `null`.
   */
  backward(x: Float64Array, dy: Float64Array, dx: Float64Array | null, count: number): void {
    const { inputs, outputs } = this;
    const scratch = this.#scratch;
    if (scratch.inputs.length < count * inputs) {
      scratch.weights = new Float64Array(inputs * outputs);
      scratch.inputs = new Float64Array(count * inputs);
      scratch.outputs = new Float64Array(count * outputs);
    }
    transpose(x, scratch.inputs, count, inputs);
    transpose(dy, scratch.outputs, count, outputs);
    multiplyTransposed(scratch.outputs, scratch.inputs, this.weights.gradients, [outputs, inputs, count], true);
    const biases = this.biases.gradients;
    for (let j = 0; j < outputs; j++) {
      let sum = 0;
      for (let i = j * count; i < (j + 1) * count; i++) sum += scratch.outputs[i] as number;
      biases[j] = (biases[j] as number) + sum;
    }
    if (dx === null) return;
    transpose(this.weights.values, scratch.weights, outputs, inputs);
    multiplyTransposed(dy, scratch.weights, dx, [count, inputs, outputs]);
  }
}

/** ReLU in place: the first `length` numbers, at least 0. */
export function rectify(y: Float64Array, length: number): void {
  for (let i = 0; i < length; i++) if (!((y[i] as number) > 0)) y[i] = 0;
}

/** The backward pass of {@link rectify} in place: no gradient where the rectified outputs y are 0. */
export function rectifyBackward(y: Float64Array, dy: Float64Array, length: number): void {
  for (let i = 0; i < length; i++) if (y[i] === 0) dy[i] = 0;
}

function zeros(length: number): Parameters {
  return { values: new Float64Array(length), gradients: new Float64Array(length) };
}
