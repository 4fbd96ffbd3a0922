import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { interruptedAfter, runCli, runProcess, temporaryFolder } from "./run-cli.js";

const WEIGHTS = "cpu-4-workers.neural.json";

/** Small tasks of the shipped tables, with the shipped weights, in a folder that goes after the test. */
function writeTasks(): { readonly folder: string; readonly args: readonly string[]; readonly out: string } {
  const folder = temporaryFolder();
  for (const name of ["meta-synthetic-856.csv", WEIGHTS])
    copyFileSync(join("instances/costs", name), join(folder, name));
  const task = (first: number) => Array.from({ length: 6 }, (_, t) => 7 * t + first);
  const document = {
    shardproof: 1,
    kind: "placement-tasks",
    tables: { file: "meta-synthetic-856.csv", dimOfTable: new Array(856).fill(16) },
    devices: 2,
    train: [task(0), task(1), task(2)],
    test: [task(3)],
  };
  const file = join(folder, "tasks.json");
  writeFileSync(file, JSON.stringify(document));
  const out = join(folder, "policy.json");
  return { folder, args: ["learn-policy", file, "--cost", join(folder, WEIGHTS), "--out", out], out };
}

test("what was learned, to a person and as JSON; learning on with it", async () => {
  const { args, out } = writeTasks();
  const shown = await runCli([...args, "--steps", "200", "--seed", "2"]);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/^autoshard-rl\n/);
  expect(shown.stdout).toMatch(/3 to learn from, 2 devices/);
  expect(shown.stdout).toMatch(/240 tables placed; reward ratio, seed 2/);
  expect(shown.stdout).toMatch(/1 tasks: balance [\d.]+ %, largest device cost [\d.,]+ ms on average/);
  const first = readFileSync(out, "utf8");
  const again = await runCli([...args, "--steps", "200", "--seed", "2", "--json"]);
  expect(again.status).toBe(0);
  const { curve, ...learned } = JSON.parse(again.stdout);
  expect(learned).toMatchObject({
    shardproof: 1,
    method: "autoshard-rl",
    tasks: { train: 3, test: 1, devices: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    reward: "ratio",
    seed: 2,
    askedSteps: 200,
    // Batches are of 8 episodes with 6 tables each.
    steps: 240,
    test: { tasks: 1, placed: 1 },
  });
  expect(curve.map((point: { steps: number }) => point.steps)).toEqual([48, 96, 144, 192, 240]);
  // The same tasks, options and seed: the same bytes, however the files are named.
  expect(readFileSync(out, "utf8")).toBe(first);
  const elsewhere = args.map((arg) => (arg.startsWith("/") ? relative(".", arg) : arg));
  expect((await runCli([...elsewhere, "--steps", "200", "--seed", "2"])).status).toBe(0);
  expect(readFileSync(out, "utf8")).toBe(first);
  expect(JSON.parse(first).origin).toMatchObject({ tasks: { file: "tasks.json" }, cost: WEIGHTS });
  const resumed = await runCli([...args, "--steps", "300", "--resume", out, "--reward", "largest", "--json"]);
  expect(resumed.status).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ steps: 336, seed: 2, reward: "largest" });
  const over = await runCli([...args, "--steps", "300", "--resume", out]);
  expect([over.status, over.stdout]).toEqual([2, ""]);
  expect(over.stderr).toMatch(
    /^\S+policy\.json: expected a policy that has learned fewer than 300 steps, received one that has learned 336;[^\n]+\n$/,
  );
});

test("the cost network learns beside the policy, from weights that stand for hardware", async () => {
  const { folder, args, out } = writeTasks();
  const [command, tasks] = args as [string, string];
  const costOut = join(folder, "cost.json");
  const jointly = [command, tasks, "--joint", join(folder, WEIGHTS), "--cost-out", costOut, "--out", out];
  const shown = await runCli([...jointly, "--steps", "500", "--buffer", "50"]);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/cost +\S+cost\.json\n/);
  expect(shown.stdout).toMatch(/measured +\d+ sets, the newest 50 kept; by \S+neural\.json, in the place of hardware/);
  expect(shown.stdout).toMatch(/cost fit +mean absolute error [\d.,]+ ms, R² \S+ on \d+ sets of the policy's plans/);
  expect(shown.stdout).toMatch(/tables placed +mean reward +cost error/);
  const files = () => [out, costOut].map((file) => readFileSync(file, "utf8"));
  const first = files();
  const { status, stdout } = await runCli([...jointly, "--steps", "500", "--buffer", "50", "--json"]);
  expect(status).toBe(0);
  const { curve, joint } = JSON.parse(stdout);
  expect(curve.at(-1).costError).toBeLessThan(curve[0].costError);
  expect(joint).toMatchObject({ oracle: join(folder, WEIGHTS), buffer: 50, testFit: { sets: 2 } });
  // The same tasks, options and seed: the same bytes, of both.
  expect(files()).toEqual(first);
  // What was learned together goes together: the policy is of that cost network, and learns on under it.
  const resumed = await runCli([command, tasks, "--cost", costOut, "--resume", out, "--steps", "600", "--out", out]);
  expect([resumed.status, resumed.stderr]).toEqual([0, ""]);
});

test("Ctrl-C ends with the policy so far", async () => {
  const { args, out } = writeTasks();
  const { status, signal, stdout } = await runProcess([...args, "--steps", "100000000", "--json"], {
    onStart: interruptedAfter(2.5),
  });
  expect([status, signal]).toEqual([3, null]);
  const { steps, askedSteps } = JSON.parse(stdout);
  expect(steps).toBeGreaterThan(0);
  expect(steps).toBeLessThan(askedSteps);
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ kind: "autoshard-policy", learned: { steps } });
});

test("what was learned is a method: a plan is made, compared and verified with it", async () => {
  const { folder, args } = writeTasks();
  expect((await runCli([...args, "--steps", "100"])).status).toBe(0);
  const bins = [0.5, 0.5, ...new Array(15).fill(0)];
  const document = {
    shardproof: 1,
    name: "by-policy",
    problem: "table-placement",
    costModel: { neural: WEIGHTS, policy: "policy.json" },
    cluster: { nodes: 1, gpusPerNode: 2 },
    tables: [3, 9, 27, 81].map((poolingFactor, t) => {
      return { name: `t${t}`, rows: 1000 * poolingFactor, dim: 16, poolingFactor, accessBins: bins };
    }),
  };
  const instance = join(folder, "instance.json");
  writeFileSync(instance, JSON.stringify(document));
  const plan = join(folder, "plan.json");
  const planned = await runCli(["plan", instance, "--method", "autoshard-rl", "--out", plan, "--json"]);
  expect([planned.status, planned.stderr]).toEqual([0, ""]);
  const { objective, method, deviceCosts } = JSON.parse(planned.stdout);
  expect([method, objective.value]).toEqual(["autoshard-rl", Math.max(...deviceCosts)]);
  expect((await runCli(["verify", plan])).status).toBe(0);
  const compared = JSON.parse((await runCli(["compare", instance, "--json", "--time-limit", "5"])).stdout);
  const rows = compared.rows as { method: string; value: number }[];
  expect(rows.find((row) => row.method === "autoshard-rl")?.value).toBe(objective.value);
  // Under a learned cost, how often AutoShard's reward misleads: over all plans, random ones, and the policy's.
  const [reward] = compared.minMaxReward;
  expect(reward).toMatchObject({ instance: "by-policy", random: { plans: 100 }, policy: { plans: 50 } });
  expect(reward.methods.plans).toBe(rows.filter(({ value }) => value !== null).length);
  writeFileSync(instance, JSON.stringify({ ...document, costModel: { neural: WEIGHTS } }));
  const without = await runCli(["plan", instance, "--method", "autoshard-rl"]);
  expect(without.status).toBe(2);
  expect(without.stderr).toMatch(/autoshard-rl does not apply to this instance: needs a policy [^\n]+\n$/);
  writeFileSync(instance, JSON.stringify({ ...document, costModel: { neural: WEIGHTS, policy: "none.json" } }));
  const missing = await runCli(["plan", instance, "--method", "autoshard-rl"]);
  expect(missing.status).toBe(2);
  expect(missing.stderr).toMatch(
    /instance\.json:1:\d+: costModel\.policy: expected a file that can be read, received none\.json \(no such file\)[^\n]+\n$/,
  );
});

test.each([
  [["--steps", "0"], /Expected an integer of at least 1/],
  [["--reward", "best"], /Allowed choices are ratio, largest/],
  [["--cost", "none.json"], /^none\.json: expected a file that can be read, received no such file/],
  [["--resume", "none.json"], /^none\.json: expected a file that can be read, received no such file/],
  [["--out", "-"], /expected a file to write, received -/],
  [["--joint", WEIGHTS], /say with --cost-out FILE where it is to be written/],
  [["--joint", WEIGHTS, "--cost-out", "c.json", "--resume", "p.json"], /--resume is not for --joint/],
  [["--cost-out", "c.json"], /--cost-out is for --joint only/],
  [["--buffer", "9"], /--buffer is for --joint only/],
])("%j is bad usage", async (changed, message) => {
  const { args, out } = writeTasks();
  // An option takes the place of the one that there is.
  const place = args.indexOf(changed[0] as string);
  const others = place === -1 ? args : args.filter((_, k) => k !== place && k !== place + 1);
  const { status, stdout, stderr } = await runCli([...others, ...changed]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(existsSync(out)).toBe(false);
});

test("the example is where the help says", async () => {
  const { stdout } = await runCli(["learn-policy", "--help"]);
  const paths = stdout.match(/(src|instances)\/[\w/.-]+/g) ?? [];
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expect(existsSync(resolve(path))).toBe(true);
});
