import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { numbersOf } from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { limitedDescent } from "../../../../../src/problems/tower-partition/solve/limited-descent.js";
import { evaluateGrouping } from "../../../../../src/program/grouping/evaluate.js";
import type { Grouping, SizeWindow } from "../../../../../src/program/grouping/grouping.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

test("from a numbering that breaks loads and conflicts to a good one that keeps to all", () => {
  const plain = seededGrouping("planted", { features: 30, towers: 5, sizeRatio: 1.5 }, "pairwise", 3);
  const random = seededRandom(9);
  const weights = plain.elements.map(() => Rational.of(BigInt(1 + random.integer(20))));
  const total = weights.reduce((sum, weight) => sum.add(weight), Rational.zero);
  const grouping: Grouping = {
    ...plain,
    furtherLoads: [{ weights, most: total.multiply(Rational.of(11n, 50n)) }],
    // Of the first six no two are in one group with one of the last six.
    conflicts: [
      [
        { elements: [0, 1, 2, 3, 4, 5], count: 2 },
        { elements: [24, 25, 26, 27, 28, 29], count: 1 },
      ],
    ],
  };
  const numbers = numbersOf(grouping);
  const [window] = grouping.windows.toReversed() as [SizeWindow];
  const start = grouping.elements.map((_, element) => element % 5);
  expect(evaluateGrouping(grouping, start).violations.length).toBeGreaterThan(0);
  const found = limitedDescent(grouping, numbers, window, start, () => false) as readonly number[];
  const { objective, violations } = evaluateGrouping(grouping, found);
  expect(violations).toEqual([]);
  expect(objective.compare(evaluateGrouping(grouping, start).objective)).toBe(-1);
  // Nothing fits into groups that carry half of the mean.
  const none = { ...grouping, furtherLoads: [{ weights, most: total.multiply(Rational.of(1n, 10n)) }] };
  expect(limitedDescent(none, numbers, window, start, () => false)).toBeNull();
});
