import { expect, test } from "vitest";
import { readDocument } from "../../../src/instance/document.js";
import { towerShardingPlan } from "../../../src/interop/torchrec/export-towers.js";
import { givenPlacement } from "../../../src/interop/torchrec/given-placement.js";
import { planDigest } from "../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { programText, writerOf } from "../../../src/problems/exportable.js";
import { chosenProgram } from "../../../src/problems/joint-towers/export.js";
import { readExportableJoint } from "../../../src/problems/joint-towers/exportable.js";
import type { TowersPlan } from "../../../src/problems/joint-towers/plan-file/plan-file.js";
import { readExportable } from "../../../src/problems/planning/export.js";
import { loadInstance, parseInstance } from "../../../src/problems/planning/instances.js";
import { readProgram } from "../../../src/program/read-program.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { simulateTowers } from "../../../src/simulate/plans/exchange-plan.js";
import { planTowerPartition } from "../../support/planned.js";
import { openTorchrec } from "./sharding-plan-support.js";

const JOINT = "instances/tiny/towers-joint.yaml";
const ROWS = "instances/tiny/towers-joint-rows.yaml";

type Table = Readonly<{ name: string; rows: number; dim: number }>;

/** Features that are alike in the order that they are given: towers are runs of them. */
function instanceText(tables: readonly Table[], rest: object): string {
  const features = tables.map(({ name }) => name);
  const interaction = features.map((_, i) => features.map((_unused, j) => 1 - Math.abs(i - j) / features.length));
  const common = { shardproof: 1, name: "towers", problem: "tower-partition", training: { batchPerGpu: 1 } };
  return JSON.stringify({ ...common, features, interaction, tables, ...rest });
}

function cluster(nodes: number, gpusPerNode: number, hbmBytesPerGpu?: number) {
  return { nodes, gpusPerNode, hbmBytesPerGpu, hardware: "H100" };
}

async function planned(text: string) {
  const instance = parseInstance(text, "towers.json");
  if (instance.problem !== "tower-partition") throw new Error("no instance of towers");
  return { instance, plan: await planTowerPartition(instance) };
}

async function exportableOf(text: string) {
  const { instance, plan } = await planned(text);
  return { joint: await readExportableJoint(writePlan(plan), "plan.json", async () => instance), plan };
}

/** A plan's text, changed, and with the digest that its new content has. */
async function changedPlan(change: (plan: TowersPlan) => object, file = ROWS): Promise<string> {
  const plan = await planTowerPartition(file);
  const changed = { ...plan, ...change(plan) };
  return JSON.stringify({ ...changed, digest: planDigest(changed) });
}

test("the program of a joint plan is that of the towers it chose, with the memory that limits them", async () => {
  const plan = await planTowerPartition(JOINT);
  const exportable = await readExportableJoint(writePlan(plan), "plan.json", loadInstance);
  expect([exportable.shape, exportable.instance.towers]).toEqual([{ towers: 2, hostsPerTower: 2 }, 4]);
  const program = readProgram(programText(await chosenProgram(exportable, []), "lp"), "program.lp");
  const { verdict } = await solveExactly(program);
  expect(verdict?.status).toBe("proved");
  expect(verdict?.value?.toNumber()).toBeCloseTo(plan.objective.value as number, 12);
  // No towers fit: the program says so too.
  const none = await planTowerPartition("instances/tiny/towers-joint-infeasible.yaml");
  const infeasible = await readExportableJoint(writePlan(none), "plan.json", loadInstance);
  expect(infeasible.shape).toEqual({ towers: 2, hostsPerTower: 1 });
  const text = programText(await chosenProgram(infeasible, []), "mps");
  expect((await solveExactly(readProgram(text, "program.mps"))).verdict?.status).toBe("infeasible");
});

test("features without a place are apart in the program too, once their proof is checked again", async () => {
  const plan = await planTowerPartition("instances/tiny/towers-joint-packing.yaml");
  const exportable = await readExportableJoint(writePlan(plan), "plan.json", loadInstance);
  expect(exportable.unplaceable()).toEqual([[0, 1, 2]]);
  const solved = async (unplaceable: readonly (readonly number[])[]) => {
    const text = programText(await chosenProgram(exportable, unplaceable), "mps");
    return (await solveExactly(readProgram(text, "program.mps"))).verdict?.value?.toNumber();
  };
  expect(await solved(exportable.unplaceable())).toBeCloseTo(plan.objective.value as number, 12);
  expect(await solved([])).toBeLessThan((plan.objective.value as number) - 1);
  const other = JSON.parse(writePlan(plan));
  other.joint.rows[0].partition.unplaceable[0].features = ["a1", "b1"];
  const text = JSON.stringify({ ...other, digest: planDigest(other) });
  const forged = await readExportableJoint(text, "plan.json", loadInstance);
  // The tables in their places need no such proof, the program does.
  expect(forged.placed().length).toBe(2);
  expect(forged.unplaceable).toThrow(/expected a plan that fits its instance, received one of which .*; plan again$/);
});

test("tables of towers have TorchRec's sizes, offsets and placements, ranks of the whole cluster", async () => {
  const tables = [
    { name: "narrow", rows: 10, dim: 1 },
    { name: "whole", rows: 3, dim: 4 },
    { name: "by-columns", rows: 10, dim: 8 },
    { name: "ebc.other", rows: 2, dim: 4 },
  ];
  const text = instanceText(tables, { towers: 2, cluster: cluster(2, 4, 128) });
  const { joint, plan } = await exportableOf(text);
  expect(plan.towers).toEqual([
    ["narrow", "whole"],
    ["by-columns", "ebc.other"],
  ]);
  const written = towerShardingPlan(joint, "sparse").plan;
  expect(Object.keys(written)).toEqual(["sparse", "sparse.ebc"]);
  const { narrow, "by-columns": byColumns } = written.sparse ?? {};
  expect(narrow).toMatchObject({ sharding_type: "table_wise", compute_kernel: "fused" });
  expect(byColumns?.sharding_type).toBe("table_column_wise");
  expect(byColumns?.shards?.map(({ shard_offsets, shard_sizes }) => [shard_offsets, shard_sizes])).toEqual(
    [0, 2, 4, 6].map((column) => [
      [0, column],
      [10, 2],
    ]),
  );
  for (const module of Object.values(written)) {
    for (const [name, { ranks, shards }] of Object.entries(module)) {
      const tower = plan.joint?.tables?.find((table) => table.name.endsWith(name))?.tower as number;
      expect(shards?.map(({ placement }) => placement)).toEqual(ranks.map((rank) => `rank:${rank}/cuda:${rank % 4}`));
      for (const rank of ranks) expect(Math.floor(rank / 4)).toBe(tower);
    }
  }
});

const LARGE = { name: "large", rows: 101, dim: 1 };
const SMALL = { name: "small", rows: 2, dim: 4 };

test.each([
  [
    "of one host",
    2,
    cluster(2, 4, 120),
    "table_row_wise",
    [26, 26, 26, 23],
    /^FBGEMM's kernels .* large \(1\), small \(1\)$/,
  ],
  ["of several hosts", 2, cluster(4, 2, 120), "row_wise", [26, 26, 26, 23], /^large: .* in one of ranks 0 to 3$/],
  [
    "of all hosts",
    1,
    cluster(2, 2, 120),
    "row_wise",
    [26, 26, 26, 23],
    /^FBGEMM's kernels .* large \(1\), small \(1\)$/,
  ],
])("rows inside a tower %s", async (_what, towers, hosts, shardingType, rows, note) => {
  const { joint } = await exportableOf(instanceText([LARGE, SMALL], { towers, cluster: hosts }));
  const { plan, notes } = towerShardingPlan(joint);
  const { sharding_type, ranks, shards } = plan[""]?.large ?? {};
  expect([sharding_type, ranks]).toEqual([shardingType, [0, 1, 2, 3]]);
  expect(shards?.map(({ shard_sizes }) => shard_sizes)).toEqual(rows.map((count) => [count, 1]));
  expect(shards?.map(({ shard_offsets }) => shard_offsets)).toEqual([0, 26, 52, 78].map((row) => [row, 0]));
  expect(notes.at(-1)).toMatch(note);
});

test("TorchRec reads what is written as the plan has it", async () => {
  const tables = [
    { name: "t0", rows: 1000, dim: 16 },
    { name: "t1", rows: 200, dim: 16 },
    { name: "t2", rows: 300, dim: 16 },
    { name: "t3", rows: 5000, dim: 16 },
  ];
  const { joint, plan } = await exportableOf(instanceText(tables, { towers: 2, cluster: cluster(2, 4) }));
  const written = towerShardingPlan(joint);
  expect(written.notes).toEqual([]);
  const opened = openTorchrec({
    topology: { world_size: 8, local_world_size: 4 },
    tables: tables.map(({ name, rows, dim }, t) => ({
      ...{ name, num_embeddings: rows, embedding_dim: dim },
      min_partition: plan.joint?.tables?.[t]?.sizes[0],
    })),
  });
  const { plan: only } = written;
  const document = readDocument(JSON.stringify({ plan: only }), "sharding.json");
  const { choices } = givenPlacement(document, opened.instance, opened.problem);
  expect(choices.map(({ devices }) => devices)).toEqual(plan.joint?.tables?.map(({ ranks }) => ranks));
});

test("rows in TorchRec's blocks that are beyond the memory are refused", async () => {
  // Even rows are 2, 2, 1, 1; TorchRec's blocks 2, 2, 2, 0: the two GPUs of a row have the other tables.
  const tables = [
    { name: "a", rows: 6, dim: 1 },
    ...["b", "c", "d", "e"].map((name, k) => ({ name, rows: k < 2 ? 1 : 2, dim: 1 })),
  ];
  const { joint, plan } = await exportableOf(
    instanceText(tables, { towers: 1, cluster: { ...cluster(1, 4, 12), hardware: "H100" } }),
  );
  expect(plan.joint?.tables?.[0]).toMatchObject({ shardingType: "row_wise", sizes: [2, 2, 1, 1] });
  expect(() => towerShardingPlan(joint)).toThrow(
    /^plan\.json: expected at most 12 bytes on each GPU with rows in TorchRec's blocks, received 16 on GPU 2; lower/,
  );
});

test("a partition alone has no places; an infeasible plan says that there are none", async () => {
  const partition = await planTowerPartition("instances/tiny/towers-pairwise.yaml");
  const exported = await readExportable(writePlan(partition), "plan.json", loadInstance);
  expect(() => writerOf(exported, "torchrec")).toThrow("which only say which features share a tower");
  const none = await planTowerPartition("instances/tiny/towers-joint-infeasible.yaml");
  const joint = await readExportableJoint(writePlan(none), "plan.json", loadInstance);
  expect(() => joint.placed()).toThrow("expected a plan, received the proof that there is none (infeasible)");
});

type Joint = NonNullable<TowersPlan["joint"]>;

function withRow(change: (row: Joint["rows"][number]) => object) {
  return ({ joint }: TowersPlan) => ({
    joint: { ...joint, rows: joint?.rows.map((r) => ({ ...r, ...change(r) })) },
  });
}

test.each<[string, (plan: TowersPlan) => object]>([
  ["it chose 3 towers of 1 hosts", ({ joint }) => ({ joint: { ...joint, chosen: { towers: 3, hostsPerTower: 1 } } })],
  ["it chose 2 towers of 2 hosts", ({ joint }) => ({ joint: { ...joint, chosen: { towers: 2, hostsPerTower: 2 } } })],
  ["not every feature is in a tower", withRow(({ partition }) => ({ partition: { ...partition, numbering: [0, 1] } }))],
  [
    "not every feature is in a tower",
    withRow(({ partition }) => ({ partition: { ...partition, numbering: [0, 1, 2] } })),
  ],
  ["1 tables were expected, 0 are there", withRow(() => ({ placements: [] }))],
  [
    "table f0 is on device 9",
    withRow(({ placements }) => ({
      placements: placements?.map((one) => ({
        ...one,
        choices: one.choices?.map(([option, devices]) => [option, devices.map(() => 9)]),
      })),
    })),
  ],
])("a plan that is none of its instance is refused: %s", async (message, change) => {
  const read = async () => (await readExportableJoint(await changedPlan(change), "plan.json", loadInstance)).placed();
  await expect(read()).rejects.toThrow(/^plan\.json: expected a plan that fits its instance, received one of which /);
  await expect(read()).rejects.toThrow(message);
});

test("hot rows and caches of towers have no sharding plan, and are not simulated: both say so", async () => {
  const file = "instances/tiny/towers-joint-hot.yaml";
  const text = writePlan(await planTowerPartition(file));
  const joint = await readExportableJoint(text, "plan.json", loadInstance);
  expect(() => towerShardingPlan(joint)).toThrow(
    "plan.json: expected tables that are whole, by columns or by rows, received f0 with hot rows on every GPU of its tower",
  );
  const how = { text, file: "plan.json", seed: 0 };
  await expect(simulateTowers(JSON.parse(text), how, loadInstance)).rejects.toThrow(
    "plan.json: expected tables that are whole, by columns or by rows, received f0 with hot rows on every GPU of its tower",
  );
});
