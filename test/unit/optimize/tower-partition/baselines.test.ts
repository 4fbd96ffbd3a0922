import { expect, test } from "vitest";
import { towerProblem } from "../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../src/exact/random.js";
import { tp } from "../../../../src/heuristics/tower-partitioner/tp.js";
import { requireTowerPartition } from "../../../../src/instance/load.js";
import { parseInstance } from "../../../../src/instance/parse.js";
import { baselineTowers } from "../../../../src/optimize/tower-partition/heuristic-runs.js";
import { planTowerPartition } from "../../../../src/optimize/tower-partition/plan.js";

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
  return requireTowerPartition(parseInstance(JSON.stringify(json), "noise.yaml"));
})();
const problem = towerProblem(
  instance,
  Float64Array.from(instance.interaction.kind === "given" ? instance.interaction.rows.flat() : []),
);
const stopped = tp(problem, { seed: 0, shouldStop: () => true });
const whole = tp(problem, { seed: 0 });
const numberingOf = (result: ReturnType<typeof tp>) => (result.kind === "plan" ? [...result.numbering] : null);

test("the published methods beside an answer end with its time, and when it is broken off", async () => {
  expect(numberingOf(stopped)).not.toEqual(numberingOf(whole));
  const tpOf = (limits: Parameters<typeof baselineTowers>[2]) => {
    const found = baselineTowers(problem, 0, limits).find(({ method }) => method === "tp");
    return [...(found?.numbering ?? [])];
  };
  expect(tpOf({ seconds: 600 })).toEqual(numberingOf(whole));
  expect(tpOf({ seconds: 600, shouldStop: () => true })).toEqual(numberingOf(stopped));
  expect(tpOf({ seconds: 0 })).toEqual(numberingOf(stopped));
});

test("a plan that is broken off has what they found by then", async () => {
  const { baseline, status } = await planTowerPartition(instance, { shouldStop: () => true });
  expect(status).not.toBe("proved");
  expect(baseline.find(({ method }) => method === "tp")?.numbering).toEqual(numberingOf(stopped));
});
