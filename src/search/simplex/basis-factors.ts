import { type Factors, factorize } from "./factorize.js";
import { SparseVectors } from "./sparse-vectors.js";

/** A replaced column's diagonal in U may be off by this part of itself before the factors are thrown away. */
const DRIFT = 1e-9;

/** Elimination by more than this many times a row makes too much of rounding errors. */
const GROWTH = 1e4;

/**
 * A basis B in factors L·R⁻¹·U that solve with it and with its transpose, kept up when one of its columns is replaced (Forrest
 * and Tomlin, Mathematical Programming 2, 1972): the new column of U goes last, and what is left of its row is eliminated by one
 * more row of R. Dense vectors have a value for each row, or for each slot: the row that a basic column is pivoted on.
 */
export class BasisFactors {
  readonly #factors: Factors;
  /** What each replacement takes from the value of its slot. */
  readonly #rows = new SparseVectors();
  readonly #rowSlots: number[] = [];
  /** Where a slot is in the order. */
  readonly #place: Int32Array;
  /** The column last solved for, before U. */
  readonly #spike: Float64Array;
  readonly #multipliers: Float64Array;
  readonly #size0: number;

  /** Factors basic columns; see {@link factorize}. */
  constructor(columns: SparseVectors, basic: Int32Array, logicals: Int32Array) {
    this.#factors = factorize(columns, basic, logicals);
    const m = basic.length;
    this.#place = new Int32Array(m);
    this.#factors.order.forEach((slot, place) => {
      this.#place[slot] = place;
    });
    this.#spike = new Float64Array(m);
    this.#multipliers = new Float64Array(m);
    this.#size0 = this.size;
  }

  /** The basic column of each slot, when the factors were new. */
  get heads(): Int32Array {
    return this.#factors.heads;
  }

  /** Columns replaced since. */
  get replaced(): number {
    return this.#rowSlots.length;
  }

  /** Entries of all factors. */
  get size(): number {
    return this.#factors.lower.filled + this.#factors.upper.filled + this.#rows.filled;
  }

  /** Whether the factors have become several times as long as they were. */
  get isLong(): boolean {
    return this.size > 3 * this.#size0 + 4 * this.#place.length;
  }

  /** Solves B·x = v in place, rows to slots. `isNext`: the column that {@link replace} may put in. */
  forward(v: Float64Array, isNext = false): void {
    const { lower, lowerSlots, upper, upperOf, diagonal, order } = this.#factors;
    for (let k = 0; k < lowerSlots.length; k++) {
      const factor = v[lowerSlots[k] as number] as number;
      if (factor !== 0) lower.addTo(k, -factor, v);
    }
    for (let k = 0; k < this.#rowSlots.length; k++) {
      const slot = this.#rowSlots[k] as number;
      v[slot] = (v[slot] as number) - this.#rows.dot(k, v);
    }
    if (isNext) this.#spike.set(v);
    for (let place = order.length - 1; place >= 0; place--) {
      const slot = order[place] as number;
      if (v[slot] === 0) continue;
      const value = (v[slot] as number) / (diagonal[slot] as number);
      v[slot] = value;
      upper.addTo(upperOf[slot] as number, -value, v);
    }
  }

  /** Solves Bᵀ·y = v in place, slots to rows. */
  backward(v: Float64Array): void {
    const { lower, lowerSlots, upper, upperOf, diagonal, order } = this.#factors;
    for (let place = 0; place < order.length; place++) {
      const slot = order[place] as number;
      v[slot] = ((v[slot] as number) - upper.dot(upperOf[slot] as number, v)) / (diagonal[slot] as number);
    }
    for (let k = this.#rowSlots.length - 1; k >= 0; k--) {
      const factor = v[this.#rowSlots[k] as number] as number;
      if (factor !== 0) this.#rows.addTo(k, -factor, v);
    }
    for (let k = lowerSlots.length - 1; k >= 0; k--) {
      const slot = lowerSlots[k] as number;
      v[slot] = (v[slot] as number) - lower.dot(k, v);
    }
  }

  /**
   * Puts the column last solved for as next, B·x = a, in a slot; `pivot` is x there. `false` when rounding errors have
   * grown so much that the factors are of no more use.
   */
  replace(slot: number, pivot: number): boolean {
    const { upper, upperOf, diagonal, order } = this.#factors;
    const multipliers = this.#multipliers;
    const last = order.length - 1;
    const from = this.#place[slot] as number;
    let value = this.#spike[slot] as number;
    let largest = 0;
    for (let place = from + 1; place <= last; place++) {
      const other = order[place] as number;
      const vector = upperOf[other] as number;
      let left = 0;
      for (let e = upper.starts[vector] as number; e < (upper.ends[vector] as number); e++) {
        const row = upper.indices[e] as number;
        if (row === slot) {
          left += upper.values[e] as number;
          upper.remove(vector, e--);
        } else {
          left -= (multipliers[row] as number) * (upper.values[e] as number);
        }
      }
      if (left === 0) continue;
      const multiplier = left / (diagonal[other] as number);
      multipliers[other] = multiplier;
      largest = Math.max(largest, Math.abs(multiplier));
      this.#rows.push(other, multiplier);
      value -= multiplier * (this.#spike[other] as number);
    }
    const row = this.#rows.close();
    for (let e = this.#rows.starts[row] as number; e < (this.#rows.ends[row] as number); e++) {
      multipliers[this.#rows.indices[e] as number] = 0;
    }
    this.#rowSlots.push(slot);
    for (let other = 0; other <= last; other++) {
      const above = this.#spike[other] as number;
      if (other !== slot && Math.abs(above) > 1e-14) upper.push(other, above);
    }
    upperOf[slot] = upper.close();
    const wanted = pivot * (diagonal[slot] as number);
    diagonal[slot] = value;
    order.copyWithin(from, from + 1);
    order[last] = slot;
    for (let place = from; place <= last; place++) this.#place[order[place] as number] = place;
    return largest <= GROWTH && Math.abs(value - wanted) <= DRIFT * Math.abs(wanted);
  }
}
