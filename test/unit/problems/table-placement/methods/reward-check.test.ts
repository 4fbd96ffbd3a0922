import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { writePolicy } from "../../../../../src/problems/table-placement/methods/autoshard/policy-file.js";
import { PolicyNetwork } from "../../../../../src/problems/table-placement/methods/autoshard/policy-network.js";
import {
  checkReward,
  misledInAll,
  misledPairs,
} from "../../../../../src/problems/table-placement/methods/reward-check.js";
import { taskProblem } from "../../../../../src/reproduce/autoshard/task-problem.js";
import { drawnNetwork, drawTables } from "../../../cost/neural/support.js";

test("a pair misleads where the slower plan is better balanced", () => {
  // Ratios 0.5, 0.9, 0.2 and 0.9 with largest costs 10, 12, 9 and 12.
  const plans = [
    [10, 5],
    [12, 10.8],
    [9, 1.8],
    [10.8, 12],
  ];
  // 12 before 10 twice, 12 before 9 twice, 10 before 9; 12 and 12 are no pair.
  const { meanExcess, ...counts } = misledPairs(plans);
  expect(counts).toEqual({ pairs: 5, misled: 5 });
  expect(meanExcess).toBeCloseTo((2 * (2 / 10) + 2 * (3 / 9) + 1 / 9) / 5, 12);
  expect(
    misledPairs([
      [10, 5],
      [8, 7],
    ]),
  ).toEqual({ pairs: 1, misled: 0, meanExcess: 0 });
});

test("equal ratios prefer neither, and a device below 0 is a ratio below all others", () => {
  expect(
    misledPairs([
      [10, 5],
      [8, 4],
    ]),
  ).toMatchObject({ pairs: 1, misled: 0 });
  expect(
    misledPairs([
      [10, -1],
      [8, 0],
    ]),
  ).toMatchObject({ pairs: 1, misled: 0 });
  expect(misledPairs([])).toEqual({ pairs: 0, misled: 0, meanExcess: 0 });
});

test("counts of groups add up, their means by weight", () => {
  const groups = [
    { pairs: 10, misled: 1, meanExcess: 0.4 },
    { pairs: 5, misled: 3, meanExcess: 0.2 },
    { pairs: 2, misled: 0, meanExcess: 0 },
  ];
  const { meanExcess, ...counts } = misledInAll(groups);
  expect(counts).toEqual({ pairs: 17, misled: 4 });
  expect(meanExcess).toBeCloseTo(0.25, 12);
  expect(misledInAll([])).toEqual({ pairs: 0, misled: 0, meanExcess: 0 });
});

const tables = drawTables(12, 1);
const network = drawnNetwork("neural-convex", tables, 2);
for (const { values } of network.network.parameters()) values.set(values.map(Math.abs));
const written = writePolicy(
  {
    policy: { network: PolicyNetwork.drawn(seededRandom(3)), costUnit: 1 },
    progress: { steps: 0, seed: 0, reward: "ratio" },
  },
  network,
  {},
);
const policy = { file: "policy.json", text: () => written };

function checked(hbmBytes: number | null, hasPolicy: boolean, found: Parameters<typeof checkReward>[2] = []) {
  const task = { tables, devices: 3, hbmBytes };
  const { problem, setCost, instance } = taskProblem(task, { network, ...(hasPolicy ? { policy } : {}) });
  return checkReward(problem, setCost, found, { seed: 1, instance });
}

test("plans are drawn at random and from the policy, and paired within and across", () => {
  const all = checked(null, true);
  expect([all.methods.plans, all.random.plans, all.policy.plans, all.all.plans]).toEqual([0, 100, 50, 150]);
  expect(all.all.pairs).toBeGreaterThan(all.random.pairs + all.policy.pairs);
  expect(all.random.misled).toBeGreaterThan(0);
  expect(checked(null, true)).toEqual(all);
  expect(checked(null, false).policy).toMatchObject({ plans: 0, pairs: 0 });
});

test("plans that do not fit do not count", () => {
  const bytes = tables.reduce((sum, { rows, dim, elementBytes }) => sum + rows * dim * elementBytes, 0);
  const short = checked(0.8 * bytes, true);
  expect(short.random.plans).toBeGreaterThan(0);
  expect(short.random.plans).toBeLessThan(100);
  expect(short.policy.plans).toBeLessThan(50);
  expect(checked(1, true).all.plans).toBe(0);
});

test("plans that methods found are paired with one another and with all others", () => {
  const alone = checked(null, true);
  const found = [
    [10, 5, 1],
    [12, 12, 12],
  ];
  const both = checked(null, true, found);
  expect(both.methods).toEqual({ plans: 2, ...misledPairs(found) });
  expect([both.random, both.policy]).toEqual([alone.random, alone.policy]);
  expect(both.all.pairs).toBe(alone.all.pairs + 1 + 2 * alone.all.plans);
});
