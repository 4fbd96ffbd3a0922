import { expect, test } from "vitest";
import type { NetworkTable } from "../../../../src/cost/neural/features.js";
import { Predictor } from "../../../../src/cost/neural/predict.js";
import { rewardOnTasks, splitGains } from "../../../../src/reproduce/autoshard/analysis.js";
import { Stopped, type Work } from "../../../../src/reproduce/autoshard/measured-methods.js";
import { type Task, taskProblem } from "../../../../src/reproduce/autoshard/task-problem.js";
import { drawnNetwork, drawTables } from "../../cost/neural/support.js";

const tables = drawTables(10, 1);
/** A network by which a device costs what its width is, in some unit: only widths have weights, none below 0. */
const drawn = drawnNetwork("neural-convex", tables, 2);
const network = { ...drawn, features: drawn.features.map((feature) => ({ ...feature, mean: 0 })) };
for (const { weights, biases } of network.network.layers()) {
  weights.values.set(weights.values.map(Math.abs));
  biases.values.fill(0);
}
const [first] = network.network.table;
first.weights.values.forEach((_, index, values) => {
  if (index % first.inputs > 0) values[index] = 0;
});
const steps: string[] = [];
const work: Work = { epochs: 1, sets: 1, randomPlans: 1, step: (what) => steps.push(what) };

const task = (own: readonly NetworkTable[], devices = 3): Task => ({ tables: own, devices, hbmBytes: null });

/** One table twice as wide as all others together, which neuroshard-search may leave alone on one of two devices. */
const rest = tables.slice(1).reduce((sum, { dim }) => sum + dim, 0);
const wide: NetworkTable = { ...(tables[0] as NetworkTable), dim: 16 * Math.floor(rest / 8) };

test("cutting gains where one table is the largest cost of all, for both methods", () => {
  const gains = splitGains([task([wide, ...tables.slice(1)], 2)], { network }, work);
  expect(gains.map(({ method }) => method)).toEqual(["neuroshard-search", "simulated-annealing"]);
  const alone = new Predictor(network, [wide]).cost([0]);
  for (const { whole, split, gain, better, placed, shardsMore } of gains) {
    expect([placed, better]).toEqual([1, 1]);
    expect(whole?.mean).toBeGreaterThanOrEqual(alone);
    expect(split?.mean).toBeLessThan(alone);
    expect(gain?.mean).toBeCloseTo(1 - (split?.mean as number) / (whole?.mean as number), 12);
    expect(shardsMore).toBeGreaterThan(0);
  }
  expect(steps.some((what) => what.includes("splits, task 1 of 1, neuroshard-search with splits"))).toBe(true);
});

test("tasks whose tables do not fit count as not placed", () => {
  const [gain] = splitGains([{ ...task(tables), hbmBytes: 1 }], { network }, work);
  expect(gain).toMatchObject({
    tasks: 1,
    placed: 0,
    whole: null,
    split: null,
    gain: null,
    better: 0,
    shardsMore: null,
  });
});

test("the reward is checked task by task, and counts are over all tasks", () => {
  const [one, other] = [task(tables), task(tables.slice(0, 7))];
  const check = (...tasks: readonly Task[]) => rewardOnTasks(tasks, { network }, work);
  const [first, second, both] = [check(one), check(other), check(one, other)];
  expect(both.random.plans).toBe(200);
  expect(both.random.pairs).toBe(first.random.pairs + second.random.pairs);
  expect(both.all.misled).toBe(first.all.misled + second.all.misled);
  expect(first.methods.plans).toBeGreaterThan(10);
});

test("time that is up ends both", () => {
  const late: Work = {
    ...work,
    step: () => {
      throw new Stopped();
    },
  };
  expect(() => splitGains([task(tables)], { network }, late)).toThrow(Stopped);
  expect(() => rewardOnTasks([task(tables)], { network }, late)).toThrow(Stopped);
});

test("a task's tables may be halved into so many parts, each a quarter of the bytes at least", () => {
  const { problem, setCost } = taskProblem(task([{ ...wide, dim: 16 }]), { network }, 4);
  const dims = problem.tables[0]?.options.map(({ shards }, option) =>
    shards.map((_, shard) => setCost.parts[setCost.partOf(0, option, shard)]?.dim),
  );
  expect(dims).toEqual([[16], [8, 8], [8, 4, 4], [4, 4, 4, 4]]);
  const bytes = problem.tables[0]?.options.map(({ shards }) => shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0));
  expect(new Set(bytes).size).toBe(1);
});
