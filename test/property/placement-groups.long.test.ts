import { expect, test } from "vitest";
import { type CheckedGroups, checkDrawnGroups } from "../support/check-groups.js";

const PER_TEST = 20;
const checked: CheckedGroups[] = [];

test.each(Array.from({ length: 11 }, (_, k) => 100 + PER_TEST * k))(
  "from seed %d: the chosen size and its plan are the best of all that there are, and verify",
  async (first) => {
    for (let seed = first; seed < first + PER_TEST; seed++) {
      checked.push(...[await checkDrawnGroups(seed)].flatMap((one) => one ?? []));
    }
  },
);

test("the drawn ones have hot rows, caches, every strategy, and sizes that nothing fits", () => {
  const among = (of: (one: CheckedGroups) => boolean) => checked.filter(of).length;
  expect(checked.length).toBeGreaterThan(150);
  expect(among(({ isHot }) => isHot)).toBeGreaterThan(5);
  expect(among(({ isCached }) => isCached)).toBeGreaterThan(5);
  expect(among(({ isFullySharded }) => isFullySharded)).toBeGreaterThan(20);
  expect(among(({ infeasible, sizes }) => infeasible === sizes)).toBeGreaterThan(3);
  expect(among(({ infeasible, sizes }) => infeasible > 0 && infeasible < sizes)).toBeGreaterThan(5);
  expect(new Set(checked.map(({ chosen }) => chosen)).size).toBeGreaterThan(3);
});
