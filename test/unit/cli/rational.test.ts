import fc from "fast-check";
import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { rationalText } from "../../../src/terminal/rational.js";

test.each([
  ["0", "0"],
  ["1234567", "1,234,567"],
  ["-1234", "−1,234"],
  ["9007199254740993", "9,007,199,254,740,993"],
  ["1/2", "0.5"],
  ["-1/8", "−0.125"],
  ["12345/8", "1,543.125"],
  ["1/3", "≈ 0.333333333 (1/3)"],
  ["-2/3", "≈ −0.666666667 (-2/3)"],
  ["1/300000000000", "≈ 3.33333333e-12 (1/300000000000)"],
  [`1${"0".repeat(40)}`, "1000000000… (41 digits)"],
])("%s is shown as %s", (value, text) => {
  expect(rationalText(Rational.parse(value))).toBe(text);
});

const rationals = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))
  .map(([numerator, denominator]) => Rational.of(numerator, denominator));

test("a text rounded down or up is on its side of the number, and near it", () => {
  fc.assert(
    fc.property(rationals, fc.constantFrom("down" as const, "up" as const), (value, rounding) => {
      const shown = Rational.parse(rationalText(value, rounding).replaceAll(",", "").replaceAll("−", "-"));
      const order = shown.compare(value);
      expect(rounding === "down" ? order : -order).toBeLessThanOrEqual(0);
      const error = shown.subtract(value).absolute();
      expect(error.compare(value.absolute().multiply(Rational.of(1n, 10n ** 7n)))).toBeLessThanOrEqual(0);
    }),
  );
});
