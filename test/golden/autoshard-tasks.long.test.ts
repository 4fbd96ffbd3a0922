import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import { readWeights } from "../../src/cost/neural/weights.js";
import { requireInstance } from "../../src/instance/reader.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { loadTasks } from "../../src/problems/table-placement/methods/autoshard/tasks-file.js";
import { METHODS } from "../../src/reproduce/autoshard/measured-methods.js";
import type { MethodName } from "../../src/reproduce/autoshard/reproduction.js";
import { type Task, type TaskProblem, taskProblem } from "../../src/reproduce/autoshard/task-problem.js";
import { someOf } from "../support/draws.js";
import { instanceFiles } from "../support/instance-files.js";

const costs = (name: string) => `instances/costs/${name}`;
const WEIGHTS = costs("cpu-4-workers.neural.json");
const POLICY = costs("policy-cpu-4-workers.json");

const files = instanceFiles(["paper"], "table-placement").filter((file) => /autoshard-\d\.yaml$/.test(file));

/** AutoShard's rules, whose costs add up. */
const ADDITIVE = ["size-greedy", "dim-greedy", "lookup-greedy", "size-lookup-greedy"] as const;
const LEARNED = ["predicted-greedy", "simulated-annealing", "neuroshard-search"] as const;

let problems: readonly TaskProblem[] = [];

beforeAll(async () => {
  const network = readWeights(readFileSync(WEIGHTS, "utf8"), WEIGHTS);
  const policy = { file: POLICY, text: () => readFileSync(POLICY, "utf8") };
  const { test: tasks, devices, hbmBytes } = await loadTasks(costs("autoshard-tasks.json"));
  problems = tasks.map(
    (tables): TaskProblem => taskProblem({ tables, devices, hbmBytes } satisfies Task, { network, policy }),
  );
});

/** Milliseconds of the device that takes longest under a method's plan, which there has to be. */
function largestOf(method: MethodName, task: number): number {
  const { problem, instance } = problems[task] as TaskProblem;
  const result = METHODS[method](problem, { seed: 0, instance });
  if (result.kind !== "plan") throw new Error(`${method} on task ${task}: ${result.reason}`);
  return evaluatePlacement(problem, result.placement).largest.toNumber();
}

test("the ten tasks are those of the instances, table by table", async () => {
  expect(files.map((file) => basename(file))).toEqual([...Array(10).keys()].map((task) => `autoshard-${task}.yaml`));
  for (const [task, file] of files.entries()) {
    const { tables } = requireInstance(tablePlacementReader, await loadInstance(file));
    const shapes = tables.map(({ features }) => [features?.rows, features?.dim]);
    expect(problems[task]?.instance.tables.map(({ features }) => [features?.rows, features?.dim])).toEqual(shapes);
  }
});

describe.each(someOf([...Array(10).keys()], 3))("task %i under the shipped network", (task) => {
  test("what looks at predicted costs of sets is faster than lookup-greedy", () => {
    const lookup = largestOf("lookup-greedy", task);
    for (const method of LEARNED) expect(largestOf(method, task)).toBeLessThan(lookup);
  });
});

test("the shipped policy is faster than every rule whose costs add up, on at least eight of the ten", () => {
  const tasks = [...Array(10).keys()];
  const better = tasks.filter((task) => {
    const policy = largestOf("autoshard-rl", task);
    return ADDITIVE.every((rule) => policy < largestOf(rule, task));
  });
  expect(better.length).toBeGreaterThanOrEqual(8);
});
