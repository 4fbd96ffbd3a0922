import { type Dense, type Parameters, rectify, rectifyBackward } from "../../../../cost/neural/dense.js";

/**
 * Dense layers one after another, ReLU after each but, with `isLinearLast`, the last. Inputs are written to rows of
 * {@link input}, outputs lie in the same rows of {@link output}; a backward pass is over the rows that were passed forward.
 */
export class Mlp {
  readonly #layers: readonly Dense[];
  readonly #isLinearLast: boolean;
  /** What goes into each layer, rows × inputs, and at the end what comes out of the last. */
  #values: readonly Float64Array[] = [];
  /** Their gradients, made for the first backward pass. */
  #gradients: readonly Float64Array[] = [];
  #rows = 0;

  constructor(layers: readonly Dense[], isLinearLast: boolean) {
    this.#layers = layers;
    this.#isLinearLast = isLinearLast;
  }

  get input(): Float64Array {
    return this.#values[0] as Float64Array;
  }

  get output(): Float64Array {
    return this.#values[this.#layers.length] as Float64Array;
  }

  /** The gradient of {@link input} that the last backward pass left. */
  get inputGradient(): Float64Array {
    return this.#gradients[0] as Float64Array;
  }

  parameters(): readonly Parameters[] {
    return this.#layers.flatMap((layer) => layer.parameters());
  }

  /** Makes room for so many rows; what was in them may be lost. */
  reserve(rows: number): void {
    if (rows <= this.#rows) return;
    this.#rows = rows;
    this.#values = this.#widths().map((width) => new Float64Array(rows * width));
    this.#gradients = [];
  }

  /** Passes the rows `from` … `from + rows − 1`. */
  forward(from: number, rows: number): void {
    for (const [l, layer] of this.#layers.entries()) {
      const [x, y] = [this.#values[l] as Float64Array, this.#values[l + 1] as Float64Array];
      const outputs = y.subarray(from * layer.outputs, (from + rows) * layer.outputs);
      layer.forward(x.subarray(from * layer.inputs, (from + rows) * layer.inputs), outputs, rows);
      if (this.#isRectified(l)) rectify(outputs, outputs.length);
    }
  }

  /**
   * Adds the gradients of the parameters, given that of the first `rows` rows of outputs, and leaves that of the inputs in
   * {@link inputGradient} where it is wanted.
   */
  backward(outputGradient: Float64Array, rows: number, wantsInputGradient: boolean): void {
    if (this.#gradients.length === 0) this.#gradients = this.#values.map(({ length }) => new Float64Array(length));
    const last = this.#layers.length;
    const own = this.#gradients[last] as Float64Array;
    own.set(outputGradient.subarray(0, rows * (this.#layers[last - 1] as Dense).outputs));
    for (let l = last - 1; l >= 0; l--) {
      const [layer, dy] = [this.#layers[l] as Dense, this.#gradients[l + 1] as Float64Array];
      if (this.#isRectified(l)) rectifyBackward(this.#values[l + 1] as Float64Array, dy, rows * layer.outputs);
      const dx = l > 0 || wantsInputGradient ? (this.#gradients[l] as Float64Array) : null;
      layer.backward(this.#values[l] as Float64Array, dy, dx, rows);
    }
  }

  #isRectified(layer: number): boolean {
    return !(this.#isLinearLast && layer === this.#layers.length - 1);
  }

  #widths(): readonly number[] {
    return [...this.#layers.map(({ inputs }) => inputs), (this.#layers.at(-1) as Dense).outputs];
  }
}
