import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, temporaryFolder } from "./run-cli.js";

const BINDS = "instances/tiny/host-binds.yaml";
const SHORT = "instances/tiny/host-short.yaml";

test("a plan shows the host link and the host memory, and is verified", async () => {
  const plan = join(temporaryFolder(), "plan.json");
  const { status, stdout, stderr } = await runCli(["plan", BINDS, "--gap", "0", "--out", plan]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/ar cross ms {2}host link ms\n/);
  expect(stdout).toMatch(/host +4 +44\.4 % .* 5\.120\n/);
  expect(stdout).toMatch(/host memory +48 B of 48 B per node \(100\.0 %\)\n/);
  // Multipliers prove 21 % less than the optimum: they say nothing of what memory is worth.
  expect(stdout).not.toContain("price of");
  expect(stdout).toMatch(/RecShard-like +697\.344 ms, 300\.2 % above the bound\n/);
  const written = JSON.parse(readFileSync(plan, "utf8"));
  expect(written.memory.host).toEqual({ bytesPerNode: 48, budgetBytesPerNode: 48 });
  expect(written.prices).toEqual({ secondsPerGiBPerGpu: null, pricePerByte: null });
  expect(written.collectives.hostToDevice).toBeCloseTo(0.01024, 12);
  expect((await runCli(["verify", plan])).status).toBe(0);
});

test("the price of host memory is shown, and verified, where the multipliers prove what was asked for", async () => {
  const plan = join(temporaryFolder(), "plan.json");
  const { stdout } = await runCli(["plan", BINDS, "--gap", "0.3", "--out", plan]);
  expect(stdout).toMatch(/price of host memory {2}−0\.3467 ms per extra byte per node\n/);
  expect(JSON.parse(readFileSync(plan, "utf8")).prices.host.pricePerByte).toMatch(/^\d+(\/\d+)?$/);
  expect((await runCli(["verify", plan])).status).toBe(0);
  const edited = readFileSync(plan, "utf8").replace(/"secondsPerGiBPerNode": -\d/, '"secondsPerGiBPerNode": -9');
  expect((await runCli(["verify", "-"], { input: edited })).status).toBe(5);
});

test("where both memories together are too little, the reason says so", async () => {
  const { status, stdout } = await runCli(["plan", SHORT]);
  expect(status).toBe(4);
  expect(stdout).toContain("more of either would do: no plan keeps to both");
  expect(stdout).toMatch(/\ninfeasible: no plan fits the budget and the host memory — 1 step/);
});

test("a method over the host memory: one line and exit status 2 from plan, a remark from compare", async () => {
  const folder = temporaryFolder();
  const text = readFileSync(BINDS, "utf8").replace("extraBytesPerGpu: 20", "extraBytesPerGpu: -36");
  const plan = await runCli(["plan", "-", "--method", "recshard-like", "--out", join(folder, "plan.json")], {
    input: text,
  });
  expect([plan.status, plan.stdout]).toEqual([2, ""]);
  expect(plan.stderr).toMatch(/^[^\n]*the method recshard-like puts more into host memory than [^\n]*\n$/);
  const { stdout } = await runCli(["compare", "-"], { input: text });
  expect(stdout).toMatch(/\n {2}recshard-like .* over the host memory of a node\n/);
  expect(stdout).toMatch(/\n {2}data-parallel .* over the budget\n/);
});

test("a simulation shows what the host link carried beside what the plan says", async () => {
  const plan = (await runCli(["plan", BINDS, "--json"])).stdout;
  const { status, stdout } = await runCli(["simulate", "-"], { input: plan });
  expect(status).toBe(0);
  expect(stdout).toMatch(/host link +2\.048 /);
  expect(stdout).toMatch(/\n {2}host link .* \(GPU \d\) +· +· +·\n/);
  expect(stdout).toContain("host memory per node  48 B predicted, 48 B observed");
  const wrong = JSON.parse(plan);
  wrong.memory.host.bytesPerNode = 40;
  const differs = await runCli(["simulate", "-"], { input: JSON.stringify(wrong) });
  expect(differs.status).toBe(5);
  expect(differs.stdout).toContain("40 B predicted, 48 B observed, differs");
});

test("for TorchRec, rows in host memory are row-wise with the kernel fused_uvm; a remap sends them there", async () => {
  const folder = temporaryFolder();
  const plan = join(folder, "plan.json");
  await runCli(["plan", BINDS, "--out", plan]);
  const torchrec = JSON.parse((await runCli(["export", plan, "--to", "torchrec"])).stdout);
  for (const [name, dim] of [
    ["a_host", 4],
    ["b_host", 16],
  ] as const) {
    expect(torchrec.plan[`global.dim${dim}`][name]).toMatchObject({
      sharding_type: "row_wise",
      compute_kernel: "fused_uvm",
      ranks: [0, 1, 2, 3],
    });
  }
  const remap = await runCli([
    "export",
    plan,
    "--to",
    "remap",
    "--ids-are-ranks",
    "--out",
    join(folder, "remap"),
    "--json",
  ]);
  expect(remap.status).toBe(0);
  const { tables, tierCodes } = JSON.parse(remap.stdout);
  const inHost = tables.map(({ embeddingTables }: { embeddingTables: { tier: string; rows: number }[] }) =>
    embeddingTables.find(({ tier }) => tier === "host"),
  );
  expect(inHost).toMatchObject([
    { name: "a_host", rows: 4 },
    { name: "b_host", rows: 1 },
  ]);
  const tiers = readFileSync(join(folder, "remap", tables[0].files.tier.file)).subarray(128);
  expect([...tiers].filter((code) => code === tierCodes.host)).toHaveLength(4);
});
