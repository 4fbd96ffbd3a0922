import { expect, test } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { parseWith } from "../../src/instance/parse.js";
import { aboveBound } from "../../src/plan-file/above-bound.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { randomTowers, towersText } from "../support/random-towers.js";

// How far a published method's towers were above an optimum near 1e-309 was no double, and the plan ended as bad input.
test("towers whose published methods are more than 1.8e308 times the optimum are planned", async () => {
  for (const seed of [81, 226, 849]) {
    const text = towersText(randomTowers(seededRandom(seed), { features: 8 }));
    const plan = await planInstance(parseWith([towerPartitionReader], text, "towers.yaml"), { gap: 0 });
    expect(plan.status, `seed ${seed}`).toBe("proved");
    const far = plan.baseline.filter(({ value, aboveBound: above }) => value !== null && above === null);
    expect(far.length, `seed ${seed}`).toBeGreaterThan(0);
  }
});

test("a share of a bound that no double is as large as is none", () => {
  const tiny = Rational.fromNumber(Number.MIN_VALUE);
  expect(aboveBound(Rational.of(2n), Rational.one)).toBe(1);
  expect(aboveBound(Rational.one, tiny)).toBe(null);
  expect(aboveBound(Rational.one, Rational.zero)).toBe(null);
  expect(aboveBound(Rational.zero, Rational.zero)).toBe(0);
  expect(aboveBound(Rational.one.add(tiny), Rational.one)).toBe(Number.MIN_VALUE);
});
