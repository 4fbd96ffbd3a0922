import { expect, test } from "vitest";
import { type CheckedGroups, checkDrawnGroups } from "../support/check-groups.js";

test("on many drawn instances the chosen size and its plan are the best of all that there are, and verify", async () => {
  const checked: CheckedGroups[] = [];
  for (let seed = 100; seed < 320; seed++) {
    checked.push(...[await checkDrawnGroups(seed)].flatMap((one) => one ?? []));
  }
  expect(checked.length).toBeGreaterThan(150);
  const among = (of: (one: CheckedGroups) => boolean) => checked.filter(of).length;
  expect(among(({ isHot }) => isHot)).toBeGreaterThan(5);
  expect(among(({ isCached }) => isCached)).toBeGreaterThan(5);
  expect(among(({ isFullySharded }) => isFullySharded)).toBeGreaterThan(20);
  expect(among(({ infeasible, sizes }) => infeasible === sizes)).toBeGreaterThan(3);
});
