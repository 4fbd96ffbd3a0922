import { expect, test } from "vitest";
import { Predictor } from "../../../../src/cost/neural/predict.js";
import { tablePlacementHeuristics } from "../../../../src/problems/table-placement/methods/index.js";
import { measureMethods, Stopped, type Work } from "../../../../src/reproduce/autoshard/measured-methods.js";
import { type Task, taskProblem } from "../../../../src/reproduce/autoshard/task-problem.js";
import { drawnNetwork, drawTables } from "../../cost/neural/support.js";

const tables = drawTables(30, 1);
const judge = drawnNetwork("neural-convex", tables, 2);
const task: Task = { tables, devices: 4, hbmBytes: null };
const work: Work = { epochs: 1, sets: 1, randomPlans: 3, step: () => {} };

/** Costs of the devices under a method's plan, worked out apart. */
function costsOf(method: "random" | "lookup-greedy", seed: number): number[] {
  const { problem, instance } = taskProblem(task, { network: judge });
  const result = tablePlacementHeuristics[method](problem, { seed, instance });
  if (result.kind !== "plan") throw new Error(result.kind);
  const homes = result.placement.choices.map(({ devices }) => devices[0]);
  const predictor = new Predictor(judge, tables);
  return [0, 1, 2, 3].map((device) => predictor.cost(tables.flatMap((_, t) => (homes[t] === device ? [t] : []))));
}

test("balance is smallest over largest, speed-up is over the mean of random plans", () => {
  const guide = { network: judge };
  const [greedy, random] = measureMethods(
    "test",
    [task],
    judge,
    [
      { method: "lookup-greedy", guide },
      { method: "random", guide },
    ],
    work,
  );
  const costs = costsOf("lookup-greedy", 0);
  const draws = [0, 1, 2].map((seed) => costsOf("random", seed));
  const base = draws.reduce((sum, plan) => sum + Math.max(...plan), 0) / 3;
  expect(greedy).toMatchObject({ method: "lookup-greedy", tasks: 1, placed: 1 });
  expect(greedy?.balance).toEqual({ mean: Math.min(...costs) / Math.max(...costs), deviation: 0 });
  expect(greedy?.speedup?.mean).toBeCloseTo(base / Math.max(...costs), 12);
  expect(random?.speedup?.mean).toBeCloseTo(1, 12);
  const balances = draws.map((plan) => Math.min(...plan) / Math.max(...plan));
  expect(random?.balance?.mean).toBeCloseTo(balances.reduce((sum, value) => sum + value, 0) / 3, 12);
});

test("a method goes by its guide and is judged by the judge", () => {
  const blind = { network: judge, seen: () => tables[0] as (typeof tables)[number] };
  const [seeing, guessing] = measureMethods(
    "test",
    [task],
    judge,
    [
      { method: "predicted-greedy", guide: { network: judge } },
      { method: "predicted-greedy", guide: blind },
    ],
    work,
  );
  expect(seeing?.balance?.mean).toBeGreaterThan(guessing?.balance?.mean as number);
});

test("tasks whose tables do not fit count as not placed", () => {
  const full: Task = { ...task, hbmBytes: 1 };
  const [greedy] = measureMethods(
    "test",
    [task, full],
    judge,
    [{ method: "dim-greedy", guide: { network: judge } }],
    work,
  );
  expect(greedy).toMatchObject({ tasks: 2, placed: 1 });
  const [none] = measureMethods("test", [full], judge, [{ method: "dim-greedy", guide: { network: judge } }], work);
  expect(none).toMatchObject({ placed: 0, balance: null, speedup: null });
});

test("time that is up ends it", () => {
  const late: Work = {
    ...work,
    step: () => {
      throw new Stopped();
    },
  };
  const methods = [{ method: "dim-greedy", guide: { network: judge } }] as const;
  expect(() => measureMethods("test", [task], judge, methods, late)).toThrow(Stopped);
});
