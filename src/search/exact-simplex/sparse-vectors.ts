/**
 * Sparse vectors one after another in flat arrays, so that a loop over all of them is over neighbouring memory. Vector k has
 * `values[e]` at `indices[e]` for `starts[k]` ≤ e < `starts[k + 1]`. Read the arrays anew after anything was put in: they grow.
 */
export class SparseVectors {
  /** Entries in all. */
  filled = 0;
  starts = new Int32Array(64);
  indices = new Int32Array(256);
  values = new Float64Array(256);
  #count = 0;

  /** One more entry of the vector that is closed next. */
  push(index: number, value: number): void {
    if (this.filled === this.indices.length) {
      this.indices = twice(this.indices, new Int32Array(2 * this.filled));
      this.values = twice(this.values, new Float64Array(2 * this.filled));
    }
    this.indices[this.filled] = index;
    this.values[this.filled++] = value;
  }

  /** Ends the vector made of the entries put in since the last one. */
  close(): void {
    if (++this.#count === this.starts.length) this.starts = twice(this.starts, new Int32Array(2 * this.#count));
    this.starts[this.#count] = this.filled;
  }
}

function twice<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
