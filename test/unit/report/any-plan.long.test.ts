import { beforeAll, describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../../../src/exact/random.js";
import { shapedPlan } from "../../../src/problems/planning/report.js";
import type { ReportPlan } from "../../../src/report/input.js";
import { reportPage } from "../../../src/report/page.js";
import { reportOf } from "./report-inputs.js";

/** Whatever a plan file of the right shape says, a page comes out: a check that fails is told on it. */
describe.each([
  ["row-tiers", "instances/tiny/three-tiers-serial.yaml"],
  ["table-placement", "instances/tiny/placement-second-goal.yaml"],
  ["tower-partition", "instances/tiny/towers-load.yaml"],
] as const)("any plan of %s", (_, instance) => {
  let report: ReportPlan;
  beforeAll(async () => {
    report = await reportOf(instance);
  });

  test("has a page, with and without what its instance adds", async () => {
    const random = seededRandom(99);
    let pages = 0;
    for (let k = 0; k < 60 && pages < 12; k++) {
      const changed = structuredClone(report.plan) as unknown as Record<string, unknown>;
      for (let c = 0; c < 4; c++) change(changed, random);
      let plan: unknown;
      try {
        plan = await shapedPlan(JSON.stringify(changed), "plan.json");
      } catch {
        continue;
      }
      pages++;
      const charts = k % 2 === 0 ? report.charts : null;
      const page = await reportPage([{ ...report, plan, charts } as ReportPlan]);
      expect(page.match(/<script/g)).toHaveLength(2);
      expect(page).not.toMatch(/<(?:img|i)\b/);
    }
    expect(pages).toBe(12);
  });
});

const NUMBERS = [0, -1, 0.5, 1e308, -1e-300, 7, 2 ** 53];
const TEXTS = ["constructor", "__proto__", "", '"><img src=x>', "</script><i>", "toString", "heuristic", "infeasible"];

/** Changes one value somewhere inside, to another that may still be of its type. */
function change(value: Record<string, unknown>, random: Random): void {
  const keys = Object.keys(value).filter((key) => !["problem", "shardproof"].includes(key));
  const key = keys[random.integer(keys.length)];
  if (key === undefined) return;
  const inside = value[key];
  const goesOn = typeof inside === "object" && inside !== null && random.next() < 0.8;
  if (goesOn) change(inside as Record<string, unknown>, random);
  else if (typeof inside === "number") value[key] = NUMBERS[random.integer(NUMBERS.length)];
  else if (typeof inside === "string") value[key] = TEXTS[random.integer(TEXTS.length)];
  else value[key] = Array.isArray(inside) && random.next() < 0.5 ? [] : null;
}
