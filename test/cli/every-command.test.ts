import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bytesOf, npy } from "../support/npy.js";
import { drawData } from "../unit/cost/neural/support.js";
import { commandsIn, runCli, temporaryFolder } from "./run-cli.js";

const TINY = "instances/tiny/latency.yaml";
const PLACEMENT = "instances/tiny/placement-torchrec.yaml";
const BEFORE = "instances/tiny/placement-migration-before.yaml";
const AFTER = "instances/tiny/placement-migration-after.yaml";

/** Each command once, on something small, in an order in which files are there: what it is given, and what a person then reads. */
function runs(folder: string): readonly (readonly [args: readonly string[], shown: RegExp])[] {
  const at = (name: string) => join(folder, name);
  const { tables, sets } = drawData(20, 1);
  const costs = {
    shardproof: 1,
    kind: "measured-costs",
    tables: tables.map(({ elementBytes: _, ...own }) => own),
    sets,
  };
  writeFileSync(at("costs.json"), JSON.stringify(costs));
  writeFileSync(at("e.npy"), npy("<f4", bytesOf(Float32Array.from([3, 0, 2, 2, 0, -5, 1, 1])), "2, 2, 2"));
  writeFileSync(at("log.csv"), "sample,row\n1,5\n1,7\n2,5\n3,9\n3,5\n");
  const tasks = {
    ...{ shardproof: 1, kind: "placement-tasks", devices: 2, train: [[0, 7, 14]], test: [[3, 10, 17]] },
    tables: { file: "instances/costs/meta-synthetic-856.csv", dimOfTable: new Array(856).fill(16) },
  };
  tasks.tables.file = join(process.cwd(), tasks.tables.file);
  writeFileSync(at("tasks.json"), JSON.stringify(tasks));
  const weights = "instances/costs/cpu-4-workers.neural.json";
  const example = "examples/torchrec-problem.json";
  return [
    [["plan", TINY, "--out", at("rows.json")], /proved/],
    [["plan", PLACEMENT, "--out", at("plan.json")], /proved/],
    [["plan", BEFORE, "--out", at("before.json")], /proved/],
    [["plan", AFTER, "--out", at("after.json")], /proved/],
    [["compare", TINY], /flexshard-2tier/],
    [["frontier", TINY, "--points", "2"], /per GPU/],
    [["verify", at("plan.json")], /verified/i],
    [["explain", at("plan.json")], /\S{3}/],
    [["delta", at("before.json"), at("after.json")], /\d/],
    [["report", at("plan.json"), "--out", at("page.html")], /page\.html/],
    [["study", "instances/studies/tiny.yaml", "--out", at("study")], /study/],
    [["simulate", at("rows.json"), "--batches", "2"], /z/],
    [["solve", "instances/programs/knapsack-30.mps"], /proved optimal/],
    [["init", "row-tiers"], /problem: row-tiers/],
    [["profile", "count", at("log.csv"), "--row", "row", "--sample", "sample", "--out", at("profile.json")], /3/],
    [["interaction", at("e.npy")], /f0,f1\n1,0\.707/],
    [["import", "torchrec", example, "--out", at("eight.yaml")], /eight\.yaml/],
    [["export", at("plan.json"), "--to", "mps"], /ROWS/],
    [["learn-cost", at("costs.json"), "--out", at("weights.json"), "--epochs", "1"], /20 sets/],
    [
      ["learn-policy", at("tasks.json"), "--cost", weights, "--out", at("policy.json"), "--steps", "10"],
      /autoshard-rl/,
    ],
    [["reproduce", "dmt"], /DMT|dmt/],
    [["generate", "towers", "--set", "features=3", "--set", "towers=2", "--seed", "7"], /problem: tower-partition/],
    [["schema"], /\$schema/],
    [["completion", "bash"], /shardproof/],
  ];
}

let help = "";
beforeAll(async () => {
  help = (await runCli(["--help"])).stdout;
});

test("every command works on something small, and ends with 0", async () => {
  const all = runs(temporaryFolder());
  expect([...new Set(all.map(([[command]]) => command))].sort()).toEqual([...commandsIn(help)].sort());
  for (const [args, shown] of all) {
    const { status, stdout, stderr } = await runCli(args);
    expect([args, status, stderr]).toEqual([args, 0, ""]);
    expect(`${args.join(" ")}: ${stdout}`).toMatch(shown);
  }
});
