import type { Random } from "../../exact/random.js";
import { multiplyTransposed, transpose } from "./matrix.js";

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
