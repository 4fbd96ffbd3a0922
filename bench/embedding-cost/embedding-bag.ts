import type { Lookups } from "./indices.js";

const LEARNING_RATE = 0.01;

/** A table and the look-ups of a batch: rows are added up per sample, and updated in the backward pass. */
export class EmbeddingBag {
  readonly #weights: Float32Array;
  readonly #lookups: Lookups;
  readonly #dim: number;
  readonly #pooled: Float32Array;

  constructor(rows: number, dim: number, lookups: Lookups) {
    this.#weights = new Float32Array(rows * dim).fill(1 / dim);
    this.#lookups = lookups;
    this.#dim = dim;
    this.#pooled = new Float32Array((lookups.offsets.length - 1) * dim);
  }

  /** batch × dim: the sum of each sample's rows. */
  forward(): Float32Array {
    const [weights, { indices, offsets }, dim, pooled] = [this.#weights, this.#lookups, this.#dim, this.#pooled];
    pooled.fill(0);
    for (let s = 0; s + 1 < offsets.length; s++) {
      const to = s * dim;
      for (let i = offsets[s] as number; i < (offsets[s + 1] as number); i++) {
        const from = (indices[i] as number) * dim;
        for (let d = 0; d < dim; d++) pooled[to + d] = (pooled[to + d] as number) + (weights[from + d] as number);
      }
    }
    return pooled;
  }

  /** Stochastic gradient descent on the rows read, given the gradient of {@link forward}'s result. */
  backward(gradient: Float32Array): void {
    const [weights, { indices, offsets }, dim] = [this.#weights, this.#lookups, this.#dim];
    for (let s = 0; s + 1 < offsets.length; s++) {
      const from = s * dim;
      for (let i = offsets[s] as number; i < (offsets[s + 1] as number); i++) {
        const to = (indices[i] as number) * dim;
        for (let d = 0; d < dim; d++) {
          weights[to + d] = (weights[to + d] as number) - LEARNING_RATE * (gradient[from + d] as number);
        }
      }
    }
  }
}
