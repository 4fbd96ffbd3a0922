import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bytesOf, npy } from "../support/npy.js";
import { runCli } from "./run-cli.js";

const INSTANCE = "instances/tiny/two-tiers.yaml";
const WEIGHTS = "instances/costs/cpu-4-workers.neural.json";
const TASKS = "instances/costs/autoshard-tasks.json";
const OUT = ["--out", "not-written.json"];

/** Files that there are, for the options beside them. */
const folder = mkdtempSync(join(tmpdir(), "shardproof-files-"));
const PLAN = join(folder, "plan.json");
const EMBEDDINGS = join(folder, "embeddings.npy");
const LOG = join(folder, "log.txt");

beforeAll(async () => {
  writeFileSync(EMBEDDINGS, npy("<f4", bytesOf(Float32Array.of(3, 0, 2, 2)), "1, 2, 2"));
  writeFileSync(LOG, "0 1\n");
  expect((await runCli(["plan", INSTANCE, "--out", PLAN])).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every command that takes a file, and every option that names one to read; `at` stands for the file. */
const READING: Readonly<Record<string, (at: string) => readonly string[]>> = {
  plan: (at) => ["plan", at],
  compare: (at) => ["compare", at],
  frontier: (at) => ["frontier", at],
  verify: (at) => ["verify", at],
  solve: (at) => ["solve", at],
  "verify --instance": (at) => ["verify", PLAN, "--instance", at],
  simulate: (at) => ["simulate", at],
  "simulate --instance": (at) => ["simulate", PLAN, "--instance", at],
  "simulate --events": (at) => ["simulate", PLAN, "--events", at],
  "simulate --rank-file": (at) => ["simulate", PLAN, "--events", LOG, "--rank-file", at],
  report: (at) => ["report", at],
  "report --instance": (at) => ["report", PLAN, "--instance", at],
  export: (at) => ["export", at, "--to", "lp"],
  "export --instance": (at) => ["export", PLAN, "--to", "lp", "--instance", at],
  "export --rank-file": (at) => [
    "export",
    PLAN,
    "--to",
    "remap",
    "--ids-are-ranks",
    "--rank-file",
    `a=${at}`,
    "--out",
    folder,
  ],
  "import torchrec": (at) => ["import", "torchrec", at],
  "import torchrec --instance": (at) => ["import", "torchrec", "examples/torchrec-sharding.json", "--instance", at],
  profile: (at) => ["profile", at],
  "profile count": (at) => ["profile", "count", at],
  "profile columns": (at) => ["profile", "columns", at, "--columns", "row"],
  "profile merge": (at) => ["profile", "merge", at],
  "profile --from-aggregate": (at) => ["profile", "--from-aggregate", at, "--samples", "3"],
  interaction: (at) => ["interaction", at],
  "interaction --features": (at) => ["interaction", EMBEDDINGS, "--features", at],
  "learn-cost": (at) => ["learn-cost", at, ...OUT],
  "learn-cost --stream": (at) => ["learn-cost", at, "--stream", ...OUT],
  "learn-policy": (at) => ["learn-policy", at, "--cost", WEIGHTS, ...OUT],
  "learn-policy --cost": (at) => ["learn-policy", TASKS, "--cost", at, ...OUT],
  "learn-policy --resume": (at) => ["learn-policy", TASKS, "--cost", WEIGHTS, "--resume", at, ...OUT],
  "learn-policy --joint": (at) => ["learn-policy", TASKS, "--joint", at, "--cost-out", "neither.json", ...OUT],
};

const cases = Object.entries(READING).flatMap(([command, args]) => [
  [command, "no such file", "no-such-file", args("no-such-file.json")] as const,
  // A log may be a folder: what is none of its parts is named.
  [command, command.startsWith("profile") ? "another" : "a directory", "instances", args("instances")] as const,
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
