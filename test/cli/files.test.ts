import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

const INSTANCE = "instances/tiny/two-tiers.yaml";
const WEIGHTS = "instances/costs/cpu-4-workers.neural.json";
const TASKS = "instances/costs/autoshard-tasks.json";
const OUT = ["--out", "not-written.json"];

/** Every command that takes a file, and every option that names one to read; `at` stands for the file. */
const READING: Readonly<Record<string, (at: string) => readonly string[]>> = {
  plan: (at) => ["plan", at],
  compare: (at) => ["compare", at],
  frontier: (at) => ["frontier", at],
  verify: (at) => ["verify", at],
  solve: (at) => ["solve", at],
  simulate: (at) => ["simulate", at],
  export: (at) => ["export", at, "--to", "lp"],
  "import torchrec": (at) => ["import", "torchrec", at],
  "import torchrec --instance": (at) => ["import", "torchrec", "examples/torchrec-sharding.json", "--instance", at],
  profile: (at) => ["profile", at],
  "learn-cost": (at) => ["learn-cost", at, ...OUT],
  "learn-cost --stream": (at) => ["learn-cost", at, "--stream", ...OUT],
  "learn-policy": (at) => ["learn-policy", at, "--cost", WEIGHTS, ...OUT],
  "learn-policy --cost": (at) => ["learn-policy", TASKS, "--cost", at, ...OUT],
  "learn-policy --resume": (at) => ["learn-policy", TASKS, "--cost", WEIGHTS, "--resume", at, ...OUT],
  "learn-policy --joint": (at) => ["learn-policy", TASKS, "--joint", at, "--cost-out", "neither.json", ...OUT],
};

const cases = Object.entries(READING).flatMap(([command, args]) => [
  [command, "no such file", "no-such-file", args("no-such-file.json")] as const,
  [command, "a directory", "instances", args("instances")] as const,
]);

test.concurrent.each(cases)("%s: %s is one line in words, and exit 2", async (_, reason, file, args) => {
  const { status, stdout, stderr } = await runCli(args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain(file);
  expect(stderr).toMatch(new RegExp(`received (\\S+ \\()?${reason}`));
  expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
});

test.concurrent.each([
  ["plan", ["plan", INSTANCE]],
  ["learn-cost", ["learn-cost", "instances/costs/cpu-4-workers.json"]],
])("%s: a folder to write to that there is not is said before the work", async (_, args) => {
  const { status, stderr } = await runCli([...args, "--out", "no/such/folder/out.json"]);
  expect([status, stderr]).toEqual([
    2,
    "no/such/folder/out.json: expected a folder that can be written to, received no/such/folder (no such folder)\n",
  ]);
});
