import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import {
  decimalText,
  INFINITE_BOUND,
  isFiniteDecimal,
  outwardBound,
  writableScale,
} from "../../../src/program/decimal.js";
import { rationals } from "./random-programs.js";

const rational = (text: string) => Rational.parse(text);

describe("decimalText", () => {
  it.each([
    ["0", "0"],
    ["-12", "-12"],
    ["1/8", "0.125"],
    ["-1/10", "-0.1"],
    ["12345/100", "123.45"],
    ["1e20", "100000000000000000000"],
    ["-3e21", "-3e21"],
    ["12e-20", "12e-20"],
    ["-25e-5", "-0.00025"],
    ["1e-300", "1e-300"],
  ])("writes %s as %s", (value, text) => {
    expect(decimalText(rational(value))).toBe(text);
  });

  it("writes every finite decimal exactly and nothing else", () => {
    expect(decimalText(rational("1/3"))).toBeNull();
    expect(decimalText(rational("7/30"))).toBeNull();
    fc.assert(
      fc.property(rationals, (value) => {
        const text = decimalText(value);
        expect(text !== null).toBe(isFiniteDecimal(value));
        if (text !== null) expect(Rational.parse(text)).toEqual(value);
      }),
    );
  });
});

describe("writableScale", () => {
  it("is one for finite decimals, otherwise makes all numbers integers", () => {
    expect(writableScale([1n, 10n, 8n])).toBe(1n);
    expect(writableScale([1n, 10n, 3n])).toBe(30n);
    expect(writableScale([])).toBe(1n);
  });
});

describe("outwardBound", () => {
  it.each([
    ["1/3", "upper", "0.3333333333333333333333333333333333333334"],
    ["1/3", "lower", "0.3333333333333333333333333333333333333333"],
    ["-1/3", "upper", "-0.3333333333333333333333333333333333333333"],
    ["-1/3", "lower", "-0.3333333333333333333333333333333333333334"],
    ["0.1", "upper", "0.1"],
    ["1e29", "upper", "1e29"],
    ["1e30", "lower", "999999999999999999999999999999"],
    ["-1e40", "upper", "-999999999999999999999999999999"],
  ] as const)("%s as %s bound is written %s", (value, side, expected) => {
    expect(decimalText(outwardBound(rational(value), side) as Rational)).toBe(expected);
  });

  it("drops bounds that a file would take for infinite", () => {
    expect(outwardBound(INFINITE_BOUND, "upper")).toBeNull();
    expect(outwardBound(INFINITE_BOUND.negate(), "lower")).toBeNull();
    // Below 1e30, but rounded up to it.
    const close = INFINITE_BOUND.subtract(rational("1/3").multiply(rational("1e-45")));
    expect(outwardBound(close, "upper")).toBeNull();
    expect(outwardBound(close.negate(), "lower")).toBeNull();
    expect(outwardBound(null, "upper")).toBeNull();
  });

  it("moves a bound outwards by little, to a finite decimal", () => {
    fc.assert(
      fc.property(rationals, (value) => {
        const upper = outwardBound(value, "upper");
        expect(outwardBound(value.negate(), "lower")).toEqual(upper === null ? null : upper.negate());
        if (upper === null) {
          expect(value.compare(rational("999999999999999999999999999999"))).toBe(1);
          return;
        }
        expect(isFiniteDecimal(upper)).toBe(true);
        const excess = upper.subtract(value);
        expect(excess.sign()).toBeGreaterThanOrEqual(0);
        if (value.absolute().compare(INFINITE_BOUND) < 0) {
          expect(excess.compare(value.absolute().multiply(rational("1e-38")))).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
