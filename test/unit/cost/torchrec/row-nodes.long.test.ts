import { expect, test } from "vitest";
import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import { enumerateOptions, type TorchrecOption, type TorchrecShard } from "../../../../src/cost/torchrec/enumerate.js";
import { parseTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { readDocument } from "../../../../src/instance/document.js";
import { requireInstance } from "../../../../src/instance/reader.js";
import { shardingPlan } from "../../../../src/interop/torchrec/export-placement.js";
import { givenPlacement } from "../../../../src/interop/torchrec/given-placement.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";
import { bruteForcePlacement } from "../../../support/brute-force-placement.js";

/** table_row_wise options of a table of 103 rows on three hosts of two ranks. */
function optionsOf(key: string, flag = "multi_node_table_row_wise: true"): readonly TorchrecOption[] {
  const text = `topology: {world_size: 6, local_world_size: 2}
batch_size: 64
${flag}
tables:
  - {name: t, num_embeddings: 103, embedding_dim: 64, pooling_factors: [10], sharding_types: [table_row_wise], compute_kernels: [fused]${key}}
`;
  return enumerateOptions(parseTorchrecProblem(text, "f"))[0] as readonly TorchrecOption[];
}

test("one node is what the key says nothing of, with the flag and without", () => {
  const plain = optionsOf("", "is_inference: false");
  expect(optionsOf("")).toEqual(plain);
  expect(optionsOf(", num_nodes: 1")).toEqual(plain);
  expect(plain[0]?.partitionBy).toBe("host");
});

test("rows, ids and lookups divide among the ranks of all the nodes; what is communicated does not", () => {
  const [one, two] = optionsOf(", num_nodes: [1, 2, 2]") as [TorchrecOption, TorchrecOption];
  expect(optionsOf(", num_nodes: [1, 2, 2]").length).toBe(2);
  expect(two).toMatchObject({ shardingType: "table_row_wise", partitionBy: "multi_host", rowNodes: 2 });
  expect(one.shards.map(({ sizes }) => sizes[0])).toEqual([52, 51]);
  expect(two.shards.map(({ sizes }) => sizes[0])).toEqual([26, 26, 26, 25]);
  expect(two.shards.map(({ offsets }) => offsets[0])).toEqual([0, 26, 52, 78]);
  const [a, b] = [one.shards[0] as TorchrecShard, two.shards[0] as TorchrecShard];
  expect(b.perf.forwardComms).toBe(a.perf.forwardComms);
  expect(b.perf.backwardComms).toBe(a.perf.backwardComms);
  // Of 64 · 10 ids of six ranks each of two ranks has half, each of four a quarter: 8 bytes, and a row of 64 numbers.
  const perId = (8 + 64 * 4) / 963146416.128;
  expect(a.perf.forwardCompute - b.perf.forwardCompute).toBeCloseTo((3840 / 2 - 3840 / 4) * perId, 12);
  // The rows, a quarter of all ids of 8 bytes, and 64 samples' rows for each of six ranks.
  expect(b.hbmBytes).toBe(26 * 64 * 4 + (3840 / 4) * 8 + 64 * 6 * 64 * 4);
});

test("what cannot be used is refused in one line", () => {
  expect(() => optionsOf(", num_nodes: 4")).toThrow("expected at most 3, the nodes that there are, received 4");
  for (const given of ["0", "1.5", "[1, 0]", "[]", "two"]) {
    expect(() => optionsOf(`, num_nodes: ${given}`)).toThrow(/num_nodes(\[1\])?: expected [^\n]*$/);
  }
  expect(() => optionsOf(", num_nodes: 2", "")).toThrow(
    "num_nodes is proposed (torchrec#4681) and in no release; leave it out, or say multi_node_table_row_wise: true",
  );
  expect(() => optionsOf(", num_nodes: 2", "multi_node_table_row_wise: true\nversion: '1.8'")).toThrow(
    "received num_nodes, which is known from 1.9 on",
  );
});

test("a plan over several nodes is the best, on different nodes, and goes out to TorchRec and back", async () => {
  const text = `shardproof: 1
name: x
problem: table-placement
costModel: torchrec
cluster: {nodes: 3, gpusPerNode: 2, hbmBytesPerGpu: 130000}
torchrec: {batch_size: 16, multi_node_table_row_wise: true}
tables:
  - {name: a, num_embeddings: 2001, embedding_dim: 64, sharding_types: [table_row_wise], num_nodes: [1, 2, 3]}
  - {name: b, num_embeddings: 800, embedding_dim: 64, sharding_types: [table_row_wise], num_nodes: [1, 2]}
`;
  const instance = requireInstance(tablePlacementReader, parseInstance(text, "f"));
  const problem = placementProblem(instance);
  const plan = await planTablePlacement(instance, { gap: 0 });
  expect(plan.status).toBe("proved");
  expect(plan.exact.value).toBe(bruteForcePlacement(problem)?.largest.toString());
  const a = plan.choices?.a?.ranks as readonly number[];
  // One node has no room for half of it.
  expect(a.length).toBeGreaterThan(2);
  expect(new Set(a.map((rank) => Math.floor(rank / 2))).size).toBe(a.length / 2);
  const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  const exported = shardingPlan({ instance, problem, placement, method: plan.method, status: plan.status });
  const nodes = Object.values(exported.plan[""] ?? {}).map(({ num_nodes, ranks }) => [num_nodes, ranks.length]);
  expect(nodes[0]).toEqual([a.length / 2, a.length]);
  for (const [count, ranks] of nodes) expect(count).toBe((ranks as number) > 2 ? (ranks as number) / 2 : undefined);
  const document = readDocument(JSON.stringify(exported), "g");
  expect(givenPlacement(document, instance, problem)).toEqual(placement);
});
