import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

/** Small problems after reports of TorchRec's users, each file with its source: what TorchRec cannot run is no plan here. */
const file = (name: string) => `test/cli/torchrec-cases/${name}.yaml`;
const folder = mkdtempSync(join(tmpdir(), "torchrec-cases-"));
const at = (name: string) => join(folder, name);

interface Plan {
  readonly status: string;
  readonly objective: { readonly value: number };
  readonly choices: Readonly<
    Record<string, { readonly shardingType: string; readonly kernel: string; readonly ranks: number[] }>
  >;
  readonly baseline: readonly { readonly method: string; readonly value: number | null }[];
  readonly leftOut?: readonly {
    readonly rule?: string;
    readonly options: number;
    readonly tables: readonly string[];
  }[];
  readonly runnable?: false;
  readonly notes?: readonly string[];
  readonly infeasibility: { readonly kind: string; readonly explanation: string } | null;
  readonly memory: { readonly deviceHostBytes: readonly number[] | null };
}

async function planned(name: string, path = file(name)): Promise<{ plan: Plan; text: string; status: number | null }> {
  const out = at(`${name}.json`);
  const { status, stdout } = await runCli(["plan", path, "--out", out]);
  return { plan: JSON.parse(readFileSync(out, "utf8")) as Plan, text: stdout, status };
}

/** A case with a line of its `torchrec` added to. */
function changed(name: string, from: string, to: string): string {
  const text = readFileSync(file(name), "utf8");
  expect(text).toContain(from);
  const path = at(`${name}-${to.length}.yaml`);
  writeFileSync(path, text.replace(from, to));
  return path;
}

test("column shards of a key-value table have a rank each, and the plan is exported and scored so", async () => {
  const { plan, text } = await planned("kvcw4");
  const ranks = plan.choices.big?.ranks as number[];
  expect([plan.status, new Set(ranks).size, ranks.length]).toEqual(["proved", 4, 4]);
  expect(plan.objective.value).toBeCloseTo(157.5097, 3);
  // TorchRec's own partitioner keeps to it too.
  const greedy = plan.baseline.find(({ method }) => method === "torchrec-greedy");
  expect(greedy?.value).toBeCloseTo(157.5097, 3);
  expect(text).not.toContain("112.039");
  expect((await runCli(["verify", at("kvcw4.json"), "--instance", file("kvcw4")])).status).toBe(0);
  const sharding = at("kvcw4-sharding.json");
  expect((await runCli(["export", at("kvcw4.json"), "--to", "torchrec", "--out", sharding])).status).toBe(0);
  const score = await runCli(["import", "torchrec", sharding, "--instance", file("kvcw4"), "--score"]);
  expect(score.stdout).toContain("within all limits");
  // Two of them on one rank: scored, with the rule.
  const shared = readFileSync(sharding, "utf8").replaceAll("rank:0/cuda:0", "rank:2/cuda:2");
  const both = JSON.parse(shared);
  const big = both.plan[""].big as { ranks: number[] };
  big.ranks = big.ranks.map((rank) => (rank === 0 ? 2 : rank));
  const u0 = both.plan[""];
  for (const name of ["u0", "u1"]) if (u0[name].ranks[0] === 0) u0[name].ranks = [2];
  writeFileSync(at("shared.json"), JSON.stringify(both));
  const broken = await runCli(["import", "torchrec", at("shared.json"), "--instance", file("kvcw4"), "--score"]);
  expect(broken.stdout).toContain("two column shards of key_value are on rank 2, and need a rank each");
  expect(broken.stdout).toContain("breaks limits");
});

test("with runnable: false the estimators' space is back, every sentence says so, and nothing of it is exported", async () => {
  const path = changed("kvcw4", "torchrec: { batch_size: 256 }", "torchrec: { batch_size: 256, runnable: false }");
  const { plan, text } = await planned("priced", path);
  const { stdout } = await runCli(["frontier", path, "--points", "2", "--time-limit", "20"]);
  expect(stdout.replace(/\s+/g, " ")).toContain("price (whether or not it can run them); no plan among");
  expect(plan.objective.value).toBeCloseTo(112.039, 2);
  expect(text).toContain("no plan among those that TorchRec's estimators price (whether or not it can run them)");
  const { status, stderr } = await runCli(["export", at("priced.json"), "--to", "torchrec", "--out", at("none.json")]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("TorchRec cannot run this plan: table big: two column shards"),
  ]);
});

test("fewer buckets than ranks: infeasible, with the rule, and other sharding types stay", async () => {
  const { plan, text, status } = await planned("buckets5");
  expect([status, plan.status, plan.infeasibility?.kind]).toEqual([4, "infeasible", "rule"]);
  expect(text).toContain("table items: 5 buckets cannot be split over 8 ranks");
  expect((await runCli(["verify", at("buckets5.json"), "--instance", file("buckets5")])).status).toBe(0);
  const path = changed("buckets5", "sharding_types: [row_wise],", "");
  const free = await planned("free", path);
  expect(free.status).toBe(0);
  expect(free.plan.choices.items?.shardingType).not.toBe("row_wise");
  expect(free.text).toContain("left out");
  expect(free.plan.leftOut).toMatchObject([{ rule: "fewer-buckets", options: 3, tables: ["items"] }]);
  // What cannot be run is nobody's option: the optimum is one of all there are.
  expect(free.text).toContain("no plan is better than");
});

test("uneven buckets are planned, with a note in plan and export", async () => {
  const { text, status } = await planned("buckets10");
  expect(status).toBe(0);
  for (const said of ["20000 ×2, 10000 ×6", "from 2026-06-25 on", "uneven buckets enabled"])
    expect(text).toContain(said);
  const { stdout, stderr } = await runCli([
    "export",
    at("buckets10.json"),
    "--to",
    "torchrec",
    "--out",
    at("s10.json"),
  ]);
  expect(stdout + stderr).toContain("uneven buckets enabled");
});

test("columns that are no multiple of 4 are for no fused kernel", async () => {
  const { plan, text } = await planned("dim6");
  for (const name of ["flag", "age"]) expect(plan.choices[name]).toMatchObject({ kernel: "dense" });
  expect(text).toMatch(/left out +30 options of flag, age: a rank's columns are no multiple of 4/);
  const only = await planned("colonly");
  // Where nothing else is left the plan is TorchRec's, with a word, and is not exported.
  expect([only.status, only.plan.runnable]).toEqual([0, false]);
  expect(only.text).toMatch(
    /note +age: 90 columns on a rank are no multiple of 4, .*: nothing of the table can be run/,
  );
  expect(only.text).toMatch(/note +odd: 250 columns on a rank are no multiple of 4/);
  expect(only.text).toContain("no plan among those that TorchRec's estimators price (whether or not it can run them)");
  expect((await runCli(["verify", at("colonly.json"), "--instance", file("colonly")])).status).toBe(0);
  const { status, stderr } = await runCli(["export", at("colonly.json"), "--to", "torchrec", "--out", at("no.json")]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("TorchRec cannot run this plan: table age: 90 columns"),
  ]);
  expect(stderr).toContain("nothing else of the table is left; allow it more sharding types and kernels");
});

test("sizes of groups that a table has no place in are not chosen, and what a group cannot run is not exported", async () => {
  const plan = await planned("groups");
  expect([plan.status, plan.plan.status]).toEqual([0, "proved"]);
  expect(new Set(plan.plan.choices.kv?.ranks).size).toBe(4);
  expect((await runCli(["verify", at("groups.json"), "--instance", file("groups")])).status).toBe(0);
  const { status, stderr } = await runCli(["export", at("groups.json"), "--to", "torchrec", "--out", at("no.json")]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("TorchRec cannot run this plan: table odd: 302 columns"),
  ]);
  const few = await planned("few", changed("kvcw4", "gpusPerNode: 4", "gpusPerNode: 2"));
  expect([few.status, few.plan.infeasibility?.kind]).toEqual([4, "rule"]);
  expect(few.text).toContain("4 column shards of key_value need as many ranks, and there are 2");
});

test("where kernels refuse one table, the optimum is among the options that are left of the others", async () => {
  const { plan, text } = await planned("mixed");
  expect([plan.status, plan.runnable, plan.choices.odd?.kernel]).toEqual(["proved", false, "dense"]);
  const priced = await planned(
    "mixed-priced",
    changed("mixed", "torchrec: { batch_size: 512 }", "torchrec: { batch_size: 512, runnable: false }"),
  );
  // TorchRec's estimators price a better one.
  expect(priced.plan.objective.value).toBeLessThan(plan.objective.value);
  expect(priced.text).toContain(
    "no plan among those that TorchRec's estimators price (whether or not it can run them)",
  );
  expect(text).toContain(
    `no plan among those without the ${plan.leftOut?.[0]?.options} options left out (whether or not TorchRec can run them) is better`,
  );
});

test("rows too wide for FBGEMM are none, and those that one release gets wrong are noted, or none with that release", async () => {
  const { plan, text } = await planned("broad");
  expect([plan.status, plan.runnable]).toEqual(["proved", false]);
  expect(text).toContain("no plan among those that TorchRec's estimators price (whether or not it can run them)");
  expect(plan.notes).toEqual([
    expect.stringContaining("text: rows of 4096 elements are wider than the 2048 that FBGEMM's kernels take"),
    expect.stringContaining("image: rows of 1536 elements: with FBGEMM 1.4"),
  ]);
  const narrow = changed("broad", "embedding_dim: 4096", "embedding_dim: 2048");
  expect((await planned("narrow", narrow)).status).toBe(0);
  writeFileSync(
    at("old.yaml"),
    readFileSync(narrow, "utf8").replace("{ batch_size: 256 }", '{ batch_size: 256, version: "1.4" }'),
  );
  const old = await planned("old", at("old.yaml"));
  expect(old.plan.notes).toContainEqual(
    expect.stringContaining(
      "image: rows of 1536 elements are wider than the 1024 for which FBGEMM 1.4 answers rightly",
    ),
  );
});

test("what virtual tables hold is said, and counts where it is asked for", async () => {
  const { text, status, plan } = await planned("dramvt");
  expect(status).toBe(0);
  expect(text).toContain("come to 102.4 GB of the 8 GB of host memory, and TorchRec's planner counts 0 of them");
  expect(plan.memory.deviceHostBytes).toBeNull();
  const counted = changed("dramvt", "{ batch_size: 256 }", "{ batch_size: 256, countVirtual: true }");
  expect((await planned("counted", counted)).status).toBe(4);
  writeFileSync(
    at("roomy.yaml"),
    readFileSync(counted, "utf8").replace("hostBytesPerGpu: 4.0e9", "hostBytesPerGpu: 60.0e9"),
  );
  const roomy = await planned("roomy", at("roomy.yaml"));
  expect([roomy.status, roomy.plan.notes]).toEqual([0, undefined]);
  expect(roomy.plan.memory.deviceHostBytes).toEqual([51_200_000_000, 51_200_000_000]);
});

test("constraints of all tables: where they go is said, and served there", async () => {
  for (const name of ["global", "global2"]) {
    const { status, stderr } = await runCli(["plan", file(name)]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      "expected sharding_types in a table, or for all of them under constraints: {default: {sharding_types: …}}",
    );
  }
  const path = changed(
    "global2",
    "constraints: { sharding_types: [table_wise, row_wise] }",
    "constraints: { default: { sharding_types: [row_wise] } }",
  );
  writeFileSync(
    at("own.yaml"),
    readFileSync(path, "utf8").replace("name: users, ", "name: users, sharding_types: [table_wise], "),
  );
  const { plan } = await planned("own", at("own.yaml"));
  expect([plan.choices.items?.shardingType, plan.choices.users?.shardingType]).toEqual(["row_wise", "table_wise"]);
});
