import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli, temporaryFolder, writePlanFile } from "./run-cli.js";

const TINY = "instances/tiny/three-tiers-serial.yaml";
const LATENCY = "instances/tiny/latency-channels.yaml";
const PLACEMENT = "instances/tiny/placement-given.yaml";

/** A folder with the plan of an instance in it. */
async function planned(instance: string, method?: string): Promise<{ folder: string; plan: string }> {
  const folder = temporaryFolder();
  const plan = join(folder, "plan.json");
  await writePlanFile(plan, instance, method);
  return { folder, plan };
}

test("a remap is two arrays per table and a manifest, the same bytes each time", async () => {
  const { folder, plan } = await planned(TINY, "flexshard-2tier");
  const runs = ["first", "second"].map((name) => join(folder, name));
  for (const out of runs) {
    const { status, stdout, stderr } = await runCli(["export", plan, "--to", "remap", "--ids-are-ranks", "--out", out]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("row ids are ranks");
  }
  const [first, second] = runs as [string, string];
  const manifest = readFileSync(join(first, "manifest.json"), "utf8");
  expect(readFileSync(join(second, "manifest.json"), "utf8")).toBe(manifest);
  const { tables, plan: source } = JSON.parse(manifest);
  expect(source.digest).toBe(JSON.parse(readFileSync(plan, "utf8")).digest);
  for (const { file } of Object.values<{ file: string }>(tables[0].files)) {
    expect(readFileSync(join(second, file)).equals(readFileSync(join(first, file)))).toBe(true);
  }
  const { stdout } = await runCli([
    "export",
    plan,
    "--to",
    "remap",
    "--ids-are-ranks",
    "--out",
    first,
    "--json",
    "--spread",
  ]);
  expect(JSON.parse(stdout)).toEqual({ ...JSON.parse(manifest), indexOrder: "spread", tables: expect.any(Array) });
});

test("counts and rank files order the rows", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "counts.csv"), "1\n0\n5\n");
  writeFileSync(join(folder, "ids.txt"), "2\n0\n");
  writeFileSync(
    join(folder, "instance.yaml"),
    `shardproof: 1
name: ordered
problem: row-tiers
cluster:
  nodes: 2
  gpusPerNode: 2
  bandwidth: {allToAllGlobal: 1000, allToAllIntra: 4000, allReduceGlobal: 3000, allReduceCross: 500}
training: {batchPerGpu: 8, replicaMemoryFactor: 6}
tables:
  - {name: counted, rows: 4, dim: 4, access: {counts: {file: counts.csv, samples: 2}}}
  - {name: ranked=1, rows: 3, dim: 4, access: {histogram: [[3, 0.1]]}}
`,
  );
  const plan = join(folder, "plan.json");
  await writePlanFile(plan, join(folder, "instance.yaml"), "row-wise");
  const args = ["export", plan, "--to", "remap", "--ids-are-ranks", "--out", join(folder, "out")];
  const { status, stdout, stderr } = await runCli([...args, "--rank-file", `ranked=1=${join(folder, "ids.txt")}`]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/counted .* counts file\n.*ranked=1 .* rank file/);
  const indices = (file: string) => {
    const data = readFileSync(join(folder, "out", file)).subarray(128);
    return Array.from({ length: data.length / 4 }, (_, k) => data.readUInt32LE(4 * k));
  };
  expect(indices("counted.index.npy")).toEqual([1, 2, 0, 3]);
  expect(indices("ranked_1.index.npy")).toEqual([1, 2, 0]);
});

test("a plan for TorchRec goes to standard output, or to a file with a summary", async () => {
  const { folder, plan } = await planned(TINY, "flexshard-3tier");
  const { status, stdout, stderr } = await runCli(["export", plan, "--to", "torchrec"]);
  expect([status, stderr]).toEqual([0, ""]);
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ shardproof: 1, kind: "torchrec-plan", instance: { name: "three-tiers-serial" } });
  const file = join(folder, "torchrec.json");
  const written = await runCli(["export", plan, "--to", "torchrec", "--out", file]);
  expect(written.stdout).toContain(`wrote ${file}`);
  for (const { name } of document.embedding_bag_configs) expect(written.stdout).toContain(name);
  expect(readFileSync(file, "utf8")).toBe(stdout);
  const printed = await runCli(["export", plan, "--to", "torchrec", "--out", file, "--json"]);
  expect(printed.stdout).toBe(stdout);
});

test.each([
  ["lp", TINY],
  ["mps", TINY],
  ["mps", LATENCY],
  ["lp", PLACEMENT],
])("the program as %s of %s has the plan's optimum, in natural units and exactly", async (format, instance) => {
  const { folder, plan } = await planned(instance);
  const { objective, exact } = JSON.parse(readFileSync(plan, "utf8"));
  const file = join(folder, `program.${format}`);
  const { status, stdout } = await runCli(["export", plan, "--to", format, "--out", file]);
  expect([status, stdout]).toEqual([0, ""]);
  const printed = await runCli(["export", plan, "--to", format]);
  expect(printed.stdout).toBe(readFileSync(file, "utf8"));
  const natural = JSON.parse((await runCli(["solve", file, "--json"])).stdout);
  expect(natural.status).toBe("proved");
  expect(Math.abs(natural.objective.value - objective.value)).toBeLessThan(1e-15 * objective.value);
  await runCli(["export", plan, "--to", format, "--exact", "--out", file]);
  const solution = JSON.parse((await runCli(["solve", file, "--json"])).stdout);
  expect([solution.status, solution.exact.value]).toEqual(["proved", exact.value]);
});

test("a placement goes to TorchRec as its sharding plan, under the module that it is for", async () => {
  const { folder, plan } = await planned("instances/tiny/placement-torchrec.yaml");
  const { status, stdout, stderr } = await runCli(["export", plan, "--to", "torchrec", "--module", "sparse.ebc"]);
  expect([status, stderr]).toEqual([0, ""]);
  const { plan: modules } = JSON.parse(stdout);
  const { choices } = JSON.parse(readFileSync(plan, "utf8"));
  expect(Object.keys(modules)).toEqual(["sparse.ebc"]);
  for (const [name, { shardingType, kernel, ranks }] of Object.entries<Record<string, unknown>>(choices)) {
    expect(modules["sparse.ebc"][name]).toMatchObject({ sharding_type: shardingType, compute_kernel: kernel, ranks });
  }
  const file = join(folder, "sharding.json");
  const written = await runCli(["export", plan, "--to", "torchrec", "--module", "sparse.ebc", "--out", file]);
  expect(written.stdout).toMatch(/module\s+table\s+sharding\s+kernel\s+shards\s+GPUs\n\s+sparse\.ebc\s+t0/);
  expect(written.stdout).toContain(`wrote ${file}`);
  expect(readFileSync(file, "utf8")).toBe(stdout);
});

test("what cannot be exported is one line and exit status 2", async () => {
  const { folder, plan } = await planned(TINY);
  const placement = await planned(PLACEMENT);
  const infeasible = await planned("instances/tiny/infeasible.yaml");
  const changed = join(folder, "changed.json");
  writeFileSync(changed, readFileSync(plan, "utf8").replace('"optimal"', '"row-wise"'));
  const foreign = join(folder, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "manifest.json"), "{}");
  const out = join(folder, "out");
  const to = (target: string, ...rest: string[]) => ["--to", target, ...rest];
  const cases: [args: string[], message: RegExp][] = [
    [[infeasible.plan, ...to("torchrec")], /plan\.json: expected a plan, received the proof that there is none/],
    [[plan, ...to("lp", "--instance", LATENCY)], /plan\.json: expected the plan of .*latency-channels\.yaml/],
    [[changed, ...to("remap", "--out", out)], /changed\.json: expected the plan as it was written/],
    [
      [join(folder, "none.json"), ...to("lp")],
      /none\.json: expected a plan file that can be read, received no such file/,
    ],
    [[TINY, ...to("lp")], /three-tiers-serial\.yaml:\d+:\d+: expected a plan file/],
    [[plan, ...to("remap")], /^error: a remap is a folder; name it with --out FOLDER$/],
    [[plan, ...to("remap", "--out", foreign)], /manifest\.json: expected a folder for a remap/],
    [
      [plan, ...to("remap", "--out", join(plan, "out"))],
      /plan\.json\/out: expected a folder that can be written to, received a path through something that is no directory$/,
    ],
    [
      [plan, ...to("remap", "--out", out, "--rank-file", "x=y")],
      /^error: --rank-file wants TABLE=FILE .* received x=y$/,
    ],
    [
      [placement.plan, ...to("remap", "--out", out)],
      /placement-given\.yaml: expected a plan with hot rows to remap, received one without; each table's own row ids are those of the plan$/,
    ],
    [[placement.plan, ...to("torchrec")], /placement-given\.yaml: table a: expected a table with rows and dim/],
    [[placement.plan, ...to("lp", "--module", "m")], /^error: --module is for --to torchrec only$/],
    [[plan, ...to("torchrec", "--module", "m")], /^error: --module is for plans of table-placement/],
    [[plan, ...to("remap", "--out", out, "--exact")], /^error: --exact is for --to mps and --to lp only$/],
    [[plan, ...to("lp", "--spread")], /^error: --spread is for --to remap only$/],
    [[plan, ...to("mps", "--json")], /^error: --json is not for --to mps/],
    [[plan, ...to("csv")], /Allowed choices are remap, torchrec, lp, mps/],
    [[plan], /required option '--to <target>' not specified/],
    [[plan, ...to("lp", "--out", "/proc/none/here.lp")], /^\/proc\/none\/here\.lp: expected a folder/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = await runCli(["export", ...args]);
    expect([args, status, stdout]).toEqual([args, 2, ""]);
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd()).not.toContain("\n");
  }
});

test("the plan may come from standard input, and its instance be named", async () => {
  const { plan } = await planned(TINY);
  const text = readFileSync(plan, "utf8");
  const piped = await runCli(["export", "-", "--to", "torchrec", "--instance", TINY], { input: text });
  expect(piped.status).toBe(0);
  expect(piped.stdout).toBe((await runCli(["export", plan, "--to", "torchrec"])).stdout);
});

test.each([
  { instance: "instances/tiny/placement-host-pool.yaml", anew: null },
  { instance: PLACEMENT, anew: null },
  { instance: TINY, anew: null },
  { instance: LATENCY, anew: null },
  { instance: "instances/tiny/towers-diverse.yaml", anew: "its certificate speaks of sets" },
])("the proof of $instance as VIPR verifies alone and against its exact program", async ({ instance, anew }) => {
  const { folder, plan } = await planned(instance);
  const [proof, model, other] = ["proof.vipr", "model.mps", "other.mps"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const written = await runCli(["export", plan, "--to", "vipr", "--out", proof]);
  expect([written.status, written.stderr]).toEqual([0, ""]);
  const text = readFileSync(proof, "utf8");
  expect(text.startsWith(anew === null ? "VER" : `% proved anew: ${anew}`)).toBe(true);
  expect((await runCli(["export", plan, "--to", "vipr"])).stdout).toBe(text);
  await runCli(["export", plan, "--to", "mps", "--exact", "--out", model]);
  const verified = await runCli(["verify", proof, "--instance", model]);
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  expect(verified.stdout).toContain("the file's problem is the model\n");
  const { objective } = JSON.parse(readFileSync(plan, "utf8"));
  const [, shown] = /the best solution in the file has (\S+)\n/.exec(verified.stdout) as RegExpExecArray;
  expect(Rational.parse(shown as string).toNumber()).toBeCloseTo(objective.value, 9);
  const strange = instance === PLACEMENT ? TINY : PLACEMENT;
  await runCli(["export", (await planned(strange)).plan, "--to", "mps", "--exact", "--out", other]);
  expect((await runCli(["verify", proof, "--instance", other])).status).toBe(5);
});

test.each(["placement-infeasible", "infeasible", "towers-infeasible-load"])(
  "that nothing fits is proved as VIPR: %s",
  async (name) => {
    const { folder, plan } = await planned(`instances/tiny/${name}.yaml`);
    const proof = join(folder, "proof.vipr");
    expect((await runCli(["export", plan, "--to", "vipr", "--out", proof])).status).toBe(0);
    expect(readFileSync(proof, "utf8")).toContain("\nRTP infeas\n");
    expect((await runCli(["verify", proof])).status).toBe(0);
  },
);

test.each([
  { instance: PLACEMENT, method: "size-greedy", says: 'the method "size-greedy" without' },
  {
    instance: "instances/tiny/placement-groups.yaml",
    name: "groups-8",
    says: 'received "groups-8" for one with groups-2, groups-1, groups-4; name one of these',
  },
  { instance: TINY, limit: "0.000001", says: "takes longer to be written than 0.000001 s; give --time-limit more" },
  {
    instance: "instances/tiny/host-binds.yaml",
    limit: "0.000001",
    says: "was not settled within 0.000001 s; give --time-limit more",
  },
  { instance: TINY, size: "10", says: "the proof as VIPR is larger than 10 B; give --size-limit more" },
])(
  "a proof that is not to be had as VIPR is refused with the reason: $instance $method $name $limit $size",
  async ({ instance, method, name: proof, limit, size, says }) => {
    const { plan, folder } = await planned(instance, method);
    const out = join(folder, "proof.vipr");
    const limits = { "--proof": proof, "--time-limit": limit, "--size-limit": size };
    const given = Object.entries(limits).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
    const args = ["export", plan, "--to", "vipr", "--out", out, "--quiet", ...given];
    const { status, stdout, stderr } = await runCli(args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync(out)).toBe(false);
  },
);

test("of several proofs the plan's own is written unasked, and standard error names the others", async () => {
  const { plan, folder } = await planned("instances/tiny/placement-groups.yaml");
  const proof = join(folder, "proof.vipr");
  const { status, stderr } = await runCli(["export", plan, "--to", "vipr", "--out", proof]);
  expect(status).toBe(0);
  expect(stderr).toContain("the proof groups-2 of 3: groups-2, groups-1, groups-4; --proof names another\n");
  expect((await runCli(["verify", proof])).status).toBe(0);
  const other = await runCli(["export", plan, "--to", "vipr", "--proof", "groups-1", "--out", proof]);
  expect([other.status, other.stderr]).toEqual([0, ""]);
  expect(readFileSync(proof, "utf8")).toContain("\nRTP infeas\n");
  expect((await runCli(["export", plan, "--to", "mps", "--proof", "groups-1"])).stderr).toContain(
    "--proof is for --to vipr only",
  );
});

test("a certificate that does not hold is not proved anew", async () => {
  const { plan, folder } = await planned(TINY);
  const json = JSON.parse(readFileSync(plan, "utf8"));
  const { steps, claim } = json.certificate;
  const forged = { ...json, certificate: { ...json.certificate, claim: { ...claim, bound: "1000" } } };
  expect(steps.length).toBeGreaterThan(0);
  const file = join(folder, "forged.json");
  writeFileSync(file, JSON.stringify({ ...forged, digest: planDigest(forged) }));
  const { status, stderr } = await runCli(["export", file, "--to", "vipr"]);
  expect(status).toBe(2);
  expect(stderr).toContain("expected a plan that verifies, received one that does not");
});

test.each([
  { instance: TINY, forge: (plan: Forged) => (plan.tables[0] as Forged["tables"][0]).runs.push([1, "replicated"]) },
  { instance: "instances/tiny/towers-diverse.yaml", forge: (plan: Forged) => plan.towers[0]?.push("ghost") },
])("of a decision that is none no proof is written: $instance", async ({ instance, forge }) => {
  const { plan, folder } = await planned(instance);
  const json = JSON.parse(readFileSync(plan, "utf8"));
  forge(json);
  const file = join(folder, "forged.json");
  writeFileSync(file, JSON.stringify({ ...json, digest: planDigest(json) }));
  const { status, stderr } = await runCli(["export", file, "--to", "vipr"]);
  expect([status, stderr]).toEqual([2, expect.stringContaining("received one that does not")]);
});

interface Forged {
  readonly tables: { runs: [number, string][] }[];
  readonly towers: string[][];
}
