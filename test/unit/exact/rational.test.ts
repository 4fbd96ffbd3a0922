import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bitLength,
  decomposeDouble,
  doubleBelow,
  floorDivide,
  greatestCommonDivisor,
  leastCommonMultiple,
  Rational,
} from "../../../src/exact/rational.js";

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const magnitudes = fc.oneof(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }));
const denominators = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 2n ** 200n }));
const rationals = fc
  .tuple(magnitudes, denominators)
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));

/** A rational of any size: also around the smallest and the largest doubles. */
const scaledRationals = fc
  .tuple(rationals, fc.integer({ min: -1200, max: 1200 }))
  .map(([value, exponent]) =>
    exponent >= 0
      ? Rational.of(value.numerator << BigInt(exponent), value.denominator)
      : Rational.of(value.numerator, value.denominator << BigInt(-exponent)),
  );

/** The next double above, by its bits. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

describe("Rational.of", () => {
  it("reduces to lowest terms with a positive denominator", () => {
    expect(Rational.of(6n, -4n)).toMatchObject({ numerator: -3n, denominator: 2n });
    expect(Rational.of(0n, -7n)).toMatchObject({ numerator: 0n, denominator: 1n });
    fc.assert(
      fc.property(
        magnitudes,
        denominators,
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (numerator, denominator, factor) => {
          const value = Rational.of(numerator * factor, -denominator * factor);
          expect(value).toEqual(Rational.of(-numerator, denominator));
          expect(value.denominator > 0n).toBe(true);
          expect(greatestCommonDivisor(value.numerator, value.denominator)).toBe(1n);
        },
      ),
    );
  });

  it("refuses a zero denominator", () => {
    expect(() => Rational.of(1n, 0n)).toThrow(RangeError);
    expect(() => Rational.one.divide(Rational.zero)).toThrow(RangeError);
  });
});

describe("arithmetic", () => {
  it("satisfies the laws of a field", () => {
    fc.assert(
      fc.property(rationals, rationals, rationals, (a, b, c) => {
        expect(a.add(b)).toEqual(b.add(a));
        expect(a.add(b).add(c)).toEqual(a.add(b.add(c)));
        expect(a.multiply(b)).toEqual(b.multiply(a));
        expect(a.multiply(b.add(c))).toEqual(a.multiply(b).add(a.multiply(c)));
        expect(a.subtract(a)).toEqual(Rational.zero);
        expect(a.subtract(b).add(b)).toEqual(a);
        if (b.sign() !== 0) expect(a.divide(b).multiply(b)).toEqual(a);
      }),
    );
  });

  it("compares as the difference's sign says", () => {
    fc.assert(
      fc.property(rationals, rationals, (a, b) => {
        expect(a.compare(b)).toBe(a.subtract(b).sign());
        expect(a.compare(b)).toBe(0 - b.compare(a));
        expect(a.equals(b)).toBe(a.compare(b) === 0);
        expect(a.equals(a.add(b).subtract(b))).toBe(true);
        expect(a.absolute().sign()).toBe(a.sign() === 0 ? 0 : 1);
      }),
    );
    expect(Rational.parse("1/3").compare(Rational.parse("0.3333333333333333"))).toBe(1);
  });

  it("rounds down and up to integers", () => {
    expect(["7/2", "-7/2", "3", "-3", "-1/9"].map((text) => Rational.parse(text).floor())).toEqual([
      3n,
      -4n,
      3n,
      -3n,
      -1n,
    ]);
    expect(["7/2", "-7/2", "3", "-3", "1/9"].map((text) => Rational.parse(text).ceil())).toEqual([
      4n,
      -3n,
      3n,
      -3n,
      1n,
    ]);
    fc.assert(
      fc.property(rationals, (value) => {
        const floor = Rational.of(value.floor());
        expect(floor.compare(value)).toBeLessThanOrEqual(0);
        expect(floor.add(Rational.one).compare(value)).toBe(1);
        expect(value.ceil()).toBe(value.isInteger() ? value.floor() : value.floor() + 1n);
      }),
    );
  });
});

describe("text", () => {
  it.each([
    ["12", 12n, 1n],
    ["+12", 12n, 1n],
    ["-0.1", -1n, 10n],
    ["2.5e-3", 1n, 400n],
    ["1.50", 3n, 2n],
    [".5", 1n, 2n],
    ["5.", 5n, 1n],
    ["1E3", 1000n, 1n],
    ["1d+2", 100n, 1n],
    ["-6/4", -3n, 2n],
    ["0e-5", 0n, 1n],
  ])("parses %s", (text, numerator, denominator) => {
    expect(Rational.parse(text)).toMatchObject({ numerator, denominator });
  });

  it.each([
    "",
    ".",
    "-",
    "1e",
    "e5",
    "1/",
    "/2",
    "1/-2",
    "1.5/2",
    "0x10",
    "1_000",
    " 1",
    "1 ",
    "NaN",
    "Infinity",
    "--1",
  ])("refuses %j", (text) => {
    expect(() => Rational.parse(text)).toThrow(SyntaxError);
  });

  it.each(["1/0", "1e5001", "1e-5001", "0e-99999", `1${"0".repeat(50_000)}`, "1e99999999999999999999"])(
    "refuses %s for its range",
    (text) => {
      expect(() => Rational.parse(text)).toThrow(RangeError);
    },
  );

  it("parses what it prints", () => {
    fc.assert(
      fc.property(rationals, (value) => {
        expect(Rational.parse(value.toString())).toEqual(value);
        expect(JSON.parse(JSON.stringify(value))).toBe(value.toString());
      }),
    );
  });

  it("parses a double's shortest decimal to a number that rounds to that double", () => {
    fc.assert(
      fc.property(doubles, (value) => {
        expect(Rational.parse(String(value)).toNumber() + 0).toBe(value + 0);
      }),
    );
  });
});

describe("doubles", () => {
  it("converts every finite double without loss, subnormal ones included", () => {
    for (const value of [
      0.1,
      2 ** 53,
      2 ** 53 + 2,
      -(2 ** 1023),
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      2 ** -1022,
      3 * 2 ** -1074,
    ]) {
      expect(Rational.fromNumber(value).toNumber()).toBe(value);
      expect(Rational.fromNumber(-value).toNumber()).toBe(-value);
    }
    expect(Rational.fromNumber(-0)).toEqual(Rational.zero);
    expect(Rational.fromNumber(0.1).toString()).toBe("3602879701896397/36028797018963968");
    fc.assert(
      fc.property(doubles, (value) => {
        const exact = Rational.fromNumber(value);
        // Adding zero turns −0, which no rational is, into 0.
        expect(exact.toNumber()).toBe(value + 0);
        // In lowest terms.
        expect(Rational.of(exact.numerator, exact.denominator)).toEqual(exact);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("refuses %s", (value) => {
    expect(() => Rational.fromNumber(value)).toThrow(RangeError);
    expect(() => decomposeDouble(value)).toThrow(RangeError);
  });

  it("divides as IEEE 754 does, where that rounds correctly", () => {
    const integers = fc.maxSafeInteger();
    fc.assert(
      fc.property(integers, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (numerator, denominator) => {
        expect(Rational.of(BigInt(numerator), BigInt(denominator)).toNumber() + 0).toBe(numerator / denominator + 0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["just above half the smallest double", 1n, 2n ** 1075n - 1n, Number.MIN_VALUE],
    ["half the smallest double: a tie to even", 1n, 2n ** 1075n, 0],
    ["one and a half of the smallest double: a tie to even", 3n, 2n ** 1075n, 2 * Number.MIN_VALUE],
    ["a third of the smallest double", 1n, 3n * 2n ** 1074n, 0],
    ["the largest subnormal and a half: a tie to even", 2n ** 53n - 1n, 2n ** 1075n, 2 ** -1022],
    [
      "a tie between subnormals plus a hair",
      (2n ** 20n + 1n) * 2n ** 40n + 1n,
      2n ** 1115n,
      (2 ** 19 + 1) * 2 ** -1074,
    ],
    [
      "a tie between large subnormals plus a hair",
      (2n ** 52n + 1n) * 2n ** 60n + 1n,
      2n ** 1135n,
      (2 ** 51 + 1) * 2 ** -1074,
    ],
    [
      "a tie near 2^-1010 plus a hair: rounded once",
      (2n ** 64n + 2n ** 11n) * 8n + 1n,
      2n ** 1077n,
      (1 + 2 ** -52) * 2 ** -1010,
    ],
    ["a tie near 2^-1010", (2n ** 64n + 2n ** 11n) * 8n, 2n ** 1077n, 2 ** -1010],
    ["a tie beside 1 plus a hair", 2n ** 200n + 2n ** 147n + 1n, 2n ** 200n, 1 + 2 ** -52],
    [
      "just below the middle between the largest double and 2^1024",
      (2n ** 1024n - 2n ** 970n) * 3n - 1n,
      3n,
      Number.MAX_VALUE,
    ],
    ["just above that middle", (2n ** 1024n - 2n ** 970n) * 3n + 1n, 3n, Number.POSITIVE_INFINITY],
    ["far beyond the doubles", 10n ** 400n, 3n, Number.POSITIVE_INFINITY],
    ["far below the doubles", 1n, 10n ** 400n, 0],
  ])("rounds to nearest: %s", (_, numerator, denominator, expected) => {
    expect(Rational.of(numerator, denominator).toNumber()).toBe(expected);
    expect(Rational.of(-numerator, denominator).toNumber()).toBe(-expected);
  });

  it("gives a double that no neighbour beats", () => {
    fc.assert(
      fc.property(scaledRationals, (value) => {
        const nearest = value.toNumber();
        if (!Number.isFinite(nearest)) {
          expect(value.absolute().compare(Rational.fromNumber(Number.MAX_VALUE))).toBe(1);
          return;
        }
        const distance = (double: number) => Rational.fromNumber(double).subtract(value).absolute();
        for (const neighbour of [nextUp(nearest), -nextUp(-nearest)]) {
          if (!Number.isFinite(neighbour)) continue;
          const order = distance(nearest).compare(distance(neighbour));
          expect(order).toBeLessThanOrEqual(0);
          // Of two equally near doubles, the one with the even last bit.
          if (order === 0) expect((new Uint8Array(Float64Array.of(nearest).buffer)[0] as number) % 2).toBe(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("rounds down to the largest double at most the value, and up to the smallest at least it", () => {
    fc.assert(
      fc.property(scaledRationals, (value) => {
        const down = value.toNumberDown();
        const up = value.toNumberUp();
        if (Number.isFinite(down)) {
          expect(Rational.fromNumber(down).compare(value)).toBeLessThanOrEqual(0);
          const next = nextUp(down);
          if (Number.isFinite(next)) expect(Rational.fromNumber(next).compare(value)).toBe(1);
        } else {
          expect(down).toBe(Number.NEGATIVE_INFINITY);
          expect(Rational.fromNumber(-Number.MAX_VALUE).compare(value)).toBe(1);
        }
        expect(up + 0).toBe(0 - value.negate().toNumberDown());
      }),
      { numRuns: 1000 },
    );
    expect(Rational.parse("0.1").toNumberDown()).toBe(-nextUp(-0.1));
    expect(Rational.parse("0.1").toNumberUp()).toBe(0.1);
    expect(Rational.parse("1e400").toNumberDown()).toBe(Number.MAX_VALUE);
    expect(Rational.parse("-1e400").toNumberDown()).toBe(Number.NEGATIVE_INFINITY);
    expect(Rational.parse("1e-400").toNumberDown()).toBe(0);
    expect(Rational.parse("-1e-400").toNumberDown()).toBe(-Number.MIN_VALUE);
    expect(Object.is(Rational.zero.toNumberUp(), 0)).toBe(true);
  });
});

describe("integers", () => {
  it("takes greatest common divisors and least common multiples", () => {
    expect(greatestCommonDivisor(0n, 0n)).toBe(0n);
    expect(greatestCommonDivisor(-12n, 18n)).toBe(6n);
    expect(leastCommonMultiple(4n, 6n)).toBe(12n);
    fc.assert(
      fc.property(magnitudes, magnitudes, denominators, (a, b, factor) => {
        const divisor = greatestCommonDivisor(a * factor, b * factor);
        if (divisor === 0n) return;
        expect((a * factor) % divisor).toBe(0n);
        expect((b * factor) % divisor).toBe(0n);
        expect(divisor % factor).toBe(0n);
      }),
    );
  });

  it("is what Euclid's algorithm says of long numbers: like ones, unlike ones, and those of the longest runs", () => {
    const euclid = (a: bigint, b: bigint): bigint => (b === 0n ? a : euclid(b, a % b));
    const long = fc.bigInt({ min: 1n, max: 2n ** 600n });
    const factors = fc.oneof(denominators, fc.bigInt({ min: 1n, max: 2n ** 900n }));
    fc.assert(
      fc.property(long, long, factors, fc.nat(700), (a, b, factor, shift) => {
        for (const [x, y] of [
          [a * factor, b * factor],
          [(a * factor) << BigInt(shift), b * factor],
          [a * factor, a * factor + b],
          [b, (a * factor) << BigInt(shift)],
        ] as const) {
          expect(greatestCommonDivisor(x, y)).toBe(euclid(x, y));
        }
      }),
    );
    let [before, fibonacci] = [1n, 1n];
    for (let k = 0; k < 2000; k++) [before, fibonacci] = [fibonacci, before + fibonacci];
    expect(greatestCommonDivisor(fibonacci * 21n, before * 21n)).toBe(21n);
    expect(greatestCommonDivisor(2n ** 500n, 2n ** 500n)).toBe(2n ** 500n);
  });

  it("divides towards minus infinity", () => {
    fc.assert(
      fc.property(magnitudes, denominators, (dividend, divisor) => {
        const remainder = dividend - floorDivide(dividend, divisor) * divisor;
        expect(remainder >= 0n && remainder < divisor).toBe(true);
      }),
    );
  });

  it("rounds a fraction down that is not in lowest terms", () => {
    fc.assert(
      fc.property(magnitudes, denominators, denominators, (numerator, denominator, factor) => {
        const expected = Rational.of(numerator, denominator).toNumberDown();
        expect(doubleBelow(numerator * factor, denominator * factor)).toBe(expected);
      }),
    );
  });

  it("counts bits", () => {
    expect(bitLength(0n)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (exponent) => {
        expect(bitLength(2n ** BigInt(exponent))).toBe(exponent + 1);
        expect(bitLength(2n ** BigInt(exponent + 1) - 1n)).toBe(exponent + 1);
      }),
    );
  });
});
