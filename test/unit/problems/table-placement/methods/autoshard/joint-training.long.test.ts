import { expect, test } from "vitest";
import { predictSet } from "../../../../../../src/cost/neural/predict.js";
import {
  JointTraining,
  type JointTrainingOptions,
  type MeasureSet,
} from "../../../../../../src/problems/table-placement/methods/autoshard/joint-training.js";
import {
  readPolicy,
  writePolicy,
} from "../../../../../../src/problems/table-placement/methods/autoshard/policy-file.js";
import type { PlacementTasks } from "../../../../../../src/problems/table-placement/methods/autoshard/tasks-file.js";
import { testInTurn } from "../../../../../support/draws.js";
import { drawnNetwork, drawTables } from "../../../../cost/neural/support.js";

const pool = drawTables(40, 3);
const tasks: PlacementTasks = {
  file: "drawn.json",
  sha256: "",
  source: "",
  devices: 3,
  hbmBytes: null,
  train: Array.from({ length: 6 }, (_, t) => pool.slice(4 * t, 4 * t + 9)),
  test: [pool.slice(8, 17), pool.slice(2, 11)],
};

/** What stands for the hardware: look-ups to a power below 1, so that costs do not add up. */
const measured: MeasureSet = (tables) =>
  20 + (tables.reduce((sum, { dim, poolingFactor }) => sum + dim * poolingFactor, 0) / 20) ** 0.8;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function train(options: Partial<JointTrainingOptions>, measure = measured, own = tasks) {
  const training = new JointTraining(own, measure, { steps: 2500, seed: 1, reward: "ratio", ...options });
  const updates: ReturnType<JointTraining["update"]>[] = [];
  while (!training.isOver) updates.push(training.update());
  return { training, updates, result: training.result() };
}

testInTurn("the network's error on the policy's sets falls, and the policy's reward rises, at the same time", () => {
  const { updates, result } = train({ buffer: 200 });
  const [first, last] = [updates.slice(0, 5), updates.slice(-5)];
  const [errorBefore, errorAfter] = [first, last].map((some) => mean(some.map(({ costError }) => costError)));
  expect(errorAfter).toBeLessThan(0.1 * (errorBefore as number));
  const [rewardBefore, rewardAfter] = [first, last].map((some) => mean(some.map(({ meanReward }) => meanReward)));
  expect(1 - (rewardAfter as number)).toBeLessThan(0.75 * (1 - (rewardBefore as number)));
  // Of the sets of plans for tasks that nothing was learned from.
  expect(result.fit?.rSquared).toBeGreaterThan(0.9);
  expect(result.fit?.sets).toBe(6);
});

test("rewards are of what is measured, and every set of a plan is measured once", () => {
  const sets: number[] = [];
  const counting: MeasureSet = (tables) => {
    sets.push(tables.length);
    return 5;
  };
  const training = new JointTraining(tasks, counting, { steps: 1000, seed: 2, reward: "ratio" });
  // Eight random plans come first.
  expect(sets.reduce((sum, size) => sum + size, 0)).toBe(8 * 9);
  sets.length = 0;
  const { meanReward } = training.update();
  expect(sets.reduce((sum, size) => sum + size, 0)).toBe(8 * 9);
  // All costs are equal: balanced but where a device is empty, which costs 0 and is not measured.
  const empty = 8 * 3 - sets.length;
  expect(meanReward).toBeGreaterThanOrEqual(1 - empty / 8);
  expect(empty === 0 ? meanReward : 1).toBe(1);
  expect(training.steps).toBe(72);
  expect(training.measured).toBeGreaterThan(sets.length);
});

test("what is measured of the test tasks is the hardware's cost, not the network's", () => {
  const { result } = train({ steps: 72 });
  const { measure } = train({ steps: 72 }, (tables) => 2 * measured(tables)).result;
  expect(result.measure).toMatchObject({ tasks: 2, placed: 2 });
  expect(measure.meanLargest).toBeGreaterThan(1.5 * (result.measure.meanLargest as number));
});

test("the same options give the same policy and the same network; the policy is of that network", () => {
  const written = (result: ReturnType<typeof train>["result"]) => writePolicy(result, result.network, {});
  const { result } = train({ steps: 150 });
  expect(written(train({ steps: 150 }).result)).toBe(written(result));
  expect(written(train({ steps: 150, seed: 2 }).result)).not.toBe(written(result));
  expect(readPolicy(written(result), "policy.json", result.network).progress).toEqual(result.progress);
  expect(() => readPolicy(written(result), "policy.json", train({ steps: 72 }).result.network)).toThrow(/costNetwork/);
});

test("a network that knows the hardware begins with a small error and keeps its kind", () => {
  const start = drawnNetwork("neural-convex", pool, 2);
  const known: MeasureSet = (tables) => predictSet(start, tables);
  const { updates, result } = train({ steps: 72, start }, known);
  const { updates: unknown } = train({ steps: 72, kind: "neural-convex" }, known);
  expect(updates[0]?.costError).toBeLessThan(0.1 * (unknown[0]?.costError as number));
  expect(result.network.kind).toBe("neural-convex");
});

test("without test tasks there is nothing to fit", () => {
  expect(train({ steps: 72 }, measured, { ...tasks, test: [] }).result).toMatchObject({
    fit: null,
    measure: { tasks: 0 },
  });
});
