import { expect, test } from "vitest";
import { type CheckedGroups, checkDrawnGroups } from "../support/check-groups.js";

test("on drawn instances the chosen size and its plan are the best of all that there are, and verify", async () => {
  const checked: CheckedGroups[] = [];
  for (let seed = 1; seed <= 12; seed++) checked.push(...[await checkDrawnGroups(seed)].flatMap((one) => one ?? []));
  expect(checked.length).toBeGreaterThan(6);
  expect(new Set(checked.map(({ chosen }) => chosen)).size).toBeGreaterThan(1);
});
