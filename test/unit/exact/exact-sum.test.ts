import fc from "fast-check";
import { expect, test } from "vitest";
import { ExactSum } from "../../../src/exact/exact-sum.js";
import { Rational } from "../../../src/exact/rational.js";

const fractions = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 20n }));

test("a sum of fractions, in lowest terms or not, is that of rationals", () => {
  fc.assert(
    fc.property(fc.array(fractions, { maxLength: 12 }), fc.bigInt({ min: 1n, max: 99n }), (terms, divisor) => {
      const sum = new ExactSum();
      let expected = Rational.zero;
      for (const [numerator, denominator] of [...terms, ...terms.slice(0, 3)]) {
        sum.add(numerator * 6n, denominator * 6n);
        expected = expected.add(Rational.of(numerator, denominator));
      }
      expect(sum.total(divisor)).toEqual(expected.divide(Rational.of(divisor)));
    }),
  );
});
