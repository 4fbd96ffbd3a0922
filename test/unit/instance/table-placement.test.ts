import { expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";

const GIVEN = `shardproof: 1
name: x
problem: table-placement
costModel: given
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 100.5}
tables:
  - {name: a, cost: 1.5, bytes: 10}
  - {name: b, cost: 2, bytes: 20}
`;

function parse(text: string) {
  return requireInstance(tablePlacementReader, parseInstance(text, "f"));
}

test("the shortest instance has every default filled in, and whole bytes", () => {
  expect(parse(GIVEN)).toEqual({
    problem: "table-placement",
    name: "x",
    cluster: {
      ...{ nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: [100, 100] },
      ...{ hostBytesPerGpu: null, hostIsPooled: false, ssdBytesPerGpu: null },
    },
    costModel: { kind: "given" },
    costUnit: null,
    splits: null,
    tables: [
      { name: "a", kind: "options", devices: null, features: null, options: [wholeTable(1.5, 10)] },
      { name: "b", kind: "options", devices: null, features: null, options: [wholeTable(2, 20)] },
    ],
    together: [],
    apart: [],
    objective: "largest",
    thenMinimize: null,
    goals: null,
    from: null,
    torchrec: null,
    file: "f",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

function wholeTable(cost: number, hbmBytes: number) {
  return {
    shardingType: "table_wise",
    kernel: "fused",
    partitionBy: "device",
    shards: [[1, { cost, hbmBytes, hostBytes: 0 }]],
  };
}

test("memory may differ by device, and a node's host memory is shared out whole", () => {
  const cluster = (fields: string) =>
    parse(GIVEN.replace(/cluster:.*/, `cluster: {nodes: 2, gpusPerNode: 3, ${fields}}`)).cluster;
  expect(cluster("hbmBytesPerGpu: [1, 2, 3, 4, 5, 6]").hbmBytesPerGpu).toEqual([1, 2, 3, 4, 5, 6]);
  expect(cluster("hostBytesPerGpu: 7")).toMatchObject({ hostBytesPerGpu: [7, 7, 7, 7, 7, 7], hostIsPooled: false });
  expect(cluster("hostBytesPerGpu: 7, hostIsPooled: true").hostIsPooled).toBe(true);
  expect(cluster("hostBytesPerNode: 8")).toEqual({
    nodes: 2,
    gpusPerNode: 3,
    hbmBytesPerGpu: null,
    hostBytesPerGpu: [3, 3, 2, 3, 3, 2],
    hostIsPooled: true,
    ssdBytesPerGpu: null,
  });
  expect(cluster("ssdBytesPerGpu: 9").ssdBytesPerGpu).toEqual([9, 9, 9, 9, 9, 9]);
});

test("a table has its features where the file gives its rows and width", () => {
  const text = GIVEN.replace("bytes: 10", "bytes: 10, rows: 5, dim: 4, dataType: fp16, poolingFactor: 2.5");
  const [a, b] = parse(text).tables;
  expect(a?.features).toEqual({
    rows: 5,
    dim: 4,
    dataType: "fp16",
    elementBytes: 2,
    poolingFactor: 2.5,
    accessBins: null,
  });
  expect(b?.features).toBeNull();
});

test("a TorchRec problem gets the cluster's ranks and memory, and tables in its words, with the file's places", () => {
  const { torchrec } = parse(`shardproof: 1
name: x
problem: table-placement
costModel: torchrec
cluster: {nodes: 2, gpusPerNode: 4, hbmBytesPerGpu: 10, hostBytesPerGpu: 20}
torchrec: {batch_size: 64, topology: {inter_host_bw: 5}}
tables:
  - {name: a, num_embeddings: 7, embedding_dim: 8, devices: [3]}
  - {name: b, rows: 9, dim: 4, dataType: bf16, poolingFactor: 3}
`);
  expect(torchrec?.value).toEqual({
    batch_size: 64,
    runnable: true,
    countVirtual: false,
    topology: { world_size: 8, local_world_size: 4, inter_host_bw: 5 },
    devices: Array.from({ length: 8 }, () => ({ hbm: 10, ddr: 20 })),
    tables: [
      { name: "a", num_embeddings: 7, embedding_dim: 8 },
      { name: "b", num_embeddings: 9, embedding_dim: 4, dtype: "BF16", pooling_factors: [3] },
    ],
  });
  expect(torchrec?.placeOf(["topology", "inter_host_bw"])).toEqual({ line: 6, column: 54 });
  expect(torchrec?.placeOf(["tables", 0, "embedding_dim"])).toEqual({ line: 8, column: 49 });
});

test("without a cluster, TorchRec's topology says what the devices are", () => {
  const text = (topology: string) => `shardproof: 1
name: x
problem: table-placement
costModel: torchrec
torchrec: {topology: ${topology}}
tables: [{name: a, num_embeddings: 7, embedding_dim: 8}]
`;
  const shape = (topology: string) => {
    const { nodes, gpusPerNode } = parse(text(topology)).cluster;
    return [nodes, gpusPerNode];
  };
  expect(shape("{world_size: 4}")).toEqual([1, 4]);
  expect(shape("{world_size: 8, local_world_size: 2}")).toEqual([4, 2]);
  expect(shape("{world_size: 8, local_world_size: 2, pod_size: 2}")).toEqual([2, 4]);
});

const OPTIONS = `shardproof: 1
name: x
problem: table-placement
costModel: options
cluster: {nodes: 2, gpusPerNode: 2}
tables:
  - name: a
    options:
      - {shardingType: row_wise, partitionBy: uniform, shards: [[4, {cost: 1}]]}
`;

const LOOKUP = `shardproof: 1
name: x
problem: table-placement
costModel: lookup
cluster: {nodes: 1, gpusPerNode: 2}
tables:
  - {name: a, rows: 5, dim: 4, poolingFactor: 1}
`;

const TORCHREC = `shardproof: 1
name: x
problem: table-placement
costModel: torchrec
cluster: {nodes: 1, gpusPerNode: 2}
torchrec: {topology: {world_size: 2}}
tables:
  - {name: a, num_embeddings: 5, embedding_dim: 4}
`;

/** [what is wrong, the text, the change, what is said]. */
const WRONG: readonly [string, string, [string | RegExp, string], string][] = [
  [
    "no cost model",
    GIVEN,
    ["costModel: given\n", ""],
    "1:1: costModel: expected given, options, torchrec, size, dim, lookup, size-lookup or {neural: FILE} (what a shard costs its device), received nothing; add the key costModel",
  ],
  [
    "an unknown cost model",
    GIVEN,
    ["costModel: given", "costModel: cost"],
    '4:12: costModel: expected given, options, torchrec, size, dim, lookup, size-lookup or {neural: FILE} (what a shard costs its device), received string "cost"; choose one of them',
  ],
  [
    "tables that a cost network does not see enough of",
    LOOKUP,
    ["costModel: lookup", "costModel: {neural: net.json}"],
    "7:5: tables[0].accessBins: expected AutoShard's 17 shares of distinct indices, because the cost model neural uses them, received nothing; add the key accessBins",
  ],
  [
    "a misspelt key",
    GIVEN,
    ["cost: 1.5", "costs: 1.5"],
    "7:15: tables[0].costs: unknown key; did you mean cost? (and 1 more)",
  ],
  [
    "a negative cost",
    GIVEN,
    ["cost: 2,", "cost: -2,"],
    "8:21: tables[1].cost: expected a finite number of at least 0 (what the table costs its device), received -2",
  ],
  [
    "part of a byte",
    GIVEN,
    ["bytes: 20", "bytes: 20.5"],
    "8:31: tables[1].bytes: expected an integer (bytes of the table on its device), received 20.5",
  ],
  [
    "a name twice",
    GIVEN,
    ["name: b", "name: a"],
    '8:12: tables[1].name: expected a name used once, received string "a", which tables[0] has too; rename one',
  ],
  [
    "memory of too few devices",
    GIVEN,
    ["100.5", "[100]"],
    "5:53: cluster.hbmBytesPerGpu: expected 2 entries, one for each device, received 1; give them all, or one number for all",
  ],
  [
    "host memory twice",
    GIVEN,
    ["100.5", "100, hostBytesPerGpu: 1, hostBytesPerNode: 2"],
    "5:78: cluster.hostBytesPerNode: expected hostBytesPerGpu or hostBytesPerNode, received both; keep one",
  ],
  [
    "more devices than memory for a list of them",
    GIVEN,
    ["nodes: 1", "nodes: 9007199254740991"],
    "5:18: cluster.nodes: expected at most 65536 devices, received 9007199254740991 nodes of 2 GPUs; correct nodes or gpusPerNode",
  ],
  [
    "a device that there is not",
    GIVEN,
    ["bytes: 10", "bytes: 10, devices: [0, 2]"],
    "7:50: tables[0].devices[1]: expected a device from 0 to 1 (1 × 2), received 2; correct it",
  ],
  [
    "a device twice",
    GIVEN,
    ["bytes: 10", "bytes: 10, devices: [1, 1]"],
    "7:50: tables[0].devices[1]: expected each device once, received 1 again; remove it",
  ],
  [
    "a group with a stranger",
    GIVEN,
    [/$/, "apart: [[a, c]]\n"],
    '9:13: apart[0][1]: expected the name of a table, received string "c"; correct it',
  ],
  [
    "a group with one table twice",
    GIVEN,
    [/$/, "together: [[a, a]]\n"],
    '9:16: together[0][1]: expected each table once, received string "a" again; remove it',
  ],
  ["a group of one", GIVEN, [/$/, "together: [[a]]\n"], "9:12: together[0]: expected 2 entries, received a list of 1"],
  [
    "splits of tables without columns",
    GIVEN,
    [/$/, "splits: {columns: true, maxShardsPerTable: 2}\n"],
    "9:1: splits: unknown key; known here: shardproof, name, problem, source, cluster, training, costUnit, together, apart, goals, objective, thenMinimize, from, costModel, tables",
  ],
  [
    "an unknown partition",
    OPTIONS,
    ["partitionBy: uniform", "partitionBy: row"],
    '9:47: tables[0].options[0].partitionBy: expected one of device, uniform, host, multi_host (where its shards may go), received string "row"',
  ],
  [
    "options without a place",
    OPTIONS,
    ["[[4,", "[[5,"],
    "9:7: tables[0].options: expected an option whose shards have a place on 2 × 2 devices (uniform, and distinctDevices: at most as many as devices; multi_host: whole groups of gpusPerNode), received none; correct the counts",
  ],
  [
    "more shards than anybody has",
    OPTIONS,
    ["[[4,", "[[4000000000,"],
    "9:64: tables[0].options[0].shards: expected at most 65536 shards, received more; correct the counts",
  ],
  [
    "look-ups without a pooling factor",
    LOOKUP,
    [", poolingFactor: 1", ""],
    "7:5: tables[0].poolingFactor: expected the mean look-ups per sample, because the cost model lookup uses them, received nothing; add the key poolingFactor",
  ],
  [
    "too few bins",
    LOOKUP,
    ["poolingFactor: 1", "poolingFactor: 1, accessBins: [1]"],
    "7:62: tables[0].accessBins: expected 17 entries (AutoShard's 17 shares of distinct indices), received a list of 1",
  ],
  [
    "ranks that are not the cluster's",
    TORCHREC,
    ["world_size: 2", "world_size: 4"],
    "6:35: torchrec.topology.world_size: expected 2, the devices of cluster, received 4; leave it out, or change one of the two",
  ],
  [
    "no ranks at all",
    TORCHREC,
    [/cluster:.*\ntorchrec:.*/, "torchrec: {}"],
    "5:11: torchrec.topology.world_size: expected the number of ranks, received nothing; add the key world_size, or cluster with nodes and gpusPerNode",
  ],
  [
    "the memory of devices twice",
    TORCHREC,
    [/gpusPerNode: 2\}\n.*/, "gpusPerNode: 2, hbmBytesPerGpu: 1}\ntorchrec: {devices: [{hbm: 1}, {hbm: 1}]}"],
    "6:12: torchrec.devices: expected the memory of the devices once, received it in cluster too; keep one of the two",
  ],
  [
    "a plain table with a key of TorchRec's",
    TORCHREC,
    ["num_embeddings: 5, embedding_dim: 4", "rows: 5, dim: 4, dtype: FP16"],
    "8:32: tables[0].dtype: unknown key; known here: name, devices, distinctDevices, rows, dim, dataType, poolingFactor, accessBins, extraBytesPerRow, access",
  ],
];

test.each(WRONG)("%s is refused where it stands", (_, text, [from, to], message) => {
  const wrong = text.replace(from, to);
  expect(wrong).not.toBe(text);
  const error = thrownBy(() => parse(wrong));
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toBe(`f:${message}`);
});

test("row tiers are no table placement", () => {
  expect(() => requireInstance(tablePlacementReader, parseInstance(ROW_TIERS, "f"))).toThrow(
    "f: expected an instance of table-placement, received one of row-tiers",
  );
});

const ROW_TIERS = `{"shardproof": 1, "name": "x", "problem": "row-tiers", "tiers": ["row_wise"],
  "cluster": {"nodes": 1, "gpusPerNode": 1, "bandwidth": {"allToAllGlobal": 1}},
  "training": {"batchPerGpu": 1, "replicaMemoryFactor": 6},
  "tables": [{"name": "t", "rows": 1, "dim": 4, "access": {"histogram": [[1, 1]]}}]}`;

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
