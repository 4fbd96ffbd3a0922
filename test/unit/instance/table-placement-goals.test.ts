import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { InputError } from "../../../src/errors/input-error.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";

const folder = mkdtempSync(join(tmpdir(), "placement-goals-"));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = join(folder, "f");

const PLAN = {
  problem: "table-placement",
  devices: [["a"], ["b"]],
  choices: {
    a: { shardingType: "table_wise", kernel: "fused", ranks: [0] },
    b: { shardingType: "row_wise", kernel: "fused", ranks: [0, 1] },
  },
};

const OPTIONS = `shardproof: 1
name: x
problem: table-placement
costModel: options
cluster: {nodes: 1, gpusPerNode: 2}
from: {plan: plan.json, mostMoved: 1}
tables:
  - name: a
    options: [{shardingType: table_wise, partitionBy: device, shards: [[1, {cost: 3, phases: {forwardCompute: 1, backwardComms: 2}}]]}]
  - name: b
    options:
      - {shardingType: row_wise, kernel: fused_uvm, partitionBy: uniform, shards: [[2, {cost: 1, phases: {prefetch: 1}}]]}
      - {shardingType: row_wise, partitionBy: uniform, shards: [[1, {cost: 1, phases: {forwardComms: 1}}]]}
      - {shardingType: row_wise, partitionBy: uniform, shards: [[2, {cost: 0.3, phases: {forwardCompute: 0.1, forwardComms: 0.2}}]]}
`;

function parse(text: string, plan: unknown = PLAN) {
  writeFileSync(join(folder, "plan.json"), typeof plan === "string" ? plan : JSON.stringify(plan));
  return requireInstance(tablePlacementReader, parseInstance(text, FILE));
}

test("a table may stay with the options that have the plan's type, kernel and number of shards", () => {
  const { stay, goal } = placementProblem(parse(OPTIONS));
  expect(stay).toEqual({ mostMoved: 1, homes: [[{ option: 0, devices: [0] }], [{ option: 2, devices: [0, 1] }]] });
  expect(goal).toBeUndefined();
});

test("the hash is that of the instance and the plan", () => {
  const [first, second] = [parse(OPTIONS).sha256, parse(OPTIONS, { ...PLAN, status: "proved" }).sha256];
  expect(first).not.toBe(second);
  expect(parse(OPTIONS).sha256).toBe(first);
});

test("where tables are may be a sharding plan of TorchRec's, as a file or in the instance itself", () => {
  const sharded = (sharding_type: string, ranks: number[]) => ({ sharding_type, compute_kernel: "fused", ranks });
  const torchrec = { plan: { "sparse.ebc": { a: sharded("table_wise", [0]), b: sharded("row_wise", [0, 1]) } } };
  const ofFile = parse(OPTIONS, torchrec);
  expect(placementProblem(ofFile).stay).toEqual(placementProblem(parse(OPTIONS)).stay);
  expect(ofFile.sha256).not.toBe(parse(OPTIONS, { plan: { ebc: torchrec.plan["sparse.ebc"] } }).sha256);
  const within = OPTIONS.replace("plan: plan.json", `plan: ${JSON.stringify(torchrec.plan)}`);
  const own = parse(within);
  expect(placementProblem(own).stay).toEqual(placementProblem(ofFile).stay);
  expect(own.sha256).toBe(createHash("sha256").update(within).digest("hex"));
  const refused = (plan: unknown) => () => parse(OPTIONS.replace("plan: plan.json", `plan: ${JSON.stringify(plan)}`));
  expect(refused({ one: { a: sharded("table_wise", [0]) }, two: { a: sharded("table_wise", [1]) } })).toThrow(
    /f:6:\d+: .*expected each table once, received string "a" of two modules; call them module.name/,
  );
  expect(refused({ "": { a: sharded("table_wise", [2]) } })).toThrow(/expected devices from 0 to 1 .*received 2/);
  expect(refused({ "": { a: { sharding_type: "table_wise", ranks: [0] } } })).toThrow(/f:6:\d+: /);
  expect(refused({ "": { z: sharded("table_wise", [0]) } })).toThrow(/received one that has none of them/);
});

test("phases are in TorchRec's order, and shards alike but for their phases are of different kinds", () => {
  const text = OPTIONS.replace(/from: .*/, "objective: phases").replace(
    "[[2, {cost: 0.3, phases: {forwardCompute: 0.1, forwardComms: 0.2}}]]",
    "[[1, {cost: 0.3, phases: {forwardCompute: 0.3}}], [1, {cost: 0.3, phases: {prefetch: 0.3}}]]",
  );
  const { tables, goal } = placementProblem(parse(text));
  expect(goal).toBe("phases");
  expect(tables[0]?.options[0]?.shards[0]?.phases).toEqual([1, 0, 0, 2, 0]);
  const [first, second] = tables[1]?.options[2]?.shards ?? [];
  expect([first?.phases, second?.phases]).toEqual([
    [0.3, 0, 0, 0, 0],
    [0, 0, 0, 0, 0.3],
  ]);
  // Without that goal nothing of the phases is left that could make a difference.
  const plain = placementProblem(parse(text.replace("objective: phases", "thenMinimize: sum")));
  expect(plain.tables[0]?.options[0]?.shards[0]).toEqual({ cost: 3, hbmBytes: 0, hostBytes: 0 });
  expect(plain.thenMinimize).toBe("sum");
});

const WRONG: readonly [name: string, text: string, plan: unknown, message: string][] = [
  [
    "a plan that is not there",
    OPTIONS.replace("plan.json", "other.json"),
    PLAN,
    "6:14: from.plan: expected a plan file that can be read, received other.json; paths are relative to the instance's file",
  ],
  [
    "a file that is no plan",
    OPTIONS,
    "shardproof: 1",
    "6:14: from.plan: expected a table-placement plan (shardproof plan --out), received plan.json, which is none that has a placement; name another file",
  ],
  [
    "a plan that has no placement",
    OPTIONS,
    { ...PLAN, devices: null, choices: null },
    "6:14: from.plan: expected a table-placement plan (shardproof plan --out), received plan.json, which is none that has a placement; name another file",
  ],
  [
    "a plan on more devices",
    OPTIONS,
    { ...PLAN, devices: [[], [], []] },
    "6:14: from.plan: expected a plan on 2 devices, as this instance has, received one on 3; name the plan's own instance (from.instance)",
  ],
  [
    "a plan without any of the tables",
    OPTIONS.replaceAll("name: b", "name: c").replaceAll("name: a", "name: d"),
    PLAN,
    "6:14: from.plan: expected a plan that has tables of this instance, received one that has none of them; name another plan",
  ],
  [
    "a plan with a device that there is not",
    OPTIONS,
    { ...PLAN, choices: { ...PLAN.choices, a: { ...PLAN.choices.a, ranks: [2] } } },
    '6:14: from.plan: expected devices from 0 to 1 for the shards of string "a", received 2; correct the plan',
  ],
  [
    "a limit without a plan",
    OPTIONS.replace("plan: plan.json, ", ""),
    PLAN,
    "6:7: from.plan: expected the plan that says where the tables are now: its file, or a sharding plan of TorchRec's itself, received nothing; add the key plan",
  ],
  [
    "an instance of the plan that is not there",
    OPTIONS.replace("mostMoved: 1", "instance: old.yaml"),
    PLAN,
    "6:35: from.instance: expected an instance file that can be read, received old.yaml; paths are relative to the instance's file",
  ],
  [
    "an instance of the plan that is none",
    OPTIONS.replace("mostMoved: 1", "instance: plan.json"),
    PLAN,
    "6:35: from.instance: expected an instance of table-placement, received plan.json, which is none; name another file",
  ],
  [
    "too few ranks",
    OPTIONS.replace("mostMoved: 1", "ranks: [0]"),
    PLAN,
    "6:32: from.ranks: expected 2 entries, one for each rank of the plan, received 1; give them all",
  ],
  [
    "a rank's device that there is not",
    OPTIONS.replace("mostMoved: 1", "ranks: [0, 2]"),
    PLAN,
    "6:36: from.ranks[1]: expected a device from 0 to 1, received 2; correct it",
  ],
  [
    "a device for two ranks",
    OPTIONS.replace("mostMoved: 1", "ranks: [0, 0]"),
    PLAN,
    "6:36: from.ranks[1]: expected each device once, received 0 again; correct it",
  ],
  [
    "phases that add up to something else",
    OPTIONS.replace("backwardComms: 2", "backwardComms: 1"),
    PLAN,
    "9:94: tables[0].options[0].shards[0][1].phases: expected phases that add up to the cost 3, received some that add up to 2; correct one of them",
  ],
  [
    "a shard without phases where they are the objective",
    OPTIONS.replace(/from: .*/, "objective: phases").replace(", phases: {prefetch: 1}", ""),
    PLAN,
    "12:88: tables[1].options[0].shards[0][1]: expected the phases of the shard's cost (forwardCompute, backwardCompute, forwardComms, backwardComms, prefetch), because the objective is phases, received nothing; add the key phases",
  ],
  [
    "phases of costs that have none",
    `${OPTIONS.split("tables:")[0]
      ?.replace("options", "given")
      .replace(/from: .*/, "objective: phases")}tables: [{name: a, cost: 1, bytes: 1}]\n`,
    PLAN,
    "6:12: objective: expected a cost model that knows phases (torchrec, or options that list them) beside the objective phases, received given; change one of the two",
  ],
  [
    "a second goal after phases",
    OPTIONS.replace(/from: .*/, "objective: phases\nthenMinimize: sum"),
    PLAN,
    "7:1: thenMinimize: expected a second goal beside the objective largest only, received it beside phases; leave it out, or change the objective",
  ],
  [
    "a second goal that there is not",
    OPTIONS.replace(/from: .*/, "thenMinimize: mean"),
    PLAN,
    '6:15: thenMinimize: expected one of sum, second-largest (a second goal, once the largest device cost is least: the sum of all device costs, or the second largest), received string "mean"',
  ],
];

test.each(WRONG)("%s is refused where it stands", (_, text, plan, message) => {
  let error: unknown;
  try {
    parse(text, plan);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toBe(`${FILE}:${message}`);
});
