import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { REPRESENTATION } from "../../../../../../src/cost/neural/network.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import {
  type PolicyFile,
  readPolicy,
  roundPolicy,
  writePolicy,
} from "../../../../../../src/problems/table-placement/methods/autoshard/policy-file.js";
import { PolicyNetwork } from "../../../../../../src/problems/table-placement/methods/autoshard/policy-network.js";
import { loadTasks } from "../../../../../../src/problems/table-placement/methods/autoshard/tasks-file.js";
import { drawnNetwork, drawTables } from "../../../../cost/neural/support.js";

const cost = drawnNetwork("neural", drawTables(5, 1), 1);
const drawn: PolicyFile = {
  policy: { network: PolicyNetwork.drawn(seededRandom(1)), costUnit: 31.25 },
  progress: { steps: 640, seed: 7, reward: "largest" },
};
const text = writePolicy(drawn, cost, { note: "drawn" });

const folder = mkdtempSync(join(tmpdir(), "shardproof-tasks-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a policy is read back bit by bit, as it was rounded", () => {
  const { policy, progress } = readPolicy(text, "policy.json", cost);
  expect(progress).toEqual(drawn.progress);
  expect(policy.costUnit).toBe(31.25);
  roundPolicy(drawn.policy);
  const scoresOf = (network: PolicyNetwork) => {
    const representations = new Float64Array(REPRESENTATION).fill(0.5);
    network.begin({ steps: 1, devices: 2, representations, isLearning: false });
    return [...network.scores(0, new Float64Array(2 * REPRESENTATION).fill(0.25), Float64Array.of(1, 2, 3, 4))];
  };
  expect(scoresOf(policy.network)).toEqual(scoresOf(drawn.policy.network));
  expect(writePolicy({ policy, progress }, cost, { note: "drawn" })).toBe(text);
  expect(text.length).toBeLessThan(1.5e6);
});

test.each([
  ["kind", '"autoshard-policy"', '"policy"', /^p\.json:3:9: kind: expected autoshard-policy/],
  ["unit", '"costUnit": 31.25', '"costUnit": 0', /^p\.json:6:13: costUnit: expected a finite number above 0/],
  ["reward", '"largest"', '"best"', /^p\.json:7:\d+: learned\.reward: expected one of ratio, largest/],
  ["layer", '"value1.biases"', '"value2.biases"', /parameters\["value2\.biases"\]: unknown layer.*and 1 more/],
  [
    "length",
    '"load.biases": [',
    '"load.biases": [1,',
    /parameters\["load\.biases"\]: .*expected 32 numbers, received 33/,
  ],
  [
    "network",
    /"costNetwork": "./,
    '"costNetwork": "-',
    /costNetwork: expected a policy that learned under the cost net/,
  ],
] as const)("a bad %s is found at its place", (_, from, to, message) => {
  const bad = text.replace(from, to);
  expect(bad).not.toBe(text);
  expect(() => readPolicy(bad, "p.json", cost)).toThrow(message);
});

test("AutoShard's tasks: 90 to learn from and 10 others, of 80 tables in two widths", async () => {
  const { train, test: tests, devices, hbmBytes } = await loadTasks("instances/costs/autoshard-tasks.json");
  expect([train.length, tests.length, devices, hbmBytes]).toEqual([90, 10, 8, 14 * 2 ** 30]);
  for (const tables of [...train, ...tests]) expect(tables.length).toBe(80);
  expect(new Set(train.flat().map(({ dim }) => dim))).toEqual(new Set([16, 32]));
  // The first test task is the instance's.
  const instance = readFileSync("instances/costs/autoshard-0-learned.yaml", "utf8");
  const rows = [...instance.matchAll(/rows: (\d+), dim: (\d+), poolingFactor: ([\d.]+)/g)];
  expect(tests[0]?.map(({ rows: r, dim, poolingFactor }) => [r, dim, poolingFactor])).toEqual(
    rows.map((match) => match.slice(1).map(Number)),
  );
});

const TASKS = {
  shardproof: 1,
  kind: "placement-tasks",
  tables: { file: "tables.csv", dimOfTable: new Array(856).fill(16) },
  devices: 2,
  train: [[0, 1, 2]],
};

test.each([
  [
    "table",
    { train: [[0, 856]] },
    /^\S+tasks\.json:1:\d+: train\[0\]\[1\]: expected the number of a table, from 0 to 855, received 856$/,
  ],
  [
    "width",
    { tables: { file: "tables.csv", dimOfTable: [16] } },
    /tables\.dimOfTable: expected 856 widths, one for each/,
  ],
  [
    "file",
    { tables: { ...TASKS.tables, file: "none.csv" } },
    /none\.csv: expected a file that can be read, received no such file/,
  ],
  ["key", { test: [[1]], tests: [] }, /tests: unknown key; did you mean test\?/],
  ["count", { train: [] }, /train: expected at least one entry \(tasks to learn from\)/],
] as const)("a bad %s of a tasks file is found at its place", async (_, change, message) => {
  copyFileSync("instances/costs/meta-synthetic-856.csv", join(folder, "tables.csv"));
  const file = join(folder, "tasks.json");
  writeFileSync(file, JSON.stringify(TASKS));
  expect(await loadTasks(file)).toMatchObject({ devices: 2, hbmBytes: null, test: [], source: "" });
  writeFileSync(file, JSON.stringify({ ...TASKS, ...change }));
  await expect(loadTasks(file)).rejects.toThrow(message);
});
