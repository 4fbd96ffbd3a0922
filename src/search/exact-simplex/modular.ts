/**
 * Primes below 2^26: the product of two residues is below 2^52, and doubles hold it exactly. A matrix that is singular
 * modulo one of them by chance is tried with the next.
 */
export const PRIMES = [67108859, 67108837, 67108819, 67108777, 67108763, 67108757, 67108753, 67108747] as const;

/** Residues 0 … p − 1 of integers modulo a prime below 2^26, in doubles. */
export class Field {
  readonly prime: number;
  readonly #bigPrime: bigint;
  readonly #reciprocal: number;

  constructor(prime: number) {
    this.prime = prime;
    this.#bigPrime = BigInt(prime);
    this.#reciprocal = 1 / prime;
  }

  /** The residue of an integer between −2^52 and 2^52. */
  reduce(value: number): number {
    // The quotient is off by one at most, so that its multiple of p is below 2^53 and exact.
    const rest = value - Math.floor(value * this.#reciprocal) * this.prime;
    return rest < 0 ? rest + this.prime : rest >= this.prime ? rest - this.prime : rest;
  }

  reduceBig(value: bigint): number {
    const rest = Number(value % this.#bigPrime);
    return rest < 0 ? rest + this.prime : rest;
  }

  /** The inverse of a residue other than zero, by Euclid's algorithm. */
  inverse(residue: number): number {
    let [a, b] = [this.prime, residue];
    let [s, t] = [0, 1];
    while (b !== 1) {
      const quotient = Math.floor(a / b);
      [a, b] = [b, a - quotient * b];
      [s, t] = [t, s - quotient * t];
    }
    return this.reduce(t);
  }
}
