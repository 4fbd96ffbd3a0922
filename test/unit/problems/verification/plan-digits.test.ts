import { expect, test } from "vitest";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import { someOf } from "../../../support/draws.js";
import { planRowTiers } from "../../../support/planned.js";

// The values here have seventeen digits, the last of which often do not change the double that is read.
const INSTANCE = "instances/tiny/latency-channels.yaml";

test("no digit of a plan file can be changed unseen, not even one that a double would hide", async () => {
  const text = writePlan(await planRowTiers(INSTANCE));
  const verifies = async (changed: string): Promise<boolean> => {
    try {
      return (await verifyPlanText(changed, "plan.json", loadInstance)).passed;
    } catch {
      // No plan any more: seen as well.
      return false;
    }
  };
  expect(await verifies(text)).toBe(true);
  const unseen: string[] = [];
  const digits = [...text.matchAll(/\d/g)];
  // Neighbours are alike: a tenth of the digits is every tenth.
  const ways = someOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1);
  for (const [k, { index: at, 0: digit }] of digits.entries()) {
    if (!ways.includes(k % 10)) continue;
    const changed = text.slice(0, at) + String((Number(digit) + 1) % 10) + text.slice(at + 1);
    if (await verifies(changed)) unseen.push(text.slice(Math.max(0, at - 30), at + 10));
  }
  expect(digits.length).toBeGreaterThan(500);
  expect(unseen).toEqual([]);
});
