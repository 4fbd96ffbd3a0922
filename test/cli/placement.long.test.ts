import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

const GIVEN = "instances/tiny/placement-given.yaml";
const PARTITIONS = "instances/tiny/placement-partitions.yaml";
const INFEASIBLE = "instances/tiny/placement-infeasible.yaml";

test("the JSON of a placement is what the format says", async () => {
  const { status, stdout, stderr } = await runCli(["plan", PARTITIONS, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({
    shardproof: 1,
    problem: "table-placement",
    instance: { name: "placement-partitions", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), file: PARTITIONS },
    method: "optimal",
    status: "proved",
    objective: { kind: "largest-device-cost", unit: "ms", value: 4.625 },
    certificate: { format: "shardproof-certificate 1" },
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(plan.devices).toHaveLength(4);
  expect(plan.deviceCosts).toHaveLength(4);
  expect(plan.deviceBytes).toHaveLength(4);
  expect(Math.max(...plan.deviceCosts)).toBe(plan.objective.value);
  expect(Object.keys(plan.choices)).toEqual(["big", "wide", "long", "small"]);
  for (const [name, { ranks }] of Object.entries<{ ranks: number[] }>(plan.choices)) {
    for (const [shard, rank] of ranks.entries()) {
      expect(plan.devices[rank]).toContain(ranks.length === 1 ? name : `${name}#${shard}`);
    }
  }
});

test("a person sees each device, its share of the largest cost, its memory and its tables", async () => {
  const { status, stdout, stderr } = await runCli(["plan", GIVEN]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/device\s+cost\s+of largest\s+memory\s+of its own\s+tables/);
  expect(stdout).toMatch(/11\.0000\s+100\.0 %\s+\d+ B\s+\d+\.\d %\s+\w, \w/);
  expect(stdout).toMatch(/largest device cost\s+11\.0000/);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
    /^proved: no plan is better than (11\.0000|10\.9999) — .* exact arithmetic/,
  );
});

test("the same instance gives the same bytes, its timing apart", async () => {
  const withoutTiming = (text: string) => text.replace(/"timing": \{[^}]*\}/, "");
  const [first, second] = [await runCli(["plan", PARTITIONS, "--json"]), await runCli(["plan", PARTITIONS, "--json"])];
  expect(first?.stdout).toContain('"status": "proved"');
  expect(withoutTiming(second?.stdout ?? "")).toBe(withoutTiming(first?.stdout ?? ""));
});

test("a placement verifies from its file, and not once it is changed", async () => {
  const file = join(temporaryFolder(), "plan.json");
  await runCli(["plan", GIVEN, "--out", file]);
  const verified = await runCli(["verify", file]);
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  expect(verified.stdout).toMatch(/ok\s+placement\s+7 shards of 7 tables/);
  expect(verified.stdout.trimEnd().split("\n").at(-1)).toBe("verified");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace('"value": 11,', '"value": 10,'));
  const changed = await runCli(["verify", file]);
  expect(changed.status).toBe(5);
  expect(changed.stdout).toMatch(/differs objective\.value: expected 11, found 10/);
  writeFileSync(file, text);
  const other = await runCli(["verify", file, "--instance", "instances/tiny/two-tiers.yaml"]);
  expect(other.status).toBe(5);
  expect(other.stdout).toContain("the plan was made for another");
});

test("an infeasible instance says which tables are too many, and ends with 4", async () => {
  const { status, stdout } = await runCli(["plan", INFEASIBLE]);
  expect(status).toBe(4);
  expect(stdout).toMatch(/needed\s+120 B of device memory/);
  expect(stdout).toMatch(/enough\s+20 B more on every device/);
  expect(stdout).toMatch(/\n {2}a\n {2}b\n {2}c\n/);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^infeasible: no plan is within the limits — /);
});

test("a published method has no bound, one that finds nothing says so, and one that there is not is refused", async () => {
  const heuristic = await runCli(["plan", GIVEN, "--method", "size-greedy", "--json"]);
  expect(heuristic.status).toBe(0);
  expect(JSON.parse(heuristic.stdout)).toMatchObject({
    status: "heuristic",
    objective: { bound: null },
    certificate: null,
  });
  const none = await runCli(["plan", INFEASIBLE, "--method", "size-greedy"]);
  expect(none.status).toBe(2);
  expect(none.stderr).toMatch(/the method size-greedy found no plan: .*that is not a proof that there is none/);
  const unknown = await runCli(["plan", GIVEN, "--method", "size-greed"]);
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toBe('there is no method "size-greed" for table-placement; did you mean size-greedy?\n');
});

test("compare prints a table for each instance, whatever its problem", async () => {
  const both = [GIVEN, "instances/tiny/two-tiers.yaml"];
  const { status, stdout, stderr } = await runCli(["compare", ...both]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/method\s+largest cost\s+above the bound\s+seconds/);
  expect(stdout).toMatch(/method\s+ms per iteration/);
  expect(stdout).toMatch(/size-greedy .*optimal too/);
  const { rows } = JSON.parse((await runCli(["compare", GIVEN, "--json"])).stdout);
  const [optimal, ...others] = rows;
  expect(optimal).toMatchObject({ instance: "placement-given", method: "optimal", value: 11 });
  // Within the gap of 1e-9 that a plan is asked for.
  expect(optimal.gap).toBeLessThanOrEqual(1e-9);
  expect(optimal.bound).toBeLessThanOrEqual(11);
  expect(optimal.bound).toBeCloseTo(11, 7);
  expect(optimal.status).toBe("proved");
  expect(others.map(({ method }: { method: string }) => method)).toEqual(
    expect.arrayContaining(["random", "size-greedy", "dim-greedy", "lookup-greedy", "torchrec-greedy", "torchrec-dp"]),
  );
  for (const { status, value, bound, gap } of others) {
    expect(bound).toBe(optimal.bound);
    if (status === "heuristic") expect(gap).toBeCloseTo(value / 11 - 1, 8);
    else expect([value, gap]).toEqual([null, null]);
  }
});

test("bad input is one line with its place", async () => {
  const file = join(temporaryFolder(), "bad.yaml");
  writeFileSync(file, readFileSync(GIVEN, "utf8").replace("cost: 7", "cost: lots"));
  const { status, stdout, stderr } = await runCli(["plan", file]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(
    /^\S+bad\.yaml:10:21: tables\[0\]\.cost: expected a finite number .*received string "lots"\n$/,
  );
});
