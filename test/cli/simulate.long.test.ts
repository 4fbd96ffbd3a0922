import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const TINY = "instances/tiny/one-node.yaml";

let text = "";
beforeAll(async () => {
  text = (await runCli(["plan", TINY, "--json"])).stdout;
});

test("simulate shows tiers, collectives and the verdict, and ends with 0", async () => {
  const { status, stdout, stderr } = await runCli(["simulate", "-"], { input: text });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^one-node {2}simulated, exact: 10 batches of \d+ samples on 1 × \d+ GPUs, seed 0\n/);
  expect(stdout).toContain("predicted");
  expect(stdout).toMatch(/\nagrees: \d+ numbers within 4 standard errors, largest \|z\| \d\.\d\n$/);
});

test("the JSON has everything, and the same seed gives the same bytes", async () => {
  const args = ["simulate", "-", "--json", "--batches", "3", "--seed", "9"];
  const [first, second] = [await runCli(args, { input: text }), await runCli(args, { input: text })];
  expect(first.stdout).toBe(second.stdout);
  expect(JSON.parse(first.stdout)).toMatchObject({
    shardproof: 1,
    instance: { name: "one-node" },
    traffic: { kind: "sampled", batches: 3, seed: 9 },
    verdict: { within: true },
    comparisons: expect.any(Array),
    collectives: expect.any(Array),
    memory: { staticBytes: expect.any(Number) },
  });
});

test("a plan whose numbers are wrong ends with 5", async () => {
  const plan = JSON.parse(text);
  plan.memory.bytesPerGpu *= 2;
  const { status, stdout } = await runCli(["simulate", "-"], { input: JSON.stringify(plan) });
  expect(status).toBe(5);
  expect(stdout).toMatch(/differs: 1 of \d+ numbers beyond 4 standard errors, .*; the digest is not that of the file/);
  plan.digest = planDigest(plan);
  const again = await runCli(["simulate", "-"], { input: JSON.stringify(plan) });
  expect([again.status, again.stdout.includes("digest is not")]).toEqual([5, false]);
});

test("a log of too few samples ends with 3, and says so", async () => {
  const log = join(temporaryFolder(), "log.txt");
  writeFileSync(log, "0 1\n0\n");
  const { status, stdout } = await runCli(["simulate", "-", "--events", log], { input: text });
  expect(stdout).toMatch(/\nnot compared: status, request, .*\n\ntoo few samples to tell: none of the \d+ numbers/);
  expect(status).toBe(3);
});

test("a log is replayed in the order of its rank file", async () => {
  const folder = temporaryFolder();
  const [log, ids] = [join(folder, "log.txt"), join(folder, "ids.txt")];
  writeFileSync(log, "b a\na\nc\n");
  writeFileSync(ids, "a\nb\nc\n");
  const args = ["simulate", "-", "--events", log, "--rank-file", ids, "--json"];
  const { stdout, stderr } = await runCli(args, { input: text });
  expect(stderr).toBe("");
  const traffic = { kind: "replayed", file: log, samples: 3, lookups: 4 };
  expect(JSON.parse(stdout)).toMatchObject({ traffic });
});

test.each([
  { args: ["-", "--batches", "0"], says: "Expected an integer of at least 1" },
  { args: ["-", "--table", "a"], says: "--table is of a log: it needs --events FILE" },
  { args: ["-", "--rank-file", "a"], says: "--rank-file is of a log: it needs --events FILE" },
  { args: ["-", "--events", "a", "--seed", "1"], says: "it takes no --batches and no --seed" },
  { args: ["-", "--events", "no-such-log"], says: "no-such-log: expected a log that can be read" },
  { args: ["no-such-plan.json"], says: "expected a plan file that can be read" },
  { args: ["-", "--instance", "-"], says: "cannot both be standard input" },
  {
    args: ["-", "--instance", "instances/tiny/two-tiers.yaml"],
    says: "expected the instance that the plan was made for",
  },
  { args: [TINY], says: "expected a plan file (JSON)" },
  { args: ["test"], says: "expected a plan file that can be read" },
])("$args is one line on standard error and exit status 2", async ({ args, says }) => {
  const { status, stdout, stderr } = await runCli(["simulate", ...args], { input: text });
  expect(stderr).toContain(says);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect([status, stdout]).toEqual([2, ""]);
});

test("the plan of an instance on standard input says where to find it", async () => {
  const { stdout } = await runCli(["plan", "-", "--json"], { input: readFileSync(TINY, "utf8") });
  const { status, stderr } = await runCli(["simulate", "-"], { input: stdout });
  expect(stderr).toContain("say where it is with --instance FILE");
  expect(status).toBe(2);
  expect((await runCli(["simulate", "-", "--instance", TINY], { input: stdout })).status).toBe(0);
});

test("an infeasible plan has nothing to simulate", async () => {
  const { stdout } = await runCli(["plan", "instances/tiny/infeasible.yaml", "--json"]);
  const { status, stderr } = await runCli(["simulate", "-"], { input: stdout });
  expect(stderr).toContain("nothing to simulate");
  expect(status).toBe(2);
});

test("a placement's look-ups are drawn and follow its hot rows and caches", async () => {
  const { stdout: placed } = await runCli(["plan", "instances/tiny/placement-hot-rows.yaml", "--json"]);
  const { status, stdout, stderr } = await runCli(["simulate", "-"], { input: placed });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^placement-hot-rows {2}simulated, exact: 10 batches on 4 × 1 GPUs, [\d,]+ look-ups, seed 0\n/,
  );
  expect(stdout).toMatch(/\n {2}t0 +hot rows +look-ups +/);
  expect(stdout).toMatch(/\n +misses, distinct rows +/);
  expect(stdout).toMatch(/\nagrees: \d+ numbers within 4 standard errors, largest \|z\| \d\.\d\n$/);
  const args = ["simulate", "-", "--json", "--batches", "2", "--seed", "5"];
  const [first, second] = [await runCli(args, { input: placed }), await runCli(args, { input: placed })];
  expect(first.stdout).toBe(second.stdout);
  expect(JSON.parse(first.stdout)).toMatchObject({
    traffic: { kind: "sampled", batches: 2, seed: 5, indexOrder: "spread", assumedSamplesPerGpu: null },
    readAlike: ["t2"],
    verdict: { outcome: "agrees", within: true },
    caches: [{ table: "t0", cachedRows: 39990 }],
  });
});

test("what does not fit a placement's simulation is said in one line", async () => {
  const { stdout: placed } = await runCli(["plan", "instances/tiny/placement-given.yaml", "--json"]);
  const given = await runCli(["simulate", "-"], { input: placed });
  expect(given.stderr).toMatch(/placement-given\.yaml: table \w+: expected its ids per sample \(poolingFactor\)/);
  expect([given.status, given.stdout]).toEqual([2, ""]);
  const { stdout: split } = await runCli(["plan", "instances/tiny/placement-hot-rows.yaml", "--json"]);
  const log = await runCli(["simulate", "-", "--events", "log.txt"], { input: split });
  expect([
    log.status,
    log.stderr.includes("of the tables t0, t1, t2 for the log, received none; add --table NAME"),
  ]).toEqual([2, true]);
  const rows = await runCli(["simulate", "-", "--samples", "3"], { input: text });
  expect([rows.status, rows.stderr.includes("are for plans of table-placement")]).toEqual([2, true]);
});
