/**
 * Sparse vectors one after another in flat arrays, so that a loop over all of them is over neighbouring memory. Vector k has
 * `values[e]` at `indices[e]` for `starts[k]` ≤ e < `ends[k]`. Read the arrays anew after anything was put in: they grow.
 */
export class SparseVectors {
  /** Vectors closed. */
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  indices = new Int32Array(256);
  values = new Float64Array(256);
  #filled = 0;
  /** Where the last vector closed ended; one that entries were taken out of ends before that. */
  #closed = 0;

  /** One more entry of the vector that is closed next. */
  push(index: number, value: number): void {
    if (this.#filled === this.indices.length) {
      this.indices = twice(this.indices, new Int32Array(2 * this.#filled));
      this.values = twice(this.values, new Float64Array(2 * this.#filled));
    }
    this.indices[this.#filled] = index;
    this.values[this.#filled] = value;
    this.#filled++;
  }

  /** Ends the vector made of the entries put in since the last one; returns its number. */
  close(): number {
    const { count } = this;
    if (count === this.ends.length) {
      this.starts = twice(this.starts, new Int32Array(2 * count));
      this.ends = twice(this.ends, new Int32Array(2 * count));
    }
    this.starts[count] = this.#closed;
    this.ends[count] = this.#filled;
    this.#closed = this.#filled;
    return this.count++;
  }

  /** Takes an entry of a vector out; the vector's last one takes its place. */
  remove(vector: number, entry: number): void {
    const last = (this.ends[vector] as number) - 1;
    this.indices[entry] = this.indices[last] as number;
    this.values[entry] = this.values[last] as number;
    this.ends[vector] = last;
  }

  /** Entries in all, those taken out included. */
  get filled(): number {
    return this.#filled;
  }

  /** The product of a vector and a dense one. */
  dot(vector: number, dense: Float64Array): number {
    const { indices, values } = this;
    let sum = 0;
    for (let e = this.starts[vector] as number, end = this.ends[vector] as number; e < end; e++) {
      sum += (values[e] as number) * (dense[indices[e] as number] as number);
    }
    return sum;
  }

  /** Adds `factor` times a vector to a dense one. */
  addTo(vector: number, factor: number, dense: Float64Array): void {
    const { indices, values } = this;
    for (let e = this.starts[vector] as number, end = this.ends[vector] as number; e < end; e++) {
      const at = indices[e] as number;
      dense[at] = (dense[at] as number) + factor * (values[e] as number);
    }
  }
}

function twice<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
