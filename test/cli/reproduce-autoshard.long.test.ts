import { expect, test } from "vitest";
import { testInTurn } from "../support/draws.js";
import { runCli } from "./run-cli.js";

test("every part of the paper", async () => {
  const { status, stdout, stderr } = await runCli(["reproduce", "autoshard", "--quick", "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const reproduction = JSON.parse(stdout);
  expect(reproduction).toMatchObject({ shardproof: 1, paper: "autoshard", scale: { quick: true } });
  const { figure8, figure10, figure11, table2, table3, claims } = reproduction;
  const autoshard = figure8.find(({ method }: { method: string }) => method === "autoshard-rl");
  expect(autoshard).toMatchObject({ placed: 1, published: { balance: 0.886, speedup: 1.712 } });
  // The shipped network and policy need no training: these are the numbers of a whole run's first task.
  const lookup = figure8.find(({ method }: { method: string }) => method === "lookup-greedy");
  expect(autoshard.speedup.mean).toBeGreaterThan(lookup.speedup.mean);
  expect(figure11.map(({ tables, devices }: { tables: number; devices: number }) => [tables, devices])).toEqual([
    [80, 8],
    [160, 16],
  ]);
  expect(table3.map(({ unseenTables }: { unseenTables: string }) => unseenTables)).toEqual([
    "second half",
    "every tenth",
  ]);
  expect(figure10.map(({ unseenShare }: { unseenShare: number }) => unseenShare)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(table2.map(({ without }: { without: string | null }) => without)).toEqual([
    ...["cost model", "dim", "rows", "poolingFactor", "size", "accessBins"],
    null,
  ]);
  const { reward, splits } = reproduction;
  expect(Object.keys(reward)).toEqual(["methods", "random", "policy", "all"]);
  expect([reward.random.plans, reward.policy.plans]).toEqual([100, 50]);
  for (const { pairs, misled } of Object.values<{ pairs: number; misled: number }>(reward)) {
    expect(misled).toBeGreaterThan(0);
    expect(misled).toBeLessThan(pairs / 2);
  }
  expect(splits.map(({ method, placed }: { method: string; placed: number }) => [method, placed])).toEqual([
    ["neuroshard-search", 1],
    ["simulated-annealing", 1],
  ]);
  // Whole tables are among what neuroshard-search may choose.
  expect(splits[0].gain.mean).toBeGreaterThanOrEqual(0);
  expect(claims.every(({ holds }: { holds: boolean | null }) => holds !== null)).toBe(true);
}, 300_000);

testInTurn(
  "to a person it is what it is as JSON",
  async () => {
    const { stdout } = await runCli(["reproduce", "autoshard", "--quick", "--json"]);
    const { figure8, reward, table2 } = JSON.parse(stdout);
    const autoshard = figure8.find(({ method }: { method: string }) => method === "autoshard-rl");
    const shown = await runCli(["reproduce", "autoshard", "--quick"]);
    expect([shown.status, shown.stderr]).toEqual([0, ""]);
    const balance = `${(100 * autoshard.balance.mean).toFixed(1)} %`;
    expect(shown.stdout).toMatch(new RegExp(`autoshard-rl +1 +${balance} ± 0\\.0 %`));
    const share = `${((100 * reward.random.misled) / reward.random.pairs).toFixed(1)} %`;
    expect(shown.stdout).toMatch(new RegExp(`random +100 +4,950 +${share}`));
    expect(shown.stdout).toMatch(/simulated-annealing, on its shards +1 /);
    for (const { measure } of table2) expect(shown.stdout).toContain(`${measure.speedup.mean.toFixed(3)} ± 0.000`);
  },
  300_000,
);

test("a time limit leaves out what is not done by then", async () => {
  const { status, stdout } = await runCli(["reproduce", "autoshard", "--time-limit", "0.001", "--json"]);
  expect(status).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    figure8: null,
    figure10: null,
    figure11: null,
    table2: null,
    table3: null,
    reward: null,
    splits: null,
  });
  const shown = await runCli(["reproduce", "autoshard", "--time-limit", "0.001"]);
  expect(shown.stdout.match(/^ {2}not reached in the time limit$/gm)).toHaveLength(7);
  // What the paper says of them is not said to fail.
  expect(shown.stdout.match(/^ {2}(figure|table).* · .*not reached in the time limit$/gm)).toHaveLength(6);
});

test("a misspelt paper is one line", async () => {
  const { status, stderr } = await runCli(["reproduce", "autoshrd"]);
  expect(status).toBe(2);
  expect(stderr.trimEnd()).toBe('error: there is nothing to reproduce of "autoshrd"; did you mean autoshard?');
});
