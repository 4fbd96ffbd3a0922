import { expect, test } from "vitest";
import { ceilOfQuotient, roundHalfEven } from "../../../../src/cost/torchrec/python-numbers.js";

test.each([
  [0.5, 0],
  [1.5, 2],
  [2.5, 2],
  [2.4999999999999996, 2],
  [3.5000000000000004, 4],
  [7, 7],
])("round(%d) is %d", (value, rounded) => {
  expect(roundHalfEven(value)).toBe(rounded);
});

test("a quotient of small integers is rounded up", () => {
  expect(ceilOfQuotient(10, 3, 2, 7)).toBe(3);
  expect(ceilOfQuotient(10, 3, 2, 5)).toBe(3);
});

test("a quotient of large integers is rounded once, then up, as Python's", () => {
  // Rounding the products first would make this 3675036950.
  expect(ceilOfQuotient(25725258643, 48840860 * 128, 341886020, 128)).toBe(3675036949);
  expect(Math.ceil((25725258643 * (48840860 * 128)) / (341886020 * 128))).toBe(3675036950);
  // The exact quotient is a little above the integer that its double is.
  expect(ceilOfQuotient(7873594206768, 416574497456, 548680241363, 1)).toBe(5977868898120);
  expect((7873594206768n * 416574497456n) / 548680241363n).toBe(5977868898120n);
  expect((7873594206768n * 416574497456n) % 548680241363n).not.toBe(0n);
});
