import { type Dense, type Parameters, rectify, rectifyBackward } from "./dense.js";

/**
 * Dense layers one after another, ReLU after each but, with `isLinearLast`, the last. Inputs are written to rows of
 * {@link input}, outputs lie in the same rows of {@link output}; a backward pass is over the rows that were passed forward.
 */
export class Mlp {
  readonly #layers: readonly Dense[];
  readonly #isLinearLast: boolean;
  /** What goes into each layer, rows × inputs, and at the end what comes out of the last. */
  #values: readonly Float64Array[];
  /** Their gradients, made for the first backward pass. */
  #gradients: readonly Float64Array[] = [];
  #rows = 0;

  constructor(layers: readonly Dense[], isLinearLast: boolean) {
    this.#layers = layers;
    this.#isLinearLast = isLinearLast;
    this.#values = this.#room(0);
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
    this.#values = this.#room(rows);
    this.#gradients = [];
  }

  /** Passes the rows `from` … `from + rows − 1`. */
  forward(from: number, rows: number): void {
    // From the first row on the arrays themselves: there are more calls of one row than of many.
    const at = (l: number, width: number) => {
      const values = this.#values[l] as Float64Array;
      return from === 0 ? values : values.subarray(from * width);
    };
    for (let l = 0; l < this.#layers.length; l++) {
      const layer = this.#layers[l] as Dense;
      const outputs = at(l + 1, layer.outputs);
      layer.forward(at(l, layer.inputs), outputs, rows);
      if (this.#isRectified(l)) rectify(outputs, rows * layer.outputs);
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

  #room(rows: number): readonly Float64Array[] {
    const widths = [...this.#layers.map(({ inputs }) => inputs), (this.#layers.at(-1) as Dense).outputs];
    return widths.map((width) => new Float64Array(rows * width));
  }
}
