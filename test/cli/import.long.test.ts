import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

/** Seven tables on two GPUs, whole. */
const PROBLEM = {
  id: "seven",
  topology: { world_size: 2, local_world_size: 2 },
  devices: [{ hbm: 2e9 }, { hbm: 2e9 }],
  tables: [40, 15, 90, 1, 30, 7, 60].map((length, index) => ({
    name: `t${index}`,
    num_embeddings: 100000,
    embedding_dim: 128,
    pooling_factors: [length],
    sharding_types: ["table_wise"],
    compute_kernels: ["fused"],
  })),
};

function problemFile(folder: string, problem: unknown = PROBLEM): string {
  const file = join(folder, "problem.json");
  writeFileSync(file, JSON.stringify(problem));
  return file;
}

/** A sharding plan with each table whole on a rank. */
function planFile(folder: string, ranks: readonly number[]): string {
  const file = join(folder, "sharding.json");
  const tables = ranks.map((rank, index) => [
    `t${index}`,
    {
      sharding_type: "table_wise",
      compute_kernel: "fused",
      ranks: [rank],
      shards: [{ shard_offsets: [0, 0], shard_sizes: [100000, 128], placement: `rank:${rank}/cuda:${rank}` }],
    },
  ]);
  writeFileSync(file, JSON.stringify({ plan: { "sparse.ebc": Object.fromEntries(tables) } }));
  return file;
}

test("a problem becomes an instance: YAML or JSON, to a file or to standard output", async () => {
  const folder = temporaryFolder();
  const file = problemFile(folder);
  const yaml = await runCli(["import", "torchrec", file]);
  expect([yaml.status, yaml.stderr]).toEqual([0, ""]);
  expect(yaml.stdout).toMatch(/^shardproof: 1\nname: seven\nproblem: table-placement\n.*\ncostModel: torchrec\n/);
  const json = await runCli(["import", "torchrec", file, "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ name: "seven", costModel: "torchrec", tables: PROBLEM.tables });
  const [yamlFile, jsonFile] = [join(folder, "i.yaml"), join(folder, "i.json")];
  const written = await runCli(["import", "torchrec", file, "--out", yamlFile]);
  expect(written.stdout).toContain(
    "7 tables, costs of TorchRec 1.9, assumed (the key version names another)\n\nwrote ",
  );
  expect(readFileSync(yamlFile, "utf8")).toBe(yaml.stdout);
  await runCli(["import", "torchrec", file, "--out", jsonFile]);
  expect(readFileSync(jsonFile, "utf8")).toBe(json.stdout);
  const piped = await runCli(["import", "torchrec", "-"], { input: readFileSync(file, "utf8") });
  expect(piped.stdout).toBe(yaml.stdout.replace(file, "standard input"));
});

test("the instance and its expanded form have the same plan", async () => {
  const folder = temporaryFolder();
  const file = problemFile(folder);
  const [short, long] = await Promise.all(
    [[], ["--expand"]].map(async (flags, index) => {
      const instance = join(folder, `${index}.yaml`);
      expect((await runCli(["import", "torchrec", file, "--out", instance, ...flags])).status).toBe(0);
      const { status, stdout } = await runCli(["plan", instance, "--json"]);
      expect(status).toBe(0);
      return JSON.parse(stdout);
    }),
  );
  for (const key of ["status", "objective", "choices", "deviceCosts", "deviceBytes", "memory"]) {
    expect(long[key]).toEqual(short[key]);
  }
});

test("a sharding plan is scored beside the bound, and the better plan is written and verifies", async () => {
  const folder = temporaryFolder();
  const instance = join(folder, "instance.yaml");
  await runCli(["import", "torchrec", problemFile(folder), "--out", instance]);
  const given = planFile(folder, [0, 0, 0, 1, 1, 1, 1]);
  const best = join(folder, "best.json");
  const shown = await runCli(["import", "torchrec", given, "--instance", instance, "--out", best]);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(
    /on device 0, the costliest:\n\n\s+table\s+shard\s+sharding\s+kernel\s+cost ms\s+memory\n\s+t2 /,
  );
  expect(shown.stdout).toMatch(/above the bound\s+16\.2 %\n\s+better plan\s+0\.\d+ ms, 13\.9 % less/);
  expect(shown.stdout.trimEnd().split("\n").at(-1)).toMatch(/^better exists: /);
  expect((await runCli(["verify", best])).status).toBe(0);
  const score = JSON.parse((await runCli(["import", "torchrec", given, "--instance", instance, "--json"])).stdout);
  const plan = JSON.parse(readFileSync(best, "utf8"));
  expect(score).toMatchObject({
    kind: "torchrec-score",
    status: "plan",
    search: "proved",
    objective: { unit: "ms", bound: plan.objective.bound },
    bottleneck: { device: 0, shards: [{ table: "t2" }, { table: "t0" }, { table: "t1" }] },
    better: { value: plan.objective.value, choices: plan.choices },
  });
  expect(score.objective.value / score.objective.bound - 1).toBeCloseTo(score.objective.gap, 12);
});

test("a problem's release and reservation go into its instance, and its plan says them", async () => {
  const folder = temporaryFolder();
  const reservation = { policy: "fixed_percentage", percentage: 0.25 };
  const file = problemFile(folder, { ...PROBLEM, version: "1.1.0", reservation });
  const instance = join(folder, "instance.yaml");
  const imported = await runCli(["import", "torchrec", file, "--out", instance]);
  expect(imported.stdout).toContain("7 tables, costs of TorchRec 1.1\n");
  const shown = await runCli(["plan", instance, "--gap", "0.001"]);
  expect(shown.stdout.trimEnd().split("\n").slice(-2)).toEqual([
    "  costs of  TorchRec 1.1",
    "  reserved  476.8 MiB of 1.863 GiB of HBM on each rank (fixed_percentage)",
  ]);
  const expanded = await runCli(["import", "torchrec", file, "--expand", "--json"]);
  expect(JSON.parse(expanded.stdout).cluster.hbmBytesPerGpu).toBe(1.5e9);
  const plan = join(folder, "plan.json");
  await runCli(["plan", instance, "--gap", "0.001", "--out", plan]);
  const page = join(folder, "page.html");
  await runCli(["report", plan, "--out", page]);
  expect(readFileSync(page, "utf8")).toContain("of 1.863 GiB of HBM on each rank (fixed_percentage)");
});

test("what is exported is optimal when it comes back, whichever of the two is standard input", async () => {
  const folder = temporaryFolder();
  const instance = join(folder, "instance.yaml");
  await runCli(["import", "torchrec", problemFile(folder), "--out", instance]);
  const plan = join(folder, "plan.json");
  await runCli(["plan", instance, "--gap", "0.001", "--out", plan]);
  const sharding = join(folder, "sharding.json");
  await runCli(["export", plan, "--to", "torchrec", "--module", "a.b", "--out", sharding]);
  const { objective } = JSON.parse(readFileSync(plan, "utf8"));
  const [shardingText, instanceText] = [sharding, instance].map((file) => readFileSync(file, "utf8")) as [
    string,
    string,
  ];
  const score = await runCli(["import", "torchrec", "-", "--instance", instance, "--gap", "0.001", "--json"], {
    input: shardingText,
  });
  expect(JSON.parse(score.stdout)).toMatchObject({
    file: "-",
    objective: { value: objective.value, bound: objective.bound },
    better: null,
  });
  const shown = await runCli(["import", "torchrec", sharding, "--instance", "-", "--gap", "0.001"], {
    input: instanceText,
  });
  expect(shown.stdout.trimEnd().split("\n").at(-1)).toBe("optimal: no plan is better than the given one");
});

test("a plan that breaks the memory says so, and one for an instance without any plan ends with 4", async () => {
  const folder = temporaryFolder();
  const instance = join(folder, "instance.yaml");
  const importWith = (hbm: number) =>
    runCli(["import", "torchrec", problemFile(folder, { ...PROBLEM, devices: [{ hbm }, { hbm }] }), "--out", instance]);
  await importWith(300e6);
  const given = planFile(folder, [0, 0, 0, 0, 0, 0, 0]);
  const broken = await runCli(["import", "torchrec", given, "--instance", instance, "--gap", "0.01"]);
  expect(broken.status).toBe(0);
  expect(broken.stdout).toMatch(/breaks a limit\s+the memory of device 0 is exceeded by [\d.]+ MiB/);
  expect(broken.stdout.trimEnd().split("\n").at(-1)).toMatch(/^breaks limits: .* there is one that keeps to them$/);
  await importWith(100e6);
  const best = join(folder, "best.json");
  const infeasible = await runCli(["import", "torchrec", given, "--instance", instance, "--out", best]);
  expect(infeasible.status).toBe(4);
  expect(infeasible.stdout.trimEnd().split("\n").at(-1)).toMatch(/^infeasible: no plan is within the limits/);
  expect(existsSync(best)).toBe(false);
});

test("the examples are a problem, and a sharding plan of it that is not the best", async () => {
  const instance = join(temporaryFolder(), "instance.yaml");
  await runCli(["import", "torchrec", "examples/torchrec-problem.json", "--out", instance]);
  const args = ["--instance", instance, "--gap", "0.02", "--json"];
  const { status, stdout } = await runCli(["import", "torchrec", "examples/torchrec-sharding.json", ...args]);
  expect(status).toBe(0);
  const { objective, violations, better } = JSON.parse(stdout);
  expect(violations).toEqual([]);
  expect(objective.gap).toBeGreaterThan(0.05);
  expect(better.value).toBeLessThan(objective.value);
});

test("bad input and usage are one line and exit status 2", async () => {
  const folder = temporaryFolder();
  const problem = problemFile(folder);
  const instance = join(folder, "instance.yaml");
  await runCli(["import", "torchrec", problem, "--out", instance]);
  const given = planFile(folder, [0, 0, 0, 0, 0, 0]);
  const misspelt = join(folder, "misspelt.json");
  writeFileSync(misspelt, JSON.stringify({ ...PROBLEM, toplogy: {} }, null, 2));
  const cases: [args: string[], message: RegExp][] = [
    [["torchrec", given], /sharding\.json: this is a sharding plan, .*say with --instance FILE/],
    [["torchrec", given, "--instance", instance], /sharding\.json:1:\d+: plan: expected every table .* none called t6/],
    [
      ["torchrec", given, "--instance", problem],
      /problem\.json: expected an instance, .* shardproof import torchrec .* --out/,
    ],
    [
      ["torchrec", given, "--instance", join(folder, "none.yaml")],
      /none\.yaml: expected a file that can be read, received/,
    ],
    [["torchrec", given, "--instance", "instances/tiny/two-tiers.yaml"], /expected an instance of table-placement/],
    [["torchrec", given, "--instance", instance, "--expand"], /^error: --expand is for planning problems/],
    [["torchrec", misspelt], /misspelt\.json:\d+:3: toplogy: unknown key; did you mean topology\?/],
    [["torchrec", problem, "--instance", instance], /^error: --instance is for sharding plans, and the file is none/],
    [["torchrec", problem, "--gap", "0"], /^error: --gap is for sharding plans/],
    [["torchrec", "-", "--instance", "-"], /^error: the sharding plan and the instance cannot both be standard input$/],
    [
      ["torchrec", join(folder, "none.json")],
      /none\.json: expected a planning problem or sharding plan that can be read, received no such file; check the path$/,
    ],
    [["torchrec", problem, "--out", "/proc/none/i.yaml"], /^\/proc\/none\/i\.yaml: expected a folder/],
    [["dlrm", problem], /Allowed choices are torchrec/],
    [["torchrec"], /missing required argument 'file'/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = await runCli(["import", ...args]);
    expect([args, status, stdout]).toEqual([args, 2, ""]);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd()).not.toContain("\n");
  }
});

test("--score says what a plan comes to, and looks for none", async () => {
  const folder = temporaryFolder();
  const instance = join(folder, "instance.json");
  await runCli(["import", "torchrec", problemFile(folder), "--out", instance]);
  const plan = planFile(folder, [0, 1, 0, 1, 0, 1, 0]);
  const scored = await runCli(["import", "torchrec", plan, "--instance", instance, "--score"]);
  expect(scored.status).toBe(0);
  expect(scored.stdout).toContain("scored: within all limits in exact arithmetic; no better plan was sought");
  expect(scored.stdout).not.toContain("proved bound");
  const searched = await runCli(["import", "torchrec", plan, "--instance", instance, "--json"]);
  const alone = await runCli(["import", "torchrec", plan, "--instance", instance, "--score", "--json"]);
  expect(JSON.parse(alone.stdout).deviceCosts).toEqual(JSON.parse(searched.stdout).deviceCosts);
  const both = await runCli(["import", "torchrec", plan, "--instance", instance, "--score", "--time-limit", "5"]);
  expect([both.status, both.stderr]).toEqual([
    2,
    expect.stringContaining("--score looks for no plan, and --time-limit"),
  ]);
  const problem = await runCli(["import", "torchrec", problemFile(folder), "--score"]);
  expect([problem.status, problem.stderr]).toEqual([2, expect.stringContaining("--score is for sharding plans")]);
});

test("options that are left out are named when a problem is read, and in the plan's last line", async () => {
  const folder = temporaryFolder();
  const tables = PROBLEM.tables.map(({ sharding_types: _, ...table }) => table);
  const file = problemFile(folder, { ...PROBLEM, devices: [{ hbm: 2e9 }, { hbm: 3e9 }], tables });
  const instance = join(folder, "instance.yaml");
  const imported = await runCli(["import", "torchrec", file, "--out", instance]);
  expect(imported.stdout).toContain("left out: 7 options of t0, t1, t2, t3, t4, t5, t6: row_wise, which TorchRec cuts");
  const { stdout } = await runCli(["plan", instance, "--time-limit", "20"]);
  expect(stdout).toMatch(/left out +7 options of t0/);
  expect(stdout).toMatch(/among those without the 7 options left out/);
  const json = await runCli(["plan", instance, "--json", "--time-limit", "20"]);
  expect(JSON.parse(json.stdout).leftOut).toEqual([
    { options: 7, tables: ["t0", "t1", "t2", "t3", "t4", "t5", "t6"], reason: expect.stringContaining("row_wise") },
  ]);
});
