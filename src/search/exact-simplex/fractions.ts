import { EuclideanSteps, Rational } from "../../exact/rational.js";

/** Numbers over one positive denominator, not necessarily in lowest terms. */
export interface Fractions {
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
}

/**
 * Bits that a candidate must leave unused of the modulus to be taken for the number meant, and not for one of chance.
 */
const SPARE_BITS = 24n;

/**
 * The fractions with small numerators and a small common denominator that are congruent to some residues (0 … modulus −
 * 1); `null` where there seem to be none: the modulus is too small for them. Most entries have the denominators of
 * those before them, so that one multiplication tells them; else Euclid's algorithm does (Wang 1981).
 */
export function reconstruct(residues: readonly bigint[], modulus: bigint): Fractions | null {
  const half = modulus >> 1n;
  const numerators: bigint[] = [];
  let denominator = 1n;
  for (const residue of residues) {
    let value = (residue * denominator) % modulus;
    if (value > half) value -= modulus;
    if (((value < 0n ? -value : value) * denominator) << SPARE_BITS > modulus) {
      const found = fraction(value < 0n ? value + modulus : value, modulus, denominator);
      if (found === null) return null;
      value = found.numerator;
      for (let k = 0; k < numerators.length; k++) numerators[k] = (numerators[k] as bigint) * found.denominator;
      denominator *= found.denominator;
    }
    numerators.push(value);
  }
  return { numerators, denominator };
}

/**
 * A fraction congruent to a residue whose parts, with the denominator that is known of it already, are small enough.
 */
function fraction(
  residue: bigint,
  modulus: bigint,
  known: bigint,
): { readonly numerator: bigint; readonly denominator: bigint } | null {
  // Half of the bits that are free are the numerator's, beside those of the denominator known.
  const bits = BigInt(modulus.toString(16).length * 4);
  const bound = 1n << ((bits + BigInt(known.toString(16).length * 4)) >> 1n);
  let [a, b] = [modulus, residue];
  let [s, t] = [0n, 1n];
  // Several steps at once, but not beyond the bound: they take some 50 bits at most.
  const lehmer = new EuclideanSteps(modulus);
  const near = bound << 64n;
  while (b > bound) {
    const steps = b > near ? lehmer.next(a, b) : null;
    if (steps === null) {
      const quotient = a / b;
      [a, b] = [b, a - quotient * b];
      [s, t] = [t, s - quotient * t];
    } else {
      [a, b] = [steps.a * a + steps.b * b, steps.c * a + steps.d * b];
      [s, t] = [steps.a * s + steps.b * t, steps.c * s + steps.d * t];
    }
  }
  const [numerator, denominator] = t < 0n ? [-b, -t] : [b, t];
  return (b * denominator * known) << SPARE_BITS > modulus ? null : { numerator, denominator };
}

/** One of the numbers, in lowest terms. */
export function rationalAt({ numerators, denominator }: Fractions, k: number): Rational {
  return Rational.of(numerators[k] as bigint, denominator);
}
