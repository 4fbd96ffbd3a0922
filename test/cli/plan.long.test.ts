import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { interruptedAfter, runCli, runProcess, temporaryFolder, writeHardInstance } from "./run-cli.js";

const TINY = "instances/tiny/three-tiers-serial.yaml";
const RM1 = "instances/paper/flexshard-rm1.yaml";

test("the JSON of a plan is what the format says", async () => {
  const { status, stdout, stderr } = await runCli(["plan", TINY, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({
    shardproof: 1,
    problem: "row-tiers",
    instance: { name: "three-tiers-serial", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), file: TINY },
    method: "optimal",
    status: "proved",
    request: { gap: 1e-9, timeLimitSeconds: 60, seed: 0 },
    objective: { kind: "serial", value: expect.any(Number), bound: expect.any(Number), gap: expect.any(Number) },
    certificate: { format: "shardproof-certificate 1" },
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  // 20 rows of 16 bytes, all replicated: 320 bytes at 3000 bytes per second.
  expect(plan.objective.value).toBe((20 * 16) / 3000);
  expect(plan.objective.bound).toBe(plan.objective.value);
  expect(plan.tables).toHaveLength(1);
  expect(plan.tables[0].runs).toEqual([[20, "data_parallel"]]);
  expect(plan.tables[0].tiers[0]).toMatchObject({ tier: "data_parallel", rows: 20, accessShare: 1 });
  expect(plan.collectives).toEqual({
    allToAllGlobal: 0,
    allToAllIntra: 0,
    allReduceGlobal: plan.objective.value,
    allReduceCross: 0,
  });
  expect(Object.keys(plan.timing)).toEqual(["readSeconds", "solveSeconds", "proveSeconds", "totalSeconds"]);
});

test("the same instance gives the same bytes, its timing apart", async () => {
  const withoutTiming = (text: string) => text.replace(/"timing": \{[^}]*\}/, "");
  const runs = [await runCli(["plan", RM1, "--json"]), await runCli(["plan", RM1, "--json"])];
  const [first, second] = runs.map(({ stdout }) => withoutTiming(stdout));
  expect(first).toContain('"status": "proved"');
  expect(second).toBe(first);
});

test("--out writes the same plan file, and a person's table stays on standard output", async () => {
  const file = join(temporaryFolder(), "plan.json");
  const { status, stdout, stderr } = await runCli(["plan", TINY, "--out", file]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("three-tiers-serial");
  expect(stdout).toContain("proved: no plan is better than 106.667 ms");
  const written = JSON.parse(readFileSync(file, "utf8"));
  const { timing: _, ...printed } = JSON.parse((await runCli(["plan", TINY, "--json"])).stdout);
  expect(written).toMatchObject(printed);
});

test("an instance on standard input is planned alike", async () => {
  const fromFile = JSON.parse((await runCli(["plan", TINY, "--json"])).stdout);
  const { stdout } = await runCli(["plan", "-", "--json"], { input: readFileSync(TINY, "utf8") });
  const fromInput = JSON.parse(stdout);
  expect(fromInput.instance).toEqual({ ...fromFile.instance, file: "-" });
  expect(fromInput.tables).toEqual(fromFile.tables);
});

test("there is no colour and no progress where nobody looks", async () => {
  const { stdout, stderr } = await runCli(["plan", TINY]);
  expect(stdout + stderr).not.toContain("\u001b");
  expect(stderr).toBe("");
});

test("a reader that goes away is no failure", async () => {
  const { status, stderr } = await runProcess(["plan", RM1, "--json"], {
    onStart: (child) => child.stdout?.destroy(),
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("an infeasible instance names the least memory, the budget and the tables, and ends with 4", async () => {
  const { status, stdout, stderr } = await runCli(["plan", "instances/tiny/infeasible.yaml"]);
  expect([status, stderr]).toEqual([4, ""]);
  expect(stdout).toMatch(/least memory of any plan\s+1\.129 KiB per GPU \(1,156 B\)/);
  expect(stdout).toMatch(/budget\s+1\.128 KiB per GPU \(1,155 B\)/);
  expect(stdout).toMatch(/a\s+1\.129 KiB\s+too much by itself/);
  const plan = JSON.parse((await runCli(["plan", "instances/tiny/infeasible.yaml", "--json"])).stdout);
  expect(plan).toMatchObject({
    status: "infeasible",
    objective: { value: null, bound: null, gap: null },
    infeasibility: { leastBytesPerGpu: 1156, conflict: ["a"] },
    certificate: { claim: { kind: "infeasible" } },
  });
});

test("a published method gives a heuristic's plan, without a bound", async () => {
  const { status, stdout } = await runCli(["plan", TINY, "--method", "row-wise", "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: "row-wise",
    status: "heuristic",
    objective: { bound: null, gap: null },
    certificate: null,
  });
});

test("a general solver that is asked agrees with the proof", async () => {
  const { status, stdout } = await runCli(["plan", TINY, "--solver", "highs", "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).claim).toMatchObject({ solver: "highs", status: "optimal", agrees: true });
});

test("a time limit ends with the best proved so far and 3", async () => {
  const hard = writeHardInstance(temporaryFolder());
  const { status, stdout } = await runCli(["plan", hard, "--time-limit", "0.5", "--json"]);
  expect(status).toBe(3);
  const { objective, status: found } = JSON.parse(stdout);
  expect(found).toBe("feasible");
  expect(objective.bound).toBeLessThan(objective.value);
  expect(objective.gap).toBeGreaterThan(1e-9);
});

test("Ctrl-C ends with the best proved so far and 3", async () => {
  const hard = writeHardInstance(temporaryFolder());
  const started = performance.now();
  const { status, signal, stdout } = await runProcess(["plan", hard, "--time-limit", "50", "--json"], {
    onStart: interruptedAfter(3),
  });
  expect([status, signal]).toEqual([3, null]);
  expect(JSON.parse(stdout).status).toBe("feasible");
  expect(performance.now() - started).toBeLessThan(30_000);
});
