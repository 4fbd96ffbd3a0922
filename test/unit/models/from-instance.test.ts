import { expect, test } from "vitest";
import { placementModel, placementProblem } from "../../../models/table-placement/from-instance.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { recordedPlacements } from "../../conformance/torchrec/recorded.js";

function instanceOf(text: string) {
  return requireInstance(tablePlacementReader, parseInstance(text, "f"));
}

const head = (costModel: string, cluster: string) => `shardproof: 1
name: x
problem: table-placement
costModel: ${costModel}
cluster: {${cluster}}
`;

test("shards are written out in order, and options without a place are left out", () => {
  const text = `${head("options", "nodes: 2, gpusPerNode: 2, hbmBytesPerGpu: 9")}tables:
  - name: a
    options:
      - {shardingType: grid_shard, partitionBy: multi_host, shards: [[6, {cost: 1}]]}
      - {shardingType: row_wise, partitionBy: uniform, shards: [[3, {cost: 2, hbmBytes: 5}], [1, {cost: 2}]]}
      - {shardingType: row_wise, partitionBy: uniform, shards: [[5, {cost: 1}]]}
      - {shardingType: grid_shard, partitionBy: multi_host, shards: [[3, {cost: 1}]]}
      - {shardingType: grid_shard, kernel: fused_uvm, partitionBy: multi_host, shards: [[4, {cost: 1, hostBytes: 7}]]}
`;
  const { tables, ...rest } = placementProblem(instanceOf(text));
  expect(rest).toEqual({
    name: "x",
    nodes: 2,
    gpusPerNode: 2,
    hbmBytes: [9, 9, 9, 9],
    hostBytes: null,
    hostIsPooled: false,
    together: [],
    apart: [],
    leftOut: [{ options: 2, tables: ["a"], reason: "a number of shards for which the devices have no places" }],
  });
  const large = { cost: 2, hbmBytes: 5, hostBytes: 0 };
  const small = { cost: 2, hbmBytes: 0, hostBytes: 0 };
  const held = { cost: 1, hbmBytes: 0, hostBytes: 7 };
  const plain = { cost: 1, hbmBytes: 0, hostBytes: 0 };
  expect(tables[0]?.options).toEqual([
    { shardingType: "grid_shard", kernel: "fused", partitionBy: "multi_host", shards: new Array(6).fill(plain) },
    { shardingType: "row_wise", kernel: "fused", partitionBy: "uniform", shards: [large, large, large, small] },
    { shardingType: "grid_shard", kernel: "fused_uvm", partitionBy: "multi_host", shards: [held, held, held, held] },
  ]);
});

test("groups become indices, and groups that share a table are one", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const text = `${head("given", "nodes: 1, gpusPerNode: 2")}tables: [${names.map((name) => `{name: ${name}, cost: 1, bytes: 1}`).join(", ")}]
together: [[f, b], [d, c], [b, e]]
apart: [[c, a], [a, b]]
`;
  const { together, apart, hbmBytes } = placementProblem(instanceOf(text));
  expect(together).toEqual([
    [2, 3],
    [1, 4, 5],
  ]);
  expect(apart).toEqual([
    [2, 0],
    [0, 1],
  ]);
  expect(hbmBytes).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
});

test("bytes that doubles cannot add exactly are refused", () => {
  const bytes = Number.MAX_SAFE_INTEGER;
  const text = `${head("given", "nodes: 1, gpusPerNode: 2")}tables: [{name: a, cost: 1, bytes: ${bytes}}, {name: b, cost: 1, bytes: 1}]\n`;
  expect(() => placementProblem(instanceOf(text))).toThrow(
    "f: expected bytes that add up to less than 2^53, received 9007199254740992 in all; give rows and bytes in a larger unit",
  );
});

test("an error in TorchRec's words has its place in the instance", () => {
  const text = `${head("torchrec", "nodes: 1, gpusPerNode: 2")}torchrec: {batch_size: 512, pipeline_typ: none}
tables: [{name: a, num_embeddings: 5, embedding_dim: 4}]
`;
  expect(() => placementProblem(instanceOf(text))).toThrow(
    /^f:6:29: torchrec\.pipeline_typ: unknown key; did you mean pipeline_type\?$/,
  );
  const kernel = text.replace(", pipeline_typ: none", "").replace("dim: 4", "dim: 4, compute_kernels: [quant]");
  expect(() => placementProblem(instanceOf(kernel))).toThrow(
    /^f: table a: expected sharding_types and compute_kernels/,
  );
});

const withSpace = recordedPlacements.find(({ id }) => id === "one_host_4_all");

test("the options of a TorchRec instance are those that its planner enumerates, with their phases", () => {
  if (withSpace?.space === undefined) throw new Error("the recorded problem is gone");
  const { topology, batch_size, devices, tables, space } = withSpace;
  const text = JSON.stringify({
    shardproof: 1,
    name: "x",
    problem: "table-placement",
    costModel: "torchrec",
    torchrec: { topology, batch_size, devices },
    tables,
  });
  const { problem, phases, tables: named } = placementModel(instanceOf(text));
  expect(problem.hbmBytes).toEqual(devices?.map(({ hbm }) => hbm));
  expect(problem.hostBytes).toEqual(devices?.map(({ ddr }) => ddr));
  expect(problem.tables).toHaveLength(tables.length);
  for (const [t, { name, options }] of problem.tables.entries()) {
    expect(named[t]?.name).toBe(name);
    const key = (type: string, kernel: string) => `${type} ${kernel}`;
    const theirs = new Map(
      space[name]?.map((option) => [
        key(option.sharding_type, option.kernel),
        option.shards_rle.flatMap(([count, { perf, hbm, ddr }]) =>
          Array.from({ length: count }, () => ({ cost: perf, hbmBytes: hbm, hostBytes: ddr })),
        ),
      ]),
    );
    expect(options).toHaveLength(theirs.size);
    for (const [o, { shardingType, kernel, shards }] of options.entries()) {
      expect(shards).toEqual(theirs.get(key(shardingType, kernel)));
      const [first] = shards;
      const sum = phases?.(t, o, 0).reduce((total, phase) => total + phase);
      expect(sum).toBe(first?.cost);
    }
  }
});
