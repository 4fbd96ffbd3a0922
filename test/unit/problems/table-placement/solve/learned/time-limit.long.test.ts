import { expect, test } from "vitest";
import { neuralProgram } from "../../../../../../models/table-placement/learned/build.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { requireInstance } from "../../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../../../src/problems/table-placement/instance/reader.js";
import { compareTablePlacement } from "../../../../../../src/problems/table-placement/solve/compare.js";
import { averageBound } from "../../../../../../src/problems/table-placement/solve/learned/average-bound.js";
import { planTablePlacement } from "../../../../../../src/problems/table-placement/solve/plan.js";
import { partitionBelow } from "../../../../../../src/proof/kernel/partition/partition.js";
import { viewOf } from "../../../../../../src/proof/kernel/view.js";
import { TimeBudget } from "../../../../../../src/search/time/time-budget.js";
import { testInTurn } from "../../../../../support/draws.js";
import { onSteppingClock } from "../../../../../support/stepping-clock.js";
import { drawNeural } from "../../../../models/neural-support.js";

async function load(file: string) {
  return requireInstance(tablePlacementReader, await loadInstance(file));
}

/** A shipped task several times over, on as many devices more. */
async function repeated(file: string, times: number) {
  const task = await load(file);
  const tables = Array.from({ length: times }, (_, k) =>
    task.tables.map((table) => ({ ...table, name: `${table.name}_${k}` })),
  ).flat();
  return { ...task, cluster: { ...task.cluster, gpusPerNode: task.cluster.gpusPerNode * times }, tables };
}

testInTurn(
  "240 tables on 24 devices: four seconds of a clock give a plan and a bound, and are not much exceeded",
  async () => {
    const instance = await repeated("instances/costs/autoshard-0-learned.yaml", 3);
    const { result, looks } = await onSteppingClock(0.5, () => planTablePlacement(instance, { timeLimitSeconds: 4 }));
    const { status, objective, baseline, devices } = result;
    expect(looks / 2000).toBeLessThan(4 * 1.1 + 1);
    expect(status).toBe("feasible");
    expect(devices?.flat().length).toBe(240);
    const others = baseline.flatMap(({ value }) => value ?? []);
    expect(others.length).toBeGreaterThan(3);
    expect(Math.min(...others)).toBeGreaterThanOrEqual(objective.value as number);
    expect(objective.bound).toBeGreaterThan(0);
  },
);

test("without the time to build the program there is the best heuristic's plan, and no bound", async () => {
  const instance = await repeated("instances/costs/autoshard-0-learned.yaml", 2);
  const plan = await planTablePlacement(instance, { timeLimitSeconds: 0.001 });
  expect(plan).toMatchObject({ status: "unknown", certificate: null });
  expect(plan.objective.bound).toBeNull();
  expect(plan.devices?.flat().length).toBe(160);
});

test("tables that may be cut: no published method is better than optimal, and its bound is above 0", async () => {
  const task = await load("instances/costs/neuroshard-1-learned.yaml");
  const instance = { ...task, cluster: { ...task.cluster, gpusPerNode: 2 }, tables: task.tables.slice(2, 8) };
  // The search ends at the gap: the limit is far beyond what it needs.
  const [optimal, ...others] = await compareTablePlacement(instance, { timeLimitSeconds: 50, gap: 0.5 });
  const values = others.flatMap(({ value }) => value ?? []);
  expect(values.length).toBeGreaterThan(10);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(optimal?.value as number);
  expect(optimal?.bound).toBeGreaterThan(0.5 * (optimal?.value as number));
});

test("work on programs, Jensen's bound and sets of tables ends with what the look at the time throws", () => {
  const { problem, head } = drawNeural({ seed: 2, tables: [6, 6], devices: [2, 2], rooms: [100] });
  const late = new RangeError("late");
  const throwLate = () => {
    throw late;
  };
  const built = neuralProgram(problem, head);
  const { view, box } = viewOf(built.program);
  const loads = built.structure.devices.map(({ costRow }) => costRow);
  expect(() => neuralProgram(problem, head, Rational.of(1000n), throwLate)).toThrow(late);
  expect(() => averageBound(built, throwLate)).toThrow(late);
  expect(() => partitionBelow(view, box, loads, Rational.of(1n), throwLate)).toThrow(late);
});

test("a budget gives work up when its time is over, and passes on other errors", () => {
  const none = new TimeBudget(0);
  expect(none.isOver()).toBe(true);
  expect(none.within((checkTime) => [checkTime()])).toBeNull();
  const hour = new TimeBudget(3600);
  expect(hour.within((checkTime) => [checkTime()])).toEqual([undefined]);
  expect(hour.affords(3000)).toBe(true);
  expect(new TimeBudget(3600, () => true).affords(1)).toBe(false);
  const fail = () => {
    throw new RangeError("other");
  };
  expect(() => hour.within(fail)).toThrow("other");
});
