import { expect, test } from "vitest";
import { type CheckedGroups, checkDrawnGroups } from "../support/check-groups.js";
import { drawsOf } from "../support/draws.js";

const PER_TEST = 20;
const draws = drawsOf(220, 100);
const checked: CheckedGroups[] = [];

test.each(draws.seeds.filter((_, k) => k % PER_TEST === 0).map((first, k) => ({ first, k })))(
  "from seed $first: the chosen size and its plan are the best of all that there are, and verify",
  async ({ k }) => {
    for (const seed of draws.seeds.slice(k * PER_TEST, (k + 1) * PER_TEST)) {
      checked.push(...[await checkDrawnGroups(seed)].flatMap((one) => one ?? []));
    }
  },
);

test("the drawn ones have hot rows, caches, every strategy, and sizes that nothing fits", () => {
  const among = (of: (one: CheckedGroups) => boolean) => checked.filter(of).length;
  expect(checked.length).toBeGreaterThanOrEqual(draws.atLeast(151));
  expect(among(({ isHot }) => isHot)).toBeGreaterThanOrEqual(draws.atLeast(6));
  expect(among(({ isCached }) => isCached)).toBeGreaterThanOrEqual(draws.atLeast(6));
  expect(among(({ isFullySharded }) => isFullySharded)).toBeGreaterThanOrEqual(draws.atLeast(21));
  expect(among(({ infeasible, sizes }) => infeasible === sizes)).toBeGreaterThanOrEqual(draws.atLeast(4));
  expect(among(({ infeasible, sizes }) => infeasible > 0 && infeasible < sizes)).toBeGreaterThanOrEqual(
    draws.atLeast(6),
  );
  expect(new Set(checked.map(({ chosen }) => chosen)).size).toBeGreaterThan(draws.isWhole ? 3 : 0);
});
