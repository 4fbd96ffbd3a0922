import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { type PlacementModel, placementModel } from "../../../../../models/table-placement/from-instance.js";
import type { NetworkTable } from "../../../../../src/cost/neural/features.js";
import type { TablePlacementInstance } from "../../../../../src/instance/types/table-placement.js";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { loadTasks } from "../../../../../src/problems/table-placement/methods/autoshard/tasks-file.js";
import {
  learnedCostHeuristics,
  tablePlacementHeuristics,
} from "../../../../../src/problems/table-placement/methods/index.js";
import { planOf } from "./support.js";

const HEURISTICS = { ...tablePlacementHeuristics, ...learnedCostHeuristics };
const SHIPPED = { neural: "cpu-4-workers.neural.json", policy: "policy-cpu-4-workers.json" };
const tasks = await loadTasks("instances/costs/autoshard-tasks.json");

/** Tables under the shipped network, with the shipped policy unless `costModel` says otherwise. */
function modelOf(
  tables: readonly NetworkTable[],
  devices: number,
  hbmBytes: number,
  costModel: object = SHIPPED,
): PlacementModel {
  const document = {
    shardproof: 1,
    name: "task",
    problem: "table-placement",
    costModel,
    cluster: { nodes: 1, gpusPerNode: devices, hbmBytesPerGpu: hbmBytes },
    tables: tables.map(({ elementBytes: _, ...table }, t) => ({ name: `t${t}`, ...table })),
  };
  const instance = parseInstance(JSON.stringify(document), "instances/costs/task.json");
  return placementModel(instance as TablePlacementInstance);
}

function run(method: keyof typeof HEURISTICS, { problem, tables }: PlacementModel) {
  return HEURISTICS[method](problem, { seed: 0, instance: { tables } });
}

/** The largest device cost of a method's plan, which keeps to all limits. */
function largestOf(method: keyof typeof HEURISTICS, model: PlacementModel): number {
  const { objective, violations } = evaluatePlacement(model.problem, planOf(run(method, model)));
  expect(violations).toEqual([]);
  return objective.toNumber();
}

const GREEDIES = [
  ...["size-greedy", "dim-greedy", "lookup-greedy", "size-lookup-greedy", "predicted-greedy-single"],
] as (keyof typeof HEURISTICS)[];

test("on the tasks that it did not learn from, the shipped policy beats every greedy method whose costs add up", () => {
  const hbmBytes = tasks.hbmBytes as number;
  let wins = 0;
  let [policy, random] = [0, 0];
  for (const tables of tasks.test) {
    const model = modelOf(tables, tasks.devices, hbmBytes);
    const largest = largestOf("autoshard-rl", model);
    if (GREEDIES.every((method) => largest < largestOf(method, model))) wins++;
    policy += largest;
    random += largestOf("random-search", model);
  }
  expect(tasks.test.length).toBe(10);
  expect(wins).toBeGreaterThanOrEqual(8);
  expect(policy / random).toBeLessThan(0.8);
});

test("learned from 80 tables on 8 devices, it places 800 on 80 before the test is given up", {
  timeout: 30_000,
}, () => {
  const model = modelOf(tasks.test.flat(), 80, tasks.hbmBytes as number);
  const largest = largestOf("autoshard-rl", model);
  expect(largest).toBeLessThan(largestOf("lookup-greedy", model));
});

test("devices without room for a table are left out", () => {
  const [tables] = tasks.test as [readonly NetworkTable[]];
  const bytes = tables.reduce((sum, { rows, dim, elementBytes }) => sum + rows * dim * elementBytes, 0);
  const tight = modelOf(tables, 8, Math.ceil((1.15 * bytes) / 8));
  const loosePlan = planOf(run("autoshard-rl", modelOf(tables, 8, bytes)));
  expect(evaluatePlacement(tight.problem, loosePlan).violations).not.toEqual([]);
  expect(largestOf("autoshard-rl", tight)).toBeGreaterThan(0);
  expect(run("autoshard-rl", modelOf(tables, 8, Math.floor(bytes / 8)))).toEqual({
    kind: "none",
    reason: expect.stringMatching(/^no device had room left for t\d+ after \d+ of 80 tables$/),
  });
});

test("without a policy it does not apply, and says what it needs", () => {
  const model = modelOf(tasks.test[0] as readonly NetworkTable[], 8, 2 ** 40, { neural: SHIPPED.neural });
  expect(run("autoshard-rl", model)).toEqual({
    kind: "not-applicable",
    reason: "needs a policy that learned under this cost (costModel: {neural: FILE, policy: FILE})",
  });
});

test("a policy that cannot be read, or learned under other weights, is bad input", () => {
  const tables = (tasks.test[0] as readonly NetworkTable[]).slice(0, 4);
  const runWith = (costModel: object) => () => run("autoshard-rl", modelOf(tables, 2, 2 ** 40, costModel));
  expect(runWith({ ...SHIPPED, policy: "none.json" })).toThrow(
    /^instances\/costs\/task\.json: costModel\.policy: expected a file that can be read, received none\.json \(no such file\)/,
  );
  expect(runWith({ ...SHIPPED, neural: "cpu-4-workers.neuroshard.json" })).toThrow(
    /policy-cpu-4-workers\.json:\d+:\d+: costNetwork: expected a policy that learned under the cost network in use/,
  );
  expect(runWith({ ...SHIPPED, policy: SHIPPED.neural })).toThrow(/^\S+neural\.json:4:1: unit: unknown key/);
});
