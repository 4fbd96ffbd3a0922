/**
 * Ratios of positive integers, to be put in order: the doubles decide where they differ by more than they can be wrong,
 * exact products where they do not.
 */
export class Slopes {
  readonly #rises: readonly bigint[];
  readonly #runs: readonly bigint[];
  readonly #approximate: Float64Array;

  /** Slope k is rises[k] / runs[k]. */
  constructor(rises: readonly bigint[], runs: readonly bigint[]) {
    this.#rises = rises;
    this.#runs = runs;
    this.#approximate = Float64Array.from(rises, (rise, k) => Number(rise) / Number(runs[k] as bigint));
  }

  /** Below zero where slope `a` is steeper than slope `b`, zero where they are equal. */
  compareSteepest(a: number, b: number): number {
    const p = this.#approximate[a] as number;
    const q = this.#approximate[b] as number;
    // Three roundings, each by 2^-53 at most. Not true of what overflowed or is too small to be a normal double.
    if (Math.abs(p - q) > NOISE * Math.max(p, q) && p > LEAST && q > LEAST) return q - p;
    const left = (this.#rises[b] as bigint) * (this.#runs[a] as bigint);
    const right = (this.#rises[a] as bigint) * (this.#runs[b] as bigint);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** All slopes, the steepest first. */
  steepestFirst(): Int32Array {
    const order = Int32Array.from(this.#approximate.keys());
    return order.sort((a, b) => this.compareSteepest(a, b));
  }
}

const NOISE = 2 ** -50;
const LEAST = 1e-290;
