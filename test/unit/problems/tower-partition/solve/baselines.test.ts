import { expect, test } from "vitest";
import { towerProblem } from "../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../src/exact/random.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { STOPPED } from "../../../../../src/plan-file/stopped.js";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../../../src/problems/tower-partition/instance/reader.js";
import { tp } from "../../../../../src/problems/tower-partition/methods/tp.js";
import { baselineTowers, towerBaselines } from "../../../../../src/problems/tower-partition/solve/heuristic-runs.js";
import { planTowerPartition } from "../../../../support/planned.js";

const FEATURES = 24;

/** Noise, on which K-means gets better with more starts. */
const instance = (() => {
  const random = seededRandom(11);
  const rows = Array.from({ length: FEATURES }, () => new Array<number>(FEATURES).fill(1));
  for (let i = 0; i < FEATURES; i++) {
    for (let j = 0; j < i; j++) (rows[i] as number[])[j] = (rows[j] as number[])[i] = random.next();
  }
  const features = rows.map((_, k) => `f${k}`);
  const json = { shardproof: 1, name: "noise", problem: "tower-partition", towers: 4, features, interaction: rows };
  return requireInstance(towerPartitionReader, parseInstance(JSON.stringify(json), "noise.yaml"));
})();
const problem = towerProblem(
  instance,
  Float64Array.from(instance.interaction.kind === "given" ? instance.interaction.rows.flat() : []),
);
const stopped = tp(problem, { seed: 0, shouldStop: () => true });
const whole = tp(problem, { seed: 0 });
const labelsOf = (result: ReturnType<typeof tp>) => (result.kind === "plan" ? [...result.labels] : null);

/** A question that is answered with yes from the n-th time on. */
function fromCall(n: number): () => boolean {
  let calls = 0;
  return () => ++calls >= n;
}

test("the published methods beside an answer end when they are asked to, and say so", () => {
  expect(labelsOf(stopped)).not.toEqual(labelsOf(whole));
  const tpOf = (shouldStop: () => boolean) => {
    const found = baselineTowers(towerBaselines(problem), problem, { seed: 0, shouldStop });
    const one = found.find(({ method }) => method === "tp");
    return { labels: [...(one?.numbering ?? [])], reason: one?.reason };
  };
  expect(tpOf(() => false)).toEqual({ labels: labelsOf(whole), reason: null });
  expect(tpOf(() => true)).toEqual({ labels: labelsOf(stopped), reason: STOPPED });
});

test("descents come after the search: broken off during it, they are said to be stopped", async () => {
  const whole = await planTowerPartition(instance);
  const counting = { calls: 0, untilSearch: 0 };
  // The search tells of its progress first when the methods that it starts from are done.
  await planTowerPartition(instance, {
    shouldStop: () => ++counting.calls < 0,
    onProgress: () => {
      counting.untilSearch ||= counting.calls;
    },
  });
  const { baseline } = await planTowerPartition(instance, { shouldStop: fromCall(counting.untilSearch + 2) });
  const stopped = baseline.filter(({ reason }) => reason === STOPPED).map(({ method }) => method);
  expect(stopped).toEqual(["swap", "tp-swap"]);
  expect(whole.baseline.map(({ method }) => method)).toEqual(baseline.map(({ method }) => method));
  expect(whole.baseline.every(({ reason }) => reason === null)).toBe(true);
});

test("beside a plan of so many features that descents would take long there are none", async () => {
  const plan = await planTowerPartition("instances/towers/planted-100x4.yaml", { shouldStop: () => true });
  expect(plan.baseline.map(({ method }) => method)).toEqual(["strided", "tp"]);
});

test("a plan that is broken off has what they found by then", async () => {
  const { baseline, status } = await planTowerPartition(instance, { shouldStop: () => true });
  expect(status).not.toBe("proved");
  expect(baseline.find(({ method }) => method === "tp")?.numbering).toEqual(labelsOf(stopped));
});
