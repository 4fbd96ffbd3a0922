import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const JOINT = "instances/tiny/towers-joint.yaml";
const ROWS = "instances/tiny/towers-joint-rows.yaml";

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

test("a person sees every number of towers, the chosen one's towers and GPUs, and what is proved", async () => {
  const { status, stdout, stderr } = await runCli(["plan", JOINT]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/towers\s+hosts each\s+exchange\s+proved bound\s+gap\s+ids\s+partition\s+largest memory/);
  expect(stdout).toMatch(/^\s+4\s+1\s+0\.000260640 ms\s+0\.000260640 ms\s+0\s/m);
  expect(stdout).toMatch(/^\s+2\s+2\s+0\.000224320 ms\s.*chosen$/m);
  expect(stdout).toMatch(/flat exchange\s+0\.000224800 ms/);
  expect(lastLine(stdout)).toMatch(
    /^proved: no placement of these best partitions into 4, 2, 1 towers is faster than 0\.000224320 ms/,
  );
});

test("the plan verifies until it is changed, and its bytes are the same each time but for the timing", async () => {
  const file = join(temporaryFolder(), "plan.json");
  const withoutTiming = (text: string) => text.replace(/"timing": \{[^}]*\}/, "");
  const { stdout } = await runCli(["plan", JOINT, "--json", "--out", file]);
  const text = readFileSync(file, "utf8");
  expect(withoutTiming((await runCli(["plan", JOINT, "--json"])).stdout)).toBe(withoutTiming(text));
  const { joint, towers } = JSON.parse(stdout);
  expect(joint.devices).toHaveLength(8);
  expect(towers).toHaveLength(joint.chosen.towers);
  expect(Math.max(...joint.deviceBytes)).toBeLessThanOrEqual(1000);
  const verified = await runCli(["verify", file]);
  expect([verified.status, lastLine(verified.stdout)]).toEqual([0, "verified"]);
  writeFileSync(file, text.replace('"largestElements": 4', '"largestElements": 3'));
  expect((await runCli(["verify", file])).status).toBe(5);
});

test("simulate runs the plan's exchange: shards by rows, tower modules, ids that are not whole", async () => {
  for (const instance of [JOINT, ROWS]) {
    const file = join(temporaryFolder(), "plan.json");
    const plan = JSON.parse((await runCli(["plan", instance, "--json", "--out", file])).stdout);
    const { status, stdout, stderr } = await runCli(["simulate", file]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(lastLine(stdout)).toMatch(
      /^agrees: SPTT gives what the flat look-up gives, bit for bit; 36 counts of bytes/,
    );
    const simulation = JSON.parse((await runCli(["simulate", file, "--json"])).stdout);
    expect(simulation).toMatchObject({ check: { equal: true }, verdict: { within: true, outside: 0 } });
    expect(simulation.world.towers).toBe(plan.joint.chosen.towers);
    if (instance !== ROWS) continue;
    expect(plan.joint.tables[0]).toMatchObject({ name: "f0", shardingType: "row_wise", sizes: [51, 50] });
    // A table that is said to be on another tower's GPU.
    const changed = plan.joint.tables.map((table: { ranks: number[] }) => ({
      ...table,
      ranks: table.ranks.map(() => 9),
    }));
    const forged = { ...plan, joint: { ...plan.joint, tables: changed } };
    writeFileSync(file, JSON.stringify({ ...forged, digest: planDigest(forged) }));
    const refused = await runCli(["simulate", file]);
    expect([refused.status, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/the plan does not fit together: slot \d+ is none of the tower's 2\n$/);
  }
});

test("a joint plan is exported: where its tables lie for TorchRec, and the program of the towers it chose", async () => {
  const folder = temporaryFolder();
  const [file, out, model] = [join(folder, "plan.json"), join(folder, "sharding.json"), join(folder, "towers.mps")];
  const plan = JSON.parse((await runCli(["plan", JOINT, "--json", "--out", file])).stdout);
  const exported = await runCli(["export", file, "--to", "torchrec", "--module", "sparse.ebc", "--out", out]);
  expect([exported.status, exported.stderr]).toEqual([0, ""]);
  expect(exported.stdout).toMatch(/sparse\.ebc\s+f0\s+column_wise\s+fused\s+4\s+4\n/);
  expect(exported.stdout).toMatch(/^note: FBGEMM's kernels want widths .*\nwrote /m);
  const { plan: modules } = JSON.parse(readFileSync(out, "utf8"));
  expect(Object.keys(modules["sparse.ebc"])).toEqual(["f0", "f1", "f2", "f3", "f4"]);
  for (const { name, ranks } of plan.joint.tables) expect(modules["sparse.ebc"][name].ranks).toEqual(ranks);
  expect((await runCli(["export", file, "--to", "mps", "--out", model])).status).toBe(0);
  const solved = JSON.parse((await runCli(["solve", model, "--json"])).stdout);
  expect(solved).toMatchObject({ status: "proved", objective: { value: plan.objective.value } });
});

test("no number of towers fits: exit 4; some do not: the line says so", async () => {
  const none = await runCli(["plan", "instances/tiny/towers-joint-infeasible.yaml"]);
  expect([none.status, none.stderr]).toEqual([4, ""]);
  expect(lastLine(none.stdout)).toMatch(/^infeasible: no number of towers \(2, 1\) has a plan/);
  const some = await runCli(["plan", "instances/tiny/towers-joint-partly.yaml"]);
  expect(some.status).toBe(0);
  expect(some.stdout).toMatch(/^\s+2\s+1\s+·.*no partition keeps every tower within its memory or load$/m);
});

test("what needs more than the instance has is one line", async () => {
  const file = join(temporaryFolder(), "plan.json");
  await runCli(["plan", "instances/tiny/towers-pairwise.yaml", "--out", file]);
  const simulated = await runCli(["simulate", file]);
  expect([simulated.status, simulated.stdout]).toEqual([2, ""]);
  expect(simulated.stderr).toMatch(
    /without; give the instance the keys cluster, training and tables, and plan it again\n$/,
  );
  await runCli(["plan", "instances/tiny/towers-joint-infeasible.yaml", "--out", file]);
  expect((await runCli(["simulate", file])).stderr).toMatch(
    /places of tables, received one of status infeasible, which/,
  );
  for (const args of [
    ["compare", JOINT],
    ["plan", JOINT, "--method", "tp"],
  ]) {
    const { status, stderr } = await runCli(args);
    expect([args[0], status]).toEqual([args[0], 2]);
    expect(stderr).toMatch(/: expected a number of towers for .*, received any; write the number\n$/);
  }
  const asked = await runCli(["plan", JOINT, "--solver", "highs"]);
  expect([asked.status, asked.stdout]).toEqual([2, ""]);
  expect((await runCli(["plan", ROWS, "--method", "strided"])).status).toBe(0);
});
