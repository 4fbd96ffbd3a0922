import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { placeByPolicy } from "../../../../../../src/problems/table-placement/methods/autoshard/episode.js";
import {
  readPolicy,
  writePolicy,
} from "../../../../../../src/problems/table-placement/methods/autoshard/policy-file.js";
import { PolicyNetwork } from "../../../../../../src/problems/table-placement/methods/autoshard/policy-network.js";
import { policyTask } from "../../../../../../src/problems/table-placement/methods/autoshard/policy-task.js";
import {
  PolicyTraining,
  type PolicyTrainingOptions,
} from "../../../../../../src/problems/table-placement/methods/autoshard/policy-training.js";
import { rewardOf } from "../../../../../../src/problems/table-placement/methods/autoshard/rewards.js";
import type { PlacementTasks } from "../../../../../../src/problems/table-placement/methods/autoshard/tasks-file.js";
import { testInTurn } from "../../../../../support/draws.js";
import { drawnNetwork, drawTables } from "../../../../cost/neural/support.js";

const pool = drawTables(40, 3);
/** A head that looks at the sums alone, so that costs are above 0 and about add up. */
const network = drawnNetwork("neural", pool, 2);
for (const { values } of network.network.parameters()) values.set(values.map(Math.abs));

const tasks: PlacementTasks = {
  file: "drawn.json",
  sha256: "",
  source: "",
  devices: 3,
  hbmBytes: null,
  train: Array.from({ length: 6 }, (_, t) => pool.slice(4 * t, 4 * t + 9)),
  test: [pool.slice(28, 37)],
};

function train(options: Partial<PolicyTrainingOptions>, own = tasks): { training: PolicyTraining; rewards: number[] } {
  const training = new PolicyTraining(own, network, { steps: 4000, seed: 1, reward: "ratio", ...options });
  const rewards: number[] = [];
  while (!training.isOver) rewards.push(training.update());
  return { training, rewards };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test.each(["ratio", "largest"] as const)("what is learned from the reward %s is worth more of it", (reward) => {
  const { training, rewards } = train({ reward });
  const [first, last] = [rewards.slice(0, 10), rewards.slice(-10)].map(mean) as [number, number];
  // Even shares would have the ratio 1, and the largest cost of about 1 even share.
  const best = reward === "ratio" ? 1 : -1;
  expect(best - last).toBeLessThan(0.75 * (best - first));
  const untrained = new PolicyTraining(tasks, network, { steps: 1, seed: 1, reward }).result().measure;
  const { measure } = training.result();
  expect(measure).toMatchObject({ tasks: 1, placed: 1 });
  expect(measure.meanBalance).toBeGreaterThan(untrained.meanBalance as number);
  expect(measure.meanLargest).toBeLessThan(untrained.meanLargest as number);
});

testInTurn("where memory is short, plans that do not fit are fined, and learned to be avoided", () => {
  const alike = (tables: PlacementTasks["test"]) =>
    tables.map((own) => own.map((table) => ({ ...table, rows: 4096, dim: 8 })));
  const short = { ...tasks, train: alike(tasks.train), test: alike(tasks.test), hbmBytes: 4 * 4096 * 8 * 4 };
  const { rewards } = train({}, short);
  const first = mean(rewards.slice(0, 10));
  expect(first).toBeLessThan(mean(train({ steps: 700 }, { ...short, hbmBytes: null }).rewards.slice(0, 10)) - 0.1);
  expect(mean(rewards.slice(-10))).toBeGreaterThan(first + 0.2);
});

testInTurn("the same options give the same policy; learning on begins where it ended", () => {
  const written = (training: PolicyTraining) => writePolicy(training.result(), network, {});
  const half = train({ steps: 1000 }).training;
  expect(written(train({ steps: 1000 }).training)).toBe(written(half));
  expect(written(train({ steps: 1000, seed: 2 }).training)).not.toBe(written(half));
  const resumed = readPolicy(written(half), "policy.json", network);
  const onwards = new PolicyTraining(tasks, network, { steps: 2000, seed: 1, reward: "ratio", resumed });
  expect(onwards.steps).toBe(half.steps);
  expect(onwards.result().measure).toEqual(half.result().measure);
  while (!onwards.isOver) onwards.update();
  expect(onwards.result().progress).toEqual({ steps: 2016, seed: 1, reward: "ratio" });
  expect(written(onwards)).not.toBe(written(half));
});

test("tables are placed from the costliest down, each on the device with the highest score that has room", () => {
  const task = policyTask(network, tasks.train[0] ?? [], 3);
  expect(task.costs).toEqual([...task.costs].sort((a, b) => b - a));
  const policy = { network: PolicyNetwork.drawn(seededRandom(4)), costUnit: 1 };
  const taken: number[] = [];
  const room = (mayTake: (step: number, device: number) => boolean) => ({
    fits: mayTake,
    take: (_: number, device: number) => {
      taken.push(device);
    },
  });
  const all = placeByPolicy(
    policy,
    task,
    room(() => true),
  );
  expect(taken).toEqual(all.homes);
  const without = placeByPolicy(
    policy,
    task,
    room((_, device) => device !== all.homes[0]),
  );
  expect(without.homes.length).toBe(9);
  expect(without.homes).not.toContain(all.homes[0]);
  expect(
    placeByPolicy(
      policy,
      task,
      room((step) => step < 4),
    ).homes,
  ).toEqual(all.homes.slice(0, 4));
});

test.each([
  ["ratio", [4, 1, 2], null, 0.25],
  ["ratio", [4, 0, 2], null, 0],
  ["ratio", [0, 0, 0], null, 0],
  ["largest", [4, 1, 2], null, -2],
  // The fullest device has 3 GiB where 2 fit.
  ["ratio", [4, 1, 2], 2, -0.5],
  ["largest", [4, 1, 2], 2, -3.5],
  ["ratio", [4, 1, 2], 3, 0.25],
] as const)("the reward %s of costs %j with a limit of %j GiB is %d", (reward, costs, limit, expected) => {
  expect(rewardOf(reward, { costs, sizes: [1, 3, 2], limit, evenCost: 2 })).toBe(expected);
});
