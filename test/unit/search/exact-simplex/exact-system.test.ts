import { describe, expect, test } from "vitest";
import { ExactSystem, type IntegerRow } from "../../../../src/search/exact-simplex/exact-system.js";
import { type Fractions, reconstruct } from "../../../../src/search/exact-simplex/fractions.js";
import { PRIMES } from "../../../../src/search/exact-simplex/modular.js";
import { type Draw, drawFrom } from "../../../fuzz/oracle/draw.js";

const never = () => false;

function drawInteger(draw: Draw, bits: number): bigint {
  let value = BigInt(draw.int(1, 255));
  for (let left = bits - 8; left > 0; left -= 16)
    value = (value << BigInt(Math.min(16, left))) | BigInt(draw.int(0, 65535) >> Math.max(0, 16 - left));
  return draw.oneIn(2) ? -value : value;
}

function drawSystem(draw: Draw, size: number, bits: number): IntegerRow[] {
  return Array.from({ length: size }, (_, i) => {
    const columns = [...new Set([i, ...Array.from({ length: 3 }, () => draw.int(0, size - 1))])].sort((a, b) => a - b);
    return { columns, coefficients: columns.map(() => drawInteger(draw, bits)) };
  });
}

/** Whether A·x = b, or Aᵀ·x = b. */
function solves(
  rows: readonly IntegerRow[],
  { numerators, denominator }: Fractions,
  b: readonly bigint[],
  isTransposed: boolean,
) {
  const sums: bigint[] = b.map(() => 0n);
  rows.forEach(({ columns, coefficients }, i) => {
    columns.forEach((j, k) => {
      const [to, from] = isTransposed ? [j, i] : [i, j];
      sums[to] = (sums[to] as bigint) + (coefficients[k] as bigint) * (numerators[from] as bigint);
    });
  });
  return denominator > 0n && sums.every((sum, i) => sum === (b[i] as bigint) * denominator);
}

describe("ExactSystem", () => {
  // Beyond 2^50 coefficients are no longer taken as doubles.
  test.each([4, 30, 49, 51, 120])("solves with coefficients and right-hand sides of %i bits and more", (bits) => {
    let solved = 0;
    for (let seed = 0; seed < 40; seed++) {
      const draw = drawFrom(seed);
      const size = draw.int(1, 25);
      const rows = drawSystem(draw, size, bits);
      const system = ExactSystem.of(rows);
      if (system === null) continue;
      for (const length of [bits, 5 * bits]) {
        const right = rows.map(() => (draw.oneIn(4) ? 0n : drawInteger(draw, length)));
        expect(solves(rows, system.solve(right, never) as Fractions, right, false), `seed ${seed}`).toBe(true);
        expect(solves(rows, system.solveTransposed(right, never) as Fractions, right, true), `seed ${seed}`).toBe(true);
      }
      solved++;
    }
    expect(solved).toBeGreaterThan(30);
  });

  test("goes on to another prime where one divides the determinant", () => {
    const rows = [{ columns: [0], coefficients: [BigInt(PRIMES[0]) * BigInt(PRIMES[1])] }];
    expect(ExactSystem.of(rows)?.solve([1n], never)).toEqual({
      numerators: [1n],
      denominator: BigInt(PRIMES[0]) * BigInt(PRIMES[1]),
    });
  });

  test("has no solution for a singular matrix, and none when it is stopped", () => {
    const rows = [
      { columns: [0, 1], coefficients: [1n, 2n] },
      { columns: [0, 1], coefficients: [3n, 6n] },
    ];
    expect(ExactSystem.of(rows)).toBeNull();
    expect(
      ExactSystem.of(rows.slice(0, 1).map(() => ({ columns: [0], coefficients: [3n] })))?.solve([1n], () => true),
    ).toBeNull();
  });
});

describe("reconstruct", () => {
  const modulus = 2n ** 400n - 593n;
  const inverse = (value: bigint) => {
    let [a, b, s, t] = [modulus, value % modulus, 0n, 1n];
    while (b !== 0n) [a, b, s, t] = [b, a % b, t, s - (a / b) * t];
    return ((s % modulus) + modulus) % modulus;
  };
  const residueOf = (numerator: bigint, denominator: bigint) =>
    (((numerator * inverse(denominator)) % modulus) + modulus) % modulus;

  test("finds numerators over one denominator", () => {
    const parts = [
      [0n, 1n],
      [-7n, 1n],
      [3n ** 60n, 2n ** 80n],
      [-(5n ** 30n), 3n * 2n ** 80n],
      [1n, 7n],
    ] as const;
    const found = reconstruct(
      parts.map(([numerator, denominator]) => residueOf(numerator, denominator)),
      modulus,
    );
    if (found === null) throw new Error("nothing was found");
    parts.forEach(([numerator, denominator], k) => {
      expect((found.numerators[k] as bigint) * denominator).toBe(numerator * found.denominator);
    });
  });

  test("finds nothing where the modulus is too small for it", () => {
    expect(reconstruct([residueOf(3n ** 130n, 2n ** 210n)], modulus)).toBeNull();
  });
});
