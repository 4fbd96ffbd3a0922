import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failureOf } from "../../src/cli/terminal/failure.js";
import { prepareInstance } from "../../src/problems/planning/plan.js";
import { runCli, temporaryFolder, writePlanFile } from "./run-cli.js";

const TINY = "instances/tiny/three-tiers-serial.yaml";
const PROGRAM = "instances/programs/knapsack-30.mps";
const TORCHREC = "examples/torchrec-problem.json";
const SHARDING = "examples/torchrec-sharding.json";

test.each([
  { args: [], says: "expected a command; see shardproof --help" },
  { args: ["solve"], says: "missing required argument 'model'; see shardproof solve --help" },
  {
    args: ["export", "plan.json", "--to", "pdf"],
    says: "choices are remap, torchrec, lp, mps, vipr; see shardproof export --",
  },
  { args: ["verify", TINY], says: `this is an instance: make its plan with shardproof plan ${TINY} --out plan.json` },
  { args: ["report", TINY], says: "this is an instance: make its plan" },
  { args: ["plan", PROGRAM], says: `this is a mixed-integer program: shardproof solve ${PROGRAM}` },
  { args: ["solve", TINY], says: "this is an instance: make its plan" },
  { args: ["plan", TORCHREC], says: `make its instance with shardproof import torchrec ${TORCHREC} --out` },
  { args: ["compare", SHARDING], says: `score it with shardproof import torchrec ${SHARDING} --instance` },
  { args: ["import", "torchrec", TINY], says: "this is an instance: make its plan with shardproof plan" },
  {
    args: ["import", "torchrec", "no.json"],
    says: "no.json: expected a planning problem or sharding plan that can be",
  },
  { args: ["pln", TINY], says: "unknown command 'pln' (Did you mean plan?)" },
  { args: ["plan"], says: "missing required argument 'instance'" },
  { args: ["plan", TINY, TINY], says: "too many arguments" },
  { args: ["plan", TINY, "--gapp", "0"], says: "unknown option '--gapp' (Did you mean --gap?)" },
  { args: ["plan", TINY, "--gap", "-1"], says: "Expected a number of at least 0" },
  { args: ["plan", TINY, "--gap", "tiny"], says: "Expected a number of at least 0" },
  { args: ["plan", TINY, "--time-limit", "0"], says: "Expected a number above 0" },
  { args: ["plan", TINY, "--time-limit", "-1"], says: "Expected a number above 0" },
  { args: ["plan", TINY, "--work-limit", "0"], says: "Expected a number above 0" },
  { args: ["plan", TINY, "--time-limit", "10 apples"], says: "in seconds or with its unit as in 10s or 2min" },
  { args: ["plan", TINY, "--time-limit", "s"], says: "in seconds or with its unit as in 10s or 2min" },
  { args: ["plan", TINY, "--gap", "100%"], says: "below 1, or per cent as in 5%" },
  { args: ["plan", TINY, "--gap", "%"], says: "below 1, or per cent as in 5%" },
  { args: ["plan", TINY, "--seed", "1.5"], says: "Expected an integer" },
  { args: ["plan", TINY, "--method", "flexshard3tier"], says: "did you mean flexshard-3tier?" },
  { args: ["plan", TINY, "--solver", "cplex"], says: 'there is no solver "cplex"' },
  { args: ["plan", TINY, "--out", "no-such-folder/plan.json"], says: "expected a folder that can be written to" },
  { args: ["plan", "no-such-file.yaml"], says: "no such file" },
  { args: ["plan", "instances/tiny/two-tiers.yaml", "--method", "flexshard-3tier"], says: "needs the tier flex" },
  { args: ["plan", TINY, "--method", "row-wise", "--out", "."], says: "expected a file that can be written" },
  { args: ["verify", "no-such-file.json"], says: "expected a plan file that can be read" },
  { args: ["verify", TINY], says: "expected a plan file (JSON)" },
  { args: ["verify", "package.json"], says: "received JSON without the key shardproof" },
  { args: ["verify", "-", "--instance", "-"], says: "cannot both be standard input" },
  { args: ["explain"], says: "missing required argument 'plan'; see shardproof explain --help" },
  { args: ["explain", TINY], says: `this is an instance: make its plan with shardproof plan ${TINY} --out plan.json` },
  { args: ["explain", "no-such-file.json"], says: "expected a plan file that can be read" },
  { args: ["explain", "package.json"], says: "received JSON without the key shardproof" },
  { args: ["explain", "-", "--instance", "-"], says: "cannot both be standard input" },
  { args: ["explain", "plan.json", "--time-limit", "0"], says: "Expected a number above 0" },
  {
    args: ["explain", "plan.json", "--out", "no-such-folder/e.json"],
    says: "expected a folder that can be written to",
  },
  { args: ["frontier", "instances/tiny/placement-given.yaml", "--points", "0"], says: "expected 2 points or more" },
  { args: ["frontier", "instances/tiny/towers-pairwise.yaml"], says: "expected an instance of row-tiers or table-pl" },
  { args: ["profile", "e.csv", "--row", "a", "--row", "b"], says: "error: --row was given twice; it takes one value" },
  { args: ["profile", "e.csv", "--ids", "texts", "--ids", "integers"], says: "--ids was given twice" },
  { args: ["plan", TINY, "--seed", "1", "--seed", "2"], says: "--seed was given twice" },
  { args: ["simulate", "plan.json", "--instance=a", "--instance", "b"], says: "--instance was given twice" },
  { args: ["reproduce", "flexshrd"], says: "did you mean flexshard?" },
])("$args is one line on standard error and exit status 2", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(args);
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

test("plans and answers that are handed to plan are told from instances", async () => {
  const folder = temporaryFolder();
  const [plan, answer] = [join(folder, "plan.json"), join(folder, "answer.json")];
  await Promise.all([writePlanFile(plan, TINY), runCli(["solve", PROGRAM, "--out", answer])]);
  const failures = await Promise.all([runCli(["plan", plan]), runCli(["plan", answer]), runCli(["report", answer])]);
  const hints = [`report ${plan} shows it`, `verify ${answer} checks it`, `verify ${answer} checks it`];
  for (const [k, { status, stderr }] of failures.entries()) {
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(`shardproof ${hints[k]}`);
    expect(status).toBe(2);
  }
});

test("a method that needs more than the budget is refused with both numbers", async () => {
  const { status, stderr } = await runCli(["plan", "instances/tiny/one-node.yaml", "--method", "data-parallel"]);
  expect(stderr).toMatch(/needs [\d.]+ bytes per GPU here, over the budget of [\d.]+ bytes;/);
  expect(status).toBe(2);
});

test("every bad instance is one line that begins with its place, and exit status 2", async () => {
  const folder = "instances/hostile/bad";
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  expect(files.length).toBeGreaterThan(50);
  for (const [k, name] of files.entries()) {
    const file = `${folder}/${name}`;
    const error: unknown = await prepareInstance(file).catch((thrown: unknown) => thrown);
    const { message, exitStatus } = failureOf(error);
    expect(message).toMatch(new RegExp(`^${file}:\\d+:\\d+: [^\\n]+$`));
    expect([name, exitStatus]).toEqual([name, 2]);
    // What the command writes is that line: shown by some, in processes of their own.
    if (k % 15 === 0) {
      expect(await runCli(["plan", file])).toMatchObject({ status: 2, stdout: "", stderr: `${message}\n` });
    }
  }
});

test("help and version go to standard output", async () => {
  const help = await runCli(["--help"]);
  expect(help.stdout).toContain("Usage: shardproof");
  expect([help.status, help.stderr]).toEqual([0, ""]);
  const version = await runCli(["--version"]);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("schema prints the JSON Schema of instances", async () => {
  const { status, stdout } = await runCli(["schema"]);
  expect(JSON.parse(stdout)).toMatchObject({ title: "shardproof instance", type: "object" });
  expect(status).toBe(0);
});

test("schema --plan prints that of plans: of all problems, or of one", async () => {
  const all = JSON.parse((await runCli(["schema", "--plan"])).stdout);
  const one = JSON.parse((await runCli(["schema", "--plan", "row-tiers"])).stdout);
  const placements = JSON.parse((await runCli(["schema", "--plan", "table-placement"])).stdout);
  expect(all).toMatchObject({ title: "shardproof plan", type: "object" });
  expect(one.properties.problem).toEqual({ const: "row-tiers" });
  // In groups and without.
  const problems = placements.oneOf.map(({ properties }: typeof one) => properties.problem);
  expect(problems).toEqual([{ const: "table-placement" }, { const: "table-placement" }]);
  const other = await runCli(["schema", "--plan", "table-placment"]);
  expect([other.status, other.stderr]).toEqual([
    2,
    "error: --plan: expected row-tiers, table-placement, tower-partition or nothing, received table-placment; did you mean table-placement?\n",
  ]);
});

test("limits of time and gaps are taken with their units", async () => {
  const asked = async (...args: readonly string[]) => {
    const { gap, timeLimitSeconds } = JSON.parse((await runCli(["plan", TINY, "--json", ...args])).stdout).request;
    return [gap, timeLimitSeconds];
  };
  expect(await asked("--gap", "5%", "--time-limit", "10s")).toEqual([0.05, 10]);
  expect(await asked("--gap", "0.5 %", "--time-limit", "1.5 min")).toEqual([0.005, 90]);
  expect(await asked("--gap", "0.05", "--time-limit", "10")).toEqual([0.05, 10]);
});
