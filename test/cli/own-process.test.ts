import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runProcess, temporaryFolder } from "./run-cli.js";

const TINY = "instances/tiny/latency.yaml";

/** Commands of each way of working: at once, in a thread, from standard input, with each exit code. */
function commands(plan: string) {
  return [
    { args: ["schema"], status: 0 },
    { args: ["--version"], status: 0 },
    { args: ["plan", TINY], status: 0 },
    { args: ["plan", "-"], input: "shardproof: 1\n", status: 2 },
    { args: ["plan", "instances/tiny/infeasible.yaml", "--json"], status: 4 },
    { args: ["plan", TINY, "--method", "optimal", "--time-limit", "x"], status: 2 },
    { args: ["solve", "-", "--format", "lp"], input: "Minimize\n x\nSubject To\n r: x >= 3\nEnd\n", status: 0 },
    { args: ["verify", plan], status: 5 },
    { args: ["compare", TINY], status: 0 },
    { args: ["explain", plan], status: 2 },
  ];
}

/** Without what was measured: in JSON, in sentences, and in the column of seconds of a table. */
const withoutTiming = (text: string) =>
  text.replace(/"timing": ?\{[^}]*\}|\([^()]*searching[^()]*\)|\d+(\.\d+)? m?s\b|\d\.\d{3}(?= {2}|$)/gm, "");

test("in a process of its own a command answers what it answers here", { timeout: 300_000 }, async () => {
  const plan = join(temporaryFolder(), "plan.json");
  expect((await runCli(["plan", TINY, "--out", plan])).status).toBe(0);
  const { stdout } = await runCli(["plan", TINY, "--json"]);
  writeFileSync(plan, stdout.replace('"name": "latency"', '"name": "latencies"'));
  for (const { args, input = "", status } of commands(plan)) {
    const [here, apart] = [await runCli(args, { input }), await runProcess(args, { input })];
    expect([args, apart.status, apart.signal]).toEqual([args, status, null]);
    expect([args, here.status, here.stderr]).toEqual([args, apart.status, apart.stderr]);
    expect([args, withoutTiming(here.stdout)]).toEqual([args, withoutTiming(apart.stdout)]);
  }
});
