import { expect, test } from "vitest";
import { loadWith } from "../../src/instance/load.js";
import type { RowTiersObjective } from "../../src/instance/types/row-tiers.js";
import { rowTiersFrontier } from "../../src/problems/row-tiers/frontier/frontier.js";
import type { FrontierFile } from "../../src/problems/row-tiers/frontier/report.js";
import { rowTiersReader } from "../../src/problems/row-tiers/instance/reader.js";
import { readExpected } from "../support/expected.js";

const CRITEO = "instances/public/criteo1tb.yaml";
const RM2 = "instances/paper/flexshard-rm2.yaml";

async function frontier(file: string, objective?: RowTiersObjective, points = 20): Promise<FrontierFile> {
  const instance = await loadWith([rowTiersReader], file);
  return rowTiersFrontier(objective === undefined ? instance : { ...instance, objective }, { points });
}

/** Seconds of the processor that the curve alone takes, reading included: a busy machine takes no more of them. */
async function curveSeconds(file: string, objective: RowTiersObjective): Promise<number> {
  const before = process.cpuUsage();
  await frontier(file, objective, 0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** In doubles, with room for their rounding. */
function isConvex({ breakPoints }: FrontierFile): boolean {
  const slopes = breakPoints.slice(1).map(({ bytesPerGpu, value }, k) => {
    const before = breakPoints[k] as (typeof breakPoints)[number];
    return (value - before.value) / (bytesPerGpu - before.bytesPerGpu);
  });
  return slopes.every((slope, k) => slope < 0 && (k === 0 || slope >= (slopes[k - 1] as number) * (1 + 1e-6)));
}

test.each(["serial", "exposed", "channels"] as const)(
  "criteo1tb, %s: proved, convex, no greedy plan below",
  async (objective) => {
    const report = await frontier(CRITEO, objective);
    expect(report.isComplete).toBe(true);
    expect(report.optimal).toHaveLength(21);
    expect(report.check).toEqual({ plans: 67, below: [] });
    expect(isConvex(report)).toBe(true);
    expect(await curveSeconds(CRITEO, objective)).toBeLessThan(objective === "channels" ? 10 : 1);
    const values = report.optimal.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    // The first budget holds the plan of least memory alone, which is point A without flex.
    expect(report.optimal[0]?.usedBytesPerGpu).toBe(report.breakPoints[0]?.bytesPerGpu);
  },
);

test("at the instance's own budget the point is the expected optimum", async () => {
  const own = (await frontier(CRITEO)).optimal.find(({ isOwnBudget }) => isOwnBudget);
  expect(own?.value).toBe(readExpected(CRITEO).objective);
});

test("thousands of classes: every break-point, without a single integer solve", async () => {
  const report = await frontier(RM2, "serial", 0);
  expect(report.optimal).toEqual([]);
  expect(report.relaxation).toMatchObject({ method: "sorted", precision: 0 });
  expect(report.breakPoints.length).toBeGreaterThan(4000);
  expect(report.breakPoints.at(-1)?.bytesPerGpu).toBe(report.points?.c.bytesPerGpu);
  expect(report.check.below).toEqual([]);
  expect(await curveSeconds(RM2, "serial")).toBeLessThan(2);
});
