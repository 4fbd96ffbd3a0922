import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { featureNames } from "../../src/cost/neural/features.js";
import { HEAD_HIDDEN, REPRESENTATION, TABLE_HIDDEN } from "../../src/cost/neural/network.js";
import { seededRandom } from "../../src/exact/random.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";

/*
 * Weights such as 1e-300 have a common denominator that no double holds: quotients of such numbers were NaN, and a plan ended with
 * an internal error.
 */

const WEIGHTS = [1e-300, 1, -1e-300];

function drawnNetwork(seed: number): object {
  const random = seededRandom(seed);
  const pick = (from: readonly number[]) => from[random.integer(from.length)] as number;
  const layer = (outputs: number, inputs: number, entries: number, from: readonly number[]) => ({
    weights: Array.from({ length: outputs }, () => {
      const row = new Array<number>(inputs).fill(0);
      for (let k = 0; k < entries; k++) row[random.integer(inputs)] = pick(from);
      return row;
    }),
    biases: Array.from({ length: outputs }, () => (random.integer(3) === 0 ? pick(from) : 0)),
  });
  const names = featureNames("neural");
  return {
    ...{ shardproof: 1, kind: "neural", unit: "ms" },
    features: names.map((name) => ({ name, mean: 0, deviation: name === "rows" ? 1e6 : 1 })),
    table: [layer(TABLE_HIDDEN, names.length, 2, [1, 0.01]), layer(REPRESENTATION, TABLE_HIDDEN, 3, [1, 0.5])],
    head: [layer(HEAD_HIDDEN, REPRESENTATION, 3, WEIGHTS), layer(1, HEAD_HIDDEN, 8, WEIGHTS)],
  };
}

test("a network of weights that no double holds together has a plan that verifies, or none", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let seed = 1; seed <= 4; seed++) {
    writeFileSync(join(folder, `${seed}.json`), JSON.stringify(drawnNetwork(seed)));
    const bins = [0.4, 0.6, ...new Array<number>(15).fill(0)];
    const tables = [3, 5, 4].map((rows, t) => ({
      ...{ name: `t${t}`, rows: rows * 1000, dim: 8, poolingFactor: t + 1, accessBins: bins },
    }));
    const document = {
      ...{ shardproof: 1, name: "weights", problem: "table-placement", costModel: { neural: `${seed}.json` }, tables },
      cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 8 * 4 * 8000 },
    };
    const instance = parseInstance(JSON.stringify(document), join(folder, "instance.json"));
    const plan = await planInstance(instance, { gap: 0, timeLimitSeconds: 3 });
    expect(plan.status).not.toBe("infeasible");
    const { passed } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
    expect([seed, passed]).toEqual([seed, true]);
  }
});
