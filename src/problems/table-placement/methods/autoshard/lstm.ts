import { Dense, multiplyTransposed, type Parameters, transpose } from "../../../../cost/neural/dense.js";
import type { Random } from "../../../../exact/random.js";

/** The gates, in PyTorch's order: input, forget, cell, output. */
const GATES = 4;

/**
 * One layer of a long short-term memory (Hochreiter and Schmidhuber 1997) with PyTorch's equations, of H units over one
 * sequence: gates = W·x + b + U·h′ + b′ with h′ the outputs of the step before (zeros at first); with σ the logistic function,
 *
 *     i, f, o = σ(gates), g = tanh(gate);  c = f·c′ + i·g;  h = o·tanh(c).
 */
export class LstmLayer {
  readonly units: number;
  /** W and b, 4H × inputs. */
  readonly #input: Dense;
  /** U and b′, 4H × H. */
  readonly #recurrent: Dense;
  #room = workspace(0, 0);

  constructor(input: Dense, recurrent: Dense) {
    this.units = recurrent.inputs;
    this.#input = input;
    this.#recurrent = recurrent;
  }

  /** A layer with as many inputs as units, as PyTorch's `LSTM` begins: all parameters drawn evenly from ±1/√H. */
  static drawn(units: number, random: Random): LstmLayer {
    return new LstmLayer(Dense.drawn(units, GATES * units, random), Dense.drawn(units, GATES * units, random));
  }

  parameters(): readonly Parameters[] {
    return [...this.#input.parameters(), ...this.#recurrent.parameters()];
  }

  /** h[steps × H] from x[steps × inputs]; the array is the layer's and lives until the next pass. */
  forward(x: Float64Array, steps: number): Float64Array {
    const { units } = this;
    if (steps > this.#room.steps) this.#room = workspace(steps, units);
    const { hidden, cells, gates, carried, tanhs } = this.#room;
    this.#input.forward(x, gates, steps);
    for (let t = 0; t < steps; t++) {
      this.#recurrent.forward(hidden.subarray(t * units, (t + 1) * units), carried, 1);
      const gate = t * GATES * units;
      for (let u = 0; u < units; u++) {
        const at = (part: number) => gate + part * units + u;
        const sum = (part: number) => (gates[at(part)] as number) + (carried[part * units + u] as number);
        const [i, f, g, o] = [logistic(sum(0)), logistic(sum(1)), Math.tanh(sum(2)), logistic(sum(3))];
        const cell = f * (cells[t * units + u] as number) + i * g;
        const tanh = Math.tanh(cell);
        gates[at(0)] = i;
        gates[at(1)] = f;
        gates[at(2)] = g;
        gates[at(3)] = o;
        cells[(t + 1) * units + u] = cell;
        tanhs[t * units + u] = tanh;
        hidden[(t + 1) * units + u] = o * tanh;
      }
    }
    return hidden.subarray(units, (steps + 1) * units);
  }

  /**
   * Back-propagation through time after a {@link forward} with the same x: adds the gradients of the parameters, given that of
   * the outputs, and writes the gradient of x to dx.
   */
  backward(x: Float64Array, dHidden: Float64Array, dx: Float64Array, steps: number): void {
    const { units } = this;
    const { hidden, cells, gates, tanhs, dGates, dCell, dCarried, transposed } = this.#room;
    transpose(this.#recurrent.weights.values, transposed, GATES * units, units);
    dCell.fill(0);
    dCarried.fill(0);
    for (let t = steps - 1; t >= 0; t--) {
      const gate = t * GATES * units;
      for (let u = 0; u < units; u++) {
        const at = (part: number) => gate + part * units + u;
        const [i, f, g, o] = [0, 1, 2, 3].map((part) => gates[at(part)]) as [number, number, number, number];
        const tanh = tanhs[t * units + u] as number;
        const dh = (dHidden[t * units + u] as number) + (dCarried[u] as number);
        const dc = (dCell[u] as number) + dh * o * (1 - tanh * tanh);
        dGates[at(0)] = dc * g * i * (1 - i);
        dGates[at(1)] = dc * (cells[t * units + u] as number) * f * (1 - f);
        dGates[at(2)] = dc * i * (1 - g * g);
        dGates[at(3)] = dh * tanh * o * (1 - o);
        dCell[u] = dc * f;
      }
      multiplyTransposed(dGates.subarray(gate, gate + GATES * units), transposed, dCarried, [1, units, GATES * units]);
    }
    this.#recurrent.backward(hidden, dGates, null, steps);
    this.#input.backward(x, dGates, dx, steps);
  }
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** What passes over so many steps write to. The first row of outputs and of cells is that before the first step: zeros. */
function workspace(steps: number, units: number) {
  const room = (length: number) => new Float64Array(length);
  return {
    steps,
    hidden: room((steps + 1) * units),
    cells: room((steps + 1) * units),
    tanhs: room(steps * units),
    gates: room(steps * GATES * units),
    carried: room(GATES * units),
    dGates: room(steps * GATES * units),
    dCell: room(units),
    dCarried: room(units),
    transposed: room(GATES * units * units),
  };
}
