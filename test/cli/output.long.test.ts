import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { runCli, runProcess } from "./run-cli.js";

test.runIf(existsSync("/dev/full"))("standard output that cannot be written is one line and exit 2", () => {
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", `"${process.execPath}" dist/src/cli/main.js plan instances/tiny/two-tiers.yaml > /dev/full`],
    { encoding: "utf8" },
  );
  expect(stderr).toMatch(/^standard output cannot be written \(no space left\)[^\n]*\n$/);
  expect(status).toBe(2);
});

test("--out - is refused: standard output is what --json is for", async () => {
  const { status, stdout, stderr } = await runCli(["plan", "instances/tiny/two-tiers.yaml", "--out", "-"]);
  expect(stderr).toMatch(/^expected a file to write, received -[^\n]*\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

/** The cells of a table's row, by the heads of its columns; columns are two spaces or more apart. */
function cells(lines: readonly string[], head: string, first: string): Readonly<Record<string, string>> {
  const at = lines.findIndex((line) => line.trim().startsWith(head));
  const split = (line = "") => line.trim().split(/ {2,}/);
  const row = lines.slice(at).find((line) => split(line)[0] === first);
  return Object.fromEntries(split(lines[at]).map((name, k) => [name, split(row)[k] ?? ""]));
}

test("--verbose adds TorchRec's table of ranks, with bytes in and out of each", async () => {
  const file = "instances/tiny/placement-torchrec.yaml";
  const [plain, { status, stdout }] = await Promise.all([runCli(["plan", file]), runCli(["plan", file, "--verbose"])]);
  expect(status).toBe(0);
  const untimed = (text: string) => text.replace(/\([\d.a-z ]+ ms\)/g, "");
  expect(untimed(stdout).startsWith(untimed(plain.stdout))).toBe(true);
  const lines = stdout.split("\n");
  // t0 by rows over both ranks, 64 wide, of 40 and 1 indices in two features; t2, 128 wide, of 2; t1, 32 wide in fp16, of 15.
  const [both, wide, narrow] = [41 * 512 * 8, 2 * 512 * 2 * 8, 15 * 512 * 2 * 8];
  const [kib, mib] = [2 ** 10, 2 ** 20];
  expect(cells(lines, "rank", "0")).toMatchObject({
    HBM: "74.42 MiB (78.0 %)",
    DDR: "0 B",
    input: `${((both + wide) / kib).toFixed(1)} KiB`,
    output: `${((2 * 512 * 2 * 64 * 4 + 512 * 2 * 128 * 4) / mib).toFixed(3)} MiB`,
    shards: "RW 1, TW 1",
  });
  expect(cells(lines, "rank", "1")).toMatchObject({
    input: `${((both + narrow) / kib).toFixed(1)} KiB`,
    output: `${((2 * 512 * 2 * 64 * 4 + 512 * 2 * 32 * 2) / kib).toFixed(1)} KiB`,
  });
  for (const rank of ["0", "1"]) {
    const row = cells(lines, "rank", rank);
    const phases = ["fwd compute", "fwd comms", "bwd compute", "bwd comms"].map((phase) => Number(row[phase]));
    // Four digits of each.
    expect(phases.reduce((sum, phase) => sum + phase, 0)).toBeCloseTo(Number(row["perf ms"]), 4);
  }
});

test("--verbose ends with the solve block: both bounds, gap, violations, seconds by phase", async () => {
  const { stdout } = await runCli(["plan", "instances/tiny/two-tiers.yaml", "--verbose"]);
  expect(stdout).toMatch(
    /\n {2}status {8}proved optimal\n {2}primal bound {2}([\d.]+ ms)\n {2}proved bound {2}\1\n {2}gap {11}0\n {2}violations {4}0, in exact arithmetic with zero tolerance\n {2}time {10}[\d.]+ s \(reading [\d.]+, searching [\d.]+, proving [\d.]+\)\n$/,
  );
  const { stdout: infeasible } = await runCli(["plan", "instances/tiny/infeasible.yaml", "--verbose"]);
  expect(infeasible).toMatch(/\n {2}status {2}proved infeasible\n {2}time {4}/);
  expect(infeasible).not.toContain("violations");
});

test("the solve block of towers with tables is of their exchange, not of the partition", async () => {
  const [shown, json] = await Promise.all(
    ["--verbose", "--json"].map((option) => runCli(["plan", "instances/tiny/towers-joint.yaml", option])),
  );
  const { value } = JSON.parse(json?.stdout ?? "").joint.seconds;
  const written = Number(/primal bound {2}([\d.e-]+) ms/.exec(shown?.stdout ?? "")?.[1]);
  expect(written / (1000 * value)).toBeCloseTo(1, 11);
});

test("solve has the block too", async () => {
  const { stdout } = await runCli(["solve", "instances/programs/knapsack-30.mps"]);
  const said = ["value         8,903", "proved bound  8,903, gap 0", "violations    0, in exact arithmetic"];
  for (const line of said) expect(stdout).toContain(`\n  ${line}`);
  expect(stdout).toMatch(/\n {2}time {10}[\d.]+ s \(reading [\d.]+, searching [\d.]+, proving [\d.]+\)\n/);
});

/** As if standard output were a terminal of so many columns. */
const terminal = (columns: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,process.stdout.isTTY=true;process.stdout.columns=${columns}`,
});

test("FORCE_COLOR asks for colours in a pipe; NO_COLOR is stronger", async () => {
  const run = async (env: Record<string, string>) =>
    (await runProcess(["plan", "instances/tiny/two-tiers.yaml"], { env: { NO_COLOR: "", ...env } })).stdout;
  expect(await run({ FORCE_COLOR: "1" })).toContain("\u001b[");
  expect(await run({ FORCE_COLOR: "1", NO_COLOR: "1" })).not.toContain("\u001b[");
  expect(await run({ FORCE_COLOR: "0" })).not.toContain("\u001b[");
});

test("colours on a terminal, none with NO_COLOR, and the same text", async () => {
  const args = ["plan", "instances/tiny/three-tiers-serial.yaml", "--method", "flexshard-3tier"];
  const [piped, coloured, plain] = await Promise.all([
    runProcess(args, { env: { NO_COLOR: "" } }),
    runProcess(args, { env: { ...terminal(200), NO_COLOR: "" } }),
    runProcess(args, { env: { ...terminal(200), NO_COLOR: "1" } }),
  ]);
  expect(coloured.stdout).toContain("\u001b[33mheuristic\u001b[39m");
  expect(stripVTControlCharacters(coloured.stdout)).toBe(piped.stdout);
  expect(plain.stdout).toBe(piped.stdout);
});

test("tables and facts fit a narrow terminal", async () => {
  const args = ["compare", "instances/tiny/placement-torchrec.yaml"];
  const { status, stdout } = await runProcess(args, { env: { ...terminal(60), NO_COLOR: "1" } });
  expect(status).toBe(0);
  const [, ...body] = stdout.split("\n\n");
  const parts = body.filter((part) => part.startsWith("  method"));
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) for (const line of part.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  // Remarks are the last part, and wrap.
  for (const part of parts.slice(0, -1)) expect(part.trimEnd().split("\n")).toHaveLength(12);
  expect(parts.at(-1)?.trimEnd().split("\n").length).toBeGreaterThan(12);
});
