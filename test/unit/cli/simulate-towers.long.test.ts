import { expect, test } from "vitest";
import { showSimulatedTowers } from "../../../src/cli/show/simulated-towers.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { simulateTowers } from "../../../src/simulate/plans/exchange-plan.js";
import { planTowerPartition } from "../../support/planned.js";

/** Two features of 1024 elements on three hosts, with modules of the given size. */
function instanceWith(towerModules: { width: number; perFeature: number }) {
  const features = ["a", "b"];
  const instance = parseInstance(
    JSON.stringify({
      ...{ shardproof: 1, name: "wide", problem: "tower-partition", towers: 1, features },
      interaction: [
        [1, 0.5],
        [0.5, 1],
      ],
      cluster: { nodes: 3, gpusPerNode: 4, hardware: "A100" },
      training: { batchPerGpu: 8 },
      tables: features.map((name) => ({ name, rows: 10, dim: 1024 })),
      towerModules,
    }),
    "wide.json",
  );
  if (instance.problem !== "tower-partition") throw new Error("no instance of towers");
  return instance;
}

async function simulated(towerModules: { width: number; perFeature: number }) {
  const instance = instanceWith(towerModules);
  const text = writePlan(await planTowerPartition(instance));
  return simulateTowers(JSON.parse(text), { text, file: "plan.json", seed: 0 }, async () => instance);
}

test("modules that are too wide to multiply out are made narrower, and that is said", async () => {
  // 24 samples · 2048 elements · 2 vectors · 1365 is the most below 2^27.
  const narrow = await simulated({ width: 16384, perFeature: 1 });
  expect(narrow.scale).toMatchObject({ moduleWidth: 1365, ofModuleWidth: 16384 });
  expect(narrow.verdict).toMatchObject({ within: true, outside: 0 });
  expect(showSimulatedTowers(narrow)).toMatch(/ids per sample, modules 1,365 of 16,384 wide\n/);
}, 300_000);

test("others are as wide as they are; too many vectors are refused", async () => {
  const asIs = await simulated({ width: 3, perFeature: 2 });
  expect(asIs.scale).toMatchObject({ moduleWidth: 3, ofModuleWidth: 3 });
  expect(showSimulatedTowers(asIs)).toMatch(/ids per sample\n/);
  await expect(simulated({ width: 1, perFeature: 10_000 })).rejects.toThrow(
    /^plan\.json: expected tower modules of at most 134217728 multiplications to simulate, received 983040000 with/,
  );
});
