import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../src/exact/random.js";
import { interruptedAfter, runCli, runProcess, temporaryFolder } from "./run-cli.js";

const KNAPSACK = "instances/programs/knapsack-30.mps";
const PRODUCTION = "instances/programs/production.lp";

const INFEASIBLE = "Minimize\n x + y\nSubject To\n c: 2 x + 2 y = 3\nBounds\n x <= 9\n y <= 9\nGenerals\n x y\nEnd\n";

test("the JSON of a solution is what the format says", async () => {
  const { status, stdout, stderr } = await runCli(["solve", KNAPSACK, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const solution = JSON.parse(stdout);
  expect(solution).toMatchObject({
    shardproof: 1,
    kind: "solution",
    status: "proved",
    model: { name: "knapsack-30", file: KNAPSACK, sense: "maximize", columns: 30, integerColumns: 30, rows: 1 },
    request: { gap: 0, timeLimitSeconds: 60, seed: 0, solver: "highs" },
    objective: { value: 8903, bound: 8903, gap: 0 },
    exact: { value: "8903", bound: "8903" },
    reason: null,
    contradictions: [],
    certificate: { format: "shardproof-certificate 1", claim: { kind: "bound", bound: "8903" } },
  });
  expect(solution.proof.steps).toBe(solution.certificate.steps.length);
  expect(Object.keys(solution.variables)).toHaveLength(30);
  expect(Object.values(solution.variables).every((value) => value === 0 || value === 1)).toBe(true);
  expect(Object.keys(solution.timing)).toEqual(["readSeconds", "solveSeconds", "proveSeconds", "totalSeconds"]);
});

test("what no double is exactly is written as a fraction", async () => {
  const { stdout } = await runCli(["solve", PRODUCTION, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    objective: { value: 11909 / 19, bound: 11909 / 19, gap: 0 },
    exact: { value: "11909/19", bound: "11909/19" },
    variables: { bread: "5215/38", rolls: 15, cake: 0, tart: "845/19", scones: 45 },
  });
});

test("a person sees size, status, value, bound and the variables that are not zero", async () => {
  const { status, stdout, stderr } = await runCli(["solve", PRODUCTION]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^production {2}maximise; 5 columns, 5 rows, 19 non-zeros\n/);
  expect(stdout).toMatch(/status +proved optimal\n +value +≈ 626\.789474 \(11909\/19\)\n/);
  expect(stdout).toMatch(/bread +137\.2368421 +5215\/38\n +rolls +15\n/);
  expect(stdout).toContain("1 variable is zero");
  expect(stdout).toMatch(/\nproved: no point is better than ≈ 626\.789474 .* checked in exact arithmetic/);
});

test.each([
  {
    name: "minimise with a constant",
    text: "Minimize\n obj: 2 x + 7\nSubject To\n c: 3 x >= 4\nGenerals\n x\nEnd\n",
    value: 11,
  },
  { name: "maximise", text: "Maximize\n obj: 2 x - 7\nSubject To\n c: 3 x <= 4\nGenerals\n x\nEnd\n", value: -5 },
  { name: "a range", text: "Minimize\n obj: x\nSubject To\n c: 3 <= 2 x <= 5\nGenerals\n x\nEnd\n", value: 2 },
  { name: "no objective", text: "Minimize\n\nSubject To\n c: x >= 1\nEnd\n", value: 0 },
])("$name", async ({ text, value }) => {
  const { status, stdout } = await runCli(["solve", "-", "--json"], { input: text });
  const { objective } = JSON.parse(stdout);
  expect([status, objective]).toEqual([0, { value, bound: value, gap: 0 }]);
});

test("an infeasible model ends with 4 and a certificate", async () => {
  const { status, stdout } = await runCli(["solve", "-", "--json"], { input: INFEASIBLE });
  expect(status).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "infeasible",
    objective: { value: null, bound: null, gap: null },
    variables: null,
    certificate: { claim: { kind: "infeasible" } },
  });
});

test("an unbounded model ends with 6, a feasible point and a ray", async () => {
  const input = "Maximize\n x\nSubject To\n c: 2 x - 4 y = 2\nGenerals\n x y\nEnd\n";
  const { status, stdout } = await runCli(["solve", "-", "--json"], { input });
  expect(status).toBe(6);
  const { status: found, objective, variables, ray } = JSON.parse(stdout);
  expect([found, objective.bound]).toEqual(["unbounded", null]);
  expect(2 * variables.x - 4 * variables.y).toBe(2);
  expect(ray.x).toBe(2 * ray.y);
  expect(ray.x).toBeGreaterThan(0);
});

test("a solver beside: its claim stands below what was proved, in the file too, which verifies", async () => {
  const { status, stdout, stderr } = await runCli(["solve", KNAPSACK, "--beside", "highs"]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /side by side +value +bound +gap +seconds\n +shardproof +8,903 +8,903 +0 +\d+\.\d{3} +proved, checked/,
  );
  expect(stdout).toMatch(/\n +highs +8,903 +8,903 +0 +\d+\.\d{3} +claims optimal, not proved\n/);
  const file = join(temporaryFolder(), "solution.json");
  const input = readFileSync(KNAPSACK, "utf8");
  const solved = await runCli(["solve", "-", "--beside", "glpk", "--json", "--out", file], { input });
  const { beside, timing, objective } = JSON.parse(solved.stdout);
  expect(beside).toEqual({
    ...{ solver: "glpk", status: "optimal", value: 8903, bound: null, gap: null, failure: null },
    reading: { status: "unread", detail: "it reads no MPS files" },
  });
  expect(timing.besideSeconds).toBeGreaterThan(0);
  expect(objective.value).toBe(8903);
  expect((await runCli(["verify", file, "--instance", KNAPSACK])).status).toBe(0);
  const missing = await runCli(["solve", KNAPSACK, "--beside", "gurobi"]);
  expect([missing.status, missing.stdout]).toEqual([2, ""]);
  expect(missing.stderr).toMatch(/^error: there is no solver "gurobi"/);
  const none = await runCli(["solve", "none.mps", "--beside", "highs"]);
  expect([none.status, none.stderr.split("\n").length]).toEqual([2, 2]);
});

test("standard input is read in the format that it looks like, or that is said", async () => {
  const input = readFileSync(KNAPSACK, "utf8");
  const piped = JSON.parse((await runCli(["solve", "-", "--json"], { input })).stdout);
  expect(piped).toMatchObject({ model: { name: "knapsack-30", file: "-" }, objective: { value: 8903 } });
  const wrong = await runCli(["solve", "-", "--format", "lp"], { input });
  expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toMatch(/^-:\d+:\d+: /);
});

test.each([
  { name: "bad.mps", text: "NAME t\nROWS\n N o\n L c\nCOLUMNS\n x o 1 c z\nENDATA\n", says: /bad\.mps:6:10: .*"z"/ },
  { name: "bad.lp", text: "Minimize\n x\nSubject To\n c: x >= <= 1\nEnd\n", says: /bad\.lp:4:\d+: / },
  { name: "BAD.LP", text: "Minimize\n x\nSubject To\n c: x >= <= 1\nEnd\n", says: /BAD\.LP:4:\d+: / },
  { name: "bad.txt", text: "NAME t\nROWS\n N o\n X c\nENDATA\n", says: /bad\.txt:4:\d+: .*read as MPS.*--format lp/ },
  { name: "other.txt", text: "first line\n", says: /other\.txt:1:1: expected a model in MPS or LP format/ },
])("$name is one line with its place, and 2", async ({ name, text, says }) => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  const { status, stdout, stderr } = await runCli(["solve", file]);
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([status, stdout]).toEqual([2, ""]);
});

test.each([
  { args: ["no-such.mps"], says: "no such file" },
  { args: [KNAPSACK, "--solver", "cplex"], says: 'there is no solver "cplex"' },
  { args: [KNAPSACK, "--format", "xml"], says: "Expected mps or lp" },
  { args: [KNAPSACK, "--certificate", "no-such-folder/c.json"], says: "expected a folder that can be written to" },
])("$args is refused", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(["solve", ...args]);
  expect(stderr).toContain(says);
  expect([status, stdout]).toEqual([2, ""]);
});

test("the same model gives the same bytes, its timing apart", async () => {
  const runs = [await runCli(["solve", KNAPSACK, "--json"]), await runCli(["solve", KNAPSACK, "--json"])];
  const [first, second] = runs.map(({ stdout }) => stdout.replace(/"timing": \{[^}]*\}/, ""));
  expect(first).toContain('"status": "proved"');
  expect(second).toBe(first);
});

test("a time limit ends with the best proved so far and 3", async () => {
  const hard = writeHardModel(temporaryFolder());
  const { status, stdout } = await runCli(["solve", hard, "--time-limit", "8", "--json"]);
  expect(status).toBe(3);
  const { status: found, objective, reason } = JSON.parse(stdout);
  expect(found).toBe("feasible");
  expect(objective.bound).toBeGreaterThanOrEqual(0);
  expect(objective.bound).toBeLessThan(objective.value);
  expect(reason).toContain("time limit of 8 s");
});

test("Ctrl-C ends with the best so far and 3", async () => {
  const hard = writeHardModel(temporaryFolder());
  const started = performance.now();
  const { status, signal, stdout } = await runProcess(["solve", hard, "--time-limit", "50", "--json"], {
    onStart: interruptedAfter(6),
  });
  expect([status, signal]).toEqual([3, null]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "feasible", reason: expect.stringContaining("interrupted") });
  expect(performance.now() - started).toBeLessThan(40_000);
});

/** A market-split model (Cornuéjols and Dawande 1998): its relaxation says nothing, and its proof takes far too long. */
function writeHardModel(folder: string): string {
  const random = seededRandom(1);
  const columns = Array.from({ length: 40 }, (_, j) => `x${j}`);
  const rows = Array.from({ length: 5 }, (_, i) => {
    const weights = columns.map(() => random.integer(100));
    const half = Math.floor(weights.reduce((sum, weight) => sum + weight, 0) / 2);
    return ` r${i}: ${weights.map((weight, j) => `${weight} x${j}`).join(" + ")} + s${i} - t${i} = ${half}`;
  });
  const off = rows.map((_, i) => `s${i} + t${i}`).join(" + ");
  const file = join(folder, "hard.lp");
  writeFileSync(file, `Minimize\n off: ${off}\nSubject To\n${rows.join("\n")}\nBinaries\n ${columns.join(" ")}\nEnd\n`);
  return file;
}
