import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeMps } from "../../src/program/mps/write.js";
import { knapsacks } from "../support/knapsacks.js";
import { interruptedAfter, type ProcessOptions, runProcess, temporaryFolder } from "./run-cli.js";

/** Seconds, far more than busy machines take to start a command. */
const LIMIT = 6;

/** Milliseconds that a test may take where much else is going on: what it measures allows for that. */
const BUSY = 240_000;

/** Runs a command; `beyond`: seconds over the limit, less what it takes here to start one that has nothing to do. */
async function runWithin(limit: number, args: readonly string[], options: ProcessOptions = {}) {
  const idle = await secondsOf(["solve", "instances/programs/knapsack-30.mps", "--quiet"]);
  const started = performance.now();
  const result = await runProcess([...args, "--time-limit", String(limit)], options);
  const beyond = (performance.now() - started) / 1000 - limit - 4 * idle;
  return { ...result, beyond };
}

async function secondsOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await runProcess(args);
  return (performance.now() - started) / 1000;
}

/** With fewer things a point is found at once; with more, memory grows soon. */
function hardProgram(things: number): string {
  const file = join(temporaryFolder(), "knapsacks.mps");
  writeFileSync(file, writeMps(knapsacks(5, things)));
  return file;
}

test(
  "solve: reading, search and checking together keep to --time-limit, and the reason says so",
  async () => {
    const { status, stdout, beyond } = await runWithin(LIMIT, ["solve", hardProgram(80), "--json"]);
    expect(status).toBe(3);
    expect(beyond).toBeLessThan(0.1 * LIMIT + 2);
    const { timing, ...solution } = JSON.parse(stdout);
    expect(solution.status).toBe("feasible");
    expect(solution.reason).toContain(`the time limit of ${LIMIT} s was reached`);
    expect(timing.totalSeconds).toBeLessThan(1.1 * LIMIT + 2);
  },
  BUSY,
);

test(
  "plan: a limit of work ends the search, the file says so, and it verifies",
  async () => {
    const out = join(temporaryFolder(), "plan.json");
    const args = ["plan", "instances/paper/neuroshard-3.yaml", "--work-limit", "0.5", "--out", out];
    const { status } = await runProcess(args);
    expect(status).toBe(3);
    expect(JSON.parse(readFileSync(out, "utf8")).request).toMatchObject({
      timeLimitSeconds: 60,
      workLimitSeconds: 0.5,
    });
    expect((await runProcess(["verify", out])).status).toBe(0);
  },
  BUSY,
);

test(
  "compare: two instances share one limit",
  async () => {
    const file = "instances/towers/planted-100x4.yaml";
    const { status, stdout, beyond } = await runWithin(LIMIT, ["compare", file, file, "--json"]);
    expect(status).toBe(3);
    // Of its own each would take as long again.
    expect(beyond).toBeLessThan(0.1 * LIMIT + 2);
    const optima = JSON.parse(stdout).rows.filter(({ method }: { method: string }) => method === "optimal");
    expect(optima).toHaveLength(2);
  },
  BUSY,
);

test(
  "plan --solver: the solver gets what the search leaves, and not the limit once more",
  async () => {
    const args = ["plan", "instances/towers/planted-60x12.yaml", "--solver", "highs", "--json"];
    const { status, stdout, beyond } = await runWithin(LIMIT, args);
    expect([0, 3]).toContain(status);
    expect(beyond).toBeLessThan(0.1 * LIMIT + 2);
    expect(JSON.parse(stdout).claim.solver).toBe("highs");
  },
  BUSY,
);

test("--memory-limit: a search that nears it ends with the best proved so far, and says so", async () => {
  const started = performance.now();
  const args = ["solve", hardProgram(200), "--json", "--memory-limit", "250MB", "--time-limit", "300"];
  const { status, stdout, stderr } = await runProcess(args);
  expect([status, stderr]).toEqual([3, ""]);
  const { reason, objective, status: found } = JSON.parse(stdout);
  expect(reason).toContain("the memory limit was reached");
  if (found === "feasible") expect(objective.bound).toBeGreaterThanOrEqual(objective.value);
  expect((performance.now() - started) / 1000).toBeLessThan(150);
});

test("--memory-limit too low for anything is one line, and no crash", async () => {
  for (const limit of ["20MB", "40e6"]) {
    const { status, stdout, stderr } = await runProcess(["solve", hardProgram(200), "--memory-limit", limit]);
    expect([status, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/^the memory limit of [\d.]+ MiB was reached before anything could be said; .*\n$/);
  }
});

test("--memory-limit takes bytes with and without a unit, and nothing else", async () => {
  for (const bad of ["lots", "-1", "0", "2 parsecs", ""]) {
    const { status, stderr } = await runProcess([
      "plan",
      "instances/tiny/placement-given.yaml",
      `--memory-limit=${bad}`,
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain("Expected bytes, such as 2e9 or 2GiB");
  }
  const fine = await runProcess(["plan", "instances/tiny/placement-given.yaml", "--memory-limit", "1.5 GiB"]);
  expect(fine.status).toBe(0);
});

test("reproduce: Ctrl-C prints what is there, and ends with 3", async () => {
  const { status, signal, stdout } = await runProcess(["reproduce", "autoshard", "--json"], {
    onStart: interruptedAfter(4),
  });
  expect([status, signal]).toEqual([3, null]);
  const { paper, splits } = JSON.parse(stdout);
  expect(paper).toBe("autoshard");
  expect(splits).toBeNull();
});
