import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

const SIZES = "instances/tiny/towers-load-sizes.yaml";
const KMEANS = "instances/tiny/towers-kmeans.yaml";
const INFEASIBLE = "instances/tiny/towers-infeasible-load.yaml";
const CRITEO = "instances/paper/criteo26.yaml";

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

test("the JSON of towers is what the format says", async () => {
  const { status, stdout, stderr } = await runCli(["plan", SIZES, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({
    shardproof: 1,
    problem: "tower-partition",
    instance: { name: "towers-load-sizes", sha256: expect.stringMatching(/^[0-9a-f]{64}$/), file: SIZES },
    method: "optimal",
    status: "proved",
    objective: {
      kind: "kmeans",
      strategy: "coherent",
      value: JSON.parse(readFileSync(SIZES.replace("yaml", "expected.json"), "utf8")).objective,
    },
    random: { capturedShare: 1 },
    limits: { load: { ratio: 1.1, mean: 8, most: 8.8 } },
    certificate: { format: "shardproof-certificate 1" },
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const weights: Record<string, number> = { f0: 1, f1: 2, f2: 3, f3: 4, f4: 5, f5: 4, f6: 3, f7: 2 };
  expect(plan.towers.flat().sort()).toEqual(Object.keys(weights));
  expect(plan.sizes).toEqual(plan.towers.map((names: string[]) => names.length));
  expect(Math.max(...plan.sizes)).toBeLessThanOrEqual(2 * Math.min(...plan.sizes));
  const loads = plan.towers.map((names: string[]) => names.reduce((sum, name) => sum + (weights[name] as number), 0));
  expect(plan.loads).toEqual(loads);
  expect(Math.max(...loads)).toBeLessThanOrEqual(8.8);
  const costs: number[] = plan.towerCosts;
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(plan.objective.value, 12);
  expect(plan.baseline.map(({ method }: { method: string }) => method)).toEqual(["strided", "tp", "swap", "tp-swap"]);
});

test("a person sees each tower, sizes, loads, the heuristics and the proof", async () => {
  const { status, stdout, stderr } = await runCli(["plan", SIZES]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/tower\s+features\s+cost\s+load/);
  expect(stdout).toMatch(/^\s+0\s+3\s+0\.\d+\s+8\.00000\s+f0, f\d, f\d$/m);
  expect(stdout).toMatch(/sum of squares in towers\s+0\.478867/);
  expect(stdout).toMatch(/sizes\s+2 … 3\s+\(allowed: 2 … 4\)/);
  expect(stdout).toMatch(/heaviest tower\s+8\.00000 of 8\.80000/);
  expect(stdout).toMatch(/strided\s+found none/);
  expect(stdout).toMatch(/tp\s+0\.478867, optimal too/);
  expect(lastLine(stdout)).toMatch(/^proved: no partition is better than 0\.47886\d — .* exact arithmetic/);
});

test("the same instance gives the same bytes, its timing apart, and the plan verifies until it is changed", async () => {
  const file = join(temporaryFolder(), "plan.json");
  const withoutTiming = (text: string) => text.replace(/"timing": \{[^}]*\}/, "");
  const { stdout } = await runCli(["plan", CRITEO, "--json", "--out", file]);
  const text = readFileSync(file, "utf8");
  expect(stdout).toBe(text);
  expect(withoutTiming((await runCli(["plan", CRITEO, "--json"])).stdout)).toBe(withoutTiming(text));
  const verified = await runCli(["verify", file]);
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  expect(verified.stdout).toMatch(/ok\s+towers\s+each of 26 features is in one of 4 towers/);
  expect(verified.stdout).toMatch(/ok\s+certificate\s+no partition is better than 43\.1/);
  expect(lastLine(verified.stdout)).toBe("verified");
  const [, swapped] = /"towers": \[\s*\["(f\d+)"/.exec(text) as unknown as [string, string];
  writeFileSync(file, text.replace(`["${swapped}"`, '["f999"'));
  const changed = await runCli(["verify", file]);
  expect(changed.status).toBe(5);
  expect(changed.stdout).toMatch(/towers\s+the feature "f\d+" is in no tower/);
});

test("an infeasible instance ends with 4 and says why, in numbers", async () => {
  const { status, stdout } = await runCli(["plan", INFEASIBLE]);
  expect(status).toBe(4);
  expect(stdout).toMatch(/load needed\s+12\.0000\n\s+load allowed\s+11\.0000\n\s+enough\s+loadRatio 1\.2\n/);
  expect(stdout).toContain('"f0" is with others; with the lightest other one it carries 12, and a tower may carry 11');
  expect(lastLine(stdout)).toMatch(/^infeasible: no partition is within the limits — .* exact arithmetic/);
  const many = await runCli(["plan", "instances/tiny/towers-too-many.yaml"]);
  expect(many.status).toBe(4);
  expect(many.stdout).toContain("5 towers are more than the 4 features: some tower would be empty");
  const sizes = await runCli(["plan", "instances/tiny/towers-no-sizes.yaml"]);
  expect(sizes.status).toBe(4);
  expect(sizes.stdout).toContain("raise sizeRatio to 2, or set it to 1");
});

test("heuristics by name; one that finds none, and a name that there is not, are one line", async () => {
  const tp = await runCli(["plan", KMEANS, "--method", "tp"]);
  expect(tp.status).toBe(0);
  expect(lastLine(tp.stdout)).toBe("heuristic: within all limits in exact arithmetic; no bound was asked for");
  const strided = await runCli(["plan", SIZES, "--method", "strided"]);
  expect([strided.status, strided.stdout]).toEqual([2, ""]);
  expect(strided.stderr).toMatch(
    /^\S+towers-load-sizes\.yaml: the method strided found no plan: .*--method optimal, the exact one, decides it\)\n$/,
  );
  const unknown = await runCli(["plan", SIZES, "--method", "tp-swop"]);
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    'there is no method "tp-swop" for tower-partition; did you mean tp-swap?\n',
  ]);
});

test("compare holds every method against the optimum and says where tp loses", async () => {
  const { status, stdout, stderr } = await runCli(["compare", CRITEO, SIZES]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/method\s+value\s+above the bound\s+captured\s+sizes\s+seconds/);
  expect(stdout).toMatch(/method\s+value\s+above the bound\s+captured\s+sizes\s+loads\s+seconds/);
  expect(stdout).toMatch(
    /plane\s+stress\s+squares: tp\s+best\s+distances: tp\s+plane's best\s+lost by plane\s+by K-means/,
  );
  const { rows, embeddings } = JSON.parse((await runCli(["compare", CRITEO, "--json"])).stdout);
  expect(rows.map(({ method }: { method: string }) => method)).toEqual([
    "optimal",
    "tp",
    "tp-smacof",
    "strided",
    "swap",
    "tp-swap",
  ]);
  const [optimal, ...others] = rows;
  expect(optimal).toMatchObject({ status: "proved", capturedShare: 1, sizes: expect.any(Array), loads: null });
  for (const { status: said, value, bound, gap, capturedShare } of others) {
    expect([said, bound]).toEqual(["heuristic", optimal.bound]);
    expect(gap).toBeCloseTo(value / optimal.bound - 1, 12);
    expect(capturedShare).toBeLessThanOrEqual(1);
  }
  expect(embeddings.map(({ embedding }: { embedding: string }) => embedding)).toEqual(["adam", "smacof"]);
  for (const { plane, onDistances, loss, capturedShare } of embeddings) {
    expect(plane.status).toBe("proved");
    expect(plane.tp).toBeGreaterThanOrEqual(plane.bound);
    expect(loss.embedding).toBeGreaterThanOrEqual(0);
    expect(loss.embedding + loss.clustering).toBeCloseTo(onDistances.tp - optimal.value, 9);
    expect(capturedShare.planeOptimum).toBeLessThanOrEqual(1);
  }
});

test("a general solver is asked about the compact program, which is exported too", async () => {
  const file = join(temporaryFolder(), "plan.json");
  const { stdout } = await runCli(["plan", KMEANS, "--solver", "highs", "--json", "--out", file]);
  expect(JSON.parse(stdout).claim).toMatchObject({ solver: expect.stringMatching(/^HiGHS|^highs/), agrees: true });
  const { status, stdout: lp } = await runCli(["export", file, "--to", "lp"]);
  expect(status).toBe(0);
  const model = join(temporaryFolder(), "towers.lp");
  writeFileSync(model, lp);
  const solved = JSON.parse((await runCli(["solve", model, "--json"])).stdout);
  expect(solved).toMatchObject({ status: "proved", objective: { value: JSON.parse(stdout).objective.value } });
  for (const to of ["torchrec", "remap"]) {
    const refused = await runCli(["export", file, "--to", to, "--out", join(temporaryFolder(), "x")]);
    expect([to, refused.status, refused.stdout]).toEqual([to, 2, ""]);
    expect(refused.stderr).toMatch(/^error: --to \w+ is (not )?for plans of .*tower-partition.*\n$/);
  }
  const large = await runCli(["plan", "instances/towers/uniform-100x50.yaml", "--solver", "highs"]);
  expect([large.status, large.stdout]).toEqual([2, ""]);
  expect(large.stderr).toMatch(
    /^\S+uniform-100x50\.yaml: expected a compact program of at most 120000 rows, received one of 485100/,
  );
});

test("what towers have no part in is one line", async () => {
  const frontier = await runCli(["frontier", CRITEO]);
  expect([frontier.status, frontier.stdout, frontier.stderr]).toEqual([
    2,
    "",
    `${CRITEO}: expected an instance of row-tiers or table-placement, received one of tower-partition\n`,
  ]);
});

test("a plan of towers can be stopped, and then says what it has", async () => {
  const large = "instances/towers/planted-100x4.yaml";
  const { status, stdout } = await runCli(["plan", large, "--time-limit", "2", "--json"]);
  const plan = JSON.parse(stdout);
  // Proved, or not within this time: a checked plan either way.
  expect([0, 3]).toContain(status);
  expect(plan.status).toBe(status === 0 ? "proved" : plan.objective.bound === null ? "unknown" : "feasible");
  expect(plan.sizes).toEqual([25, 25, 25, 25]);
});
