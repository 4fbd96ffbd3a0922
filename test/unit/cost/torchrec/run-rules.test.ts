import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tableOptions } from "../../../../src/cost/torchrec/enumerate.js";
import type { TorchrecTable } from "../../../../src/cost/torchrec/problem.js";
import { readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { brokenRules, needsDistinctRanks, RUN_RULES, runConditions } from "../../../../src/cost/torchrec/run-rules.js";

const TABLE = { name: "t", num_embeddings: 4000, embedding_dim: 64 };
const TOPOLOGY = { world_size: 4, local_world_size: 2 };

/** By rule, the options of a table that break it, as `type kernel`. */
function brokenOf(table: object, problem: object = {}): Record<string, string[]> {
  const read = readTorchrecProblem({ topology: TOPOLOGY, tables: [{ ...TABLE, ...table }], ...problem });
  const own = read.tables[0] as TorchrecTable;
  const found: Record<string, string[]> = {};
  for (const option of tableOptions(read, own)) {
    for (const { rule } of brokenRules(read, own, option)) {
      found[rule.name] = [...(found[rule.name] ?? []), `${option.shardingType} ${option.kernel}`];
    }
  }
  return found;
}

const VIRTUAL = ["ssd_virtual_table", "dram_virtual_table", "dram_ssd_virtual_table"];

test("every rule is in the documentation's table, and in no other words of it", () => {
  const page = readFileSync("docs/torchrec.md", "utf8");
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| .* \| (.+) \|$/gm)].map(([, name]) => name);
  for (const { name } of RUN_RULES) expect(rows).toContain(name);
});

test("what TorchRec's module or planner refuses breaks the rule of its name, and only that", () => {
  const only = (sharding_types: string[], compute_kernels: string[]) => ({ sharding_types, compute_kernels });
  expect(brokenOf({})).toEqual({});
  expect(Object.keys(brokenOf({ embedding_dim: 10 }))).toEqual(["columns-by-four"]);
  // Dense is no fused kernel.
  expect(brokenOf({ embedding_dim: 10 })["columns-by-four"]).not.toContain("data_parallel dense");
  expect(Object.keys(brokenOf({ embedding_dim: 2052, min_partition: 2052 }))).toEqual(["row-width"]);
  // Its columns are cut narrow enough.
  expect(brokenOf({ embedding_dim: 4096, ...only(["column_wise"], ["fused"]) })).toEqual({});
  expect(brokenOf({ embedding_dim: 4096, ...only(["column_wise"], ["key_value"]) })).toEqual({
    "column-ranks": ["column_wise key_value"],
  });
  const buckets = { total_num_buckets: 2, ...only(["row_wise"], ["fused"]) };
  expect(brokenOf(buckets)).toEqual({ "fewer-buckets": ["row_wise fused"] });
  expect(brokenOf({ ...buckets, total_num_buckets: 10 })).toEqual({});
  expect(brokenOf({ ...buckets, total_num_buckets: 10 }, { is_inference: true })).toEqual({
    "even-buckets-in-inference": ["row_wise fused"],
  });
  expect(brokenOf({ ...only(["row_wise"], VIRTUAL) })).toEqual({
    "virtual-buckets": VIRTUAL.map((kernel) => `row_wise ${kernel}`),
    "pooled-dram-ssd": ["row_wise dram_ssd_virtual_table"],
  });
  // 4,000 rows; those cut by rows are refused where they are read.
  expect(brokenOf({ total_num_buckets: 7, ...only(["table_wise"], ["ssd_virtual_table"]) })).toEqual({
    "virtual-buckets": ["table_wise ssd_virtual_table"],
  });
  const sequence = { is_pooled: false, total_num_buckets: 8, ...only(["row_wise"], VIRTUAL) };
  expect(brokenOf(sequence)).toEqual({});
  for (const cache_load_factor of [0, 1]) {
    expect(Object.keys(brokenOf({ cache_load_factor }))).toEqual(["cache-share"]);
  }
  expect(brokenOf({ cache_load_factor: 0.5 })).toEqual({});
});

test("of a release that answers wrongly narrower rows are refused, of others they are noted", () => {
  const wide = { embedding_dim: 1536, sharding_types: ["table_wise"], compute_kernels: ["fused"] };
  expect(brokenOf(wide, { version: "1.4" })).toEqual({ "row-width": ["table_wise fused"] });
  expect(brokenOf(wide)).toEqual({});
  const read = readTorchrecProblem({ topology: TOPOLOGY, tables: [{ ...TABLE, ...wide }] });
  const told = runConditions(read, read.tables[0] as TorchrecTable, { shardingType: "table_wise", kernel: "fused" });
  expect(told).toEqual([expect.stringContaining("rows of 1536 elements")]);
});

test("column shards of stores of keys and values take a rank each, others none of their own", () => {
  expect(needsDistinctRanks({ shardingType: "column_wise", kernel: "key_value" })).toBe(true);
  expect(needsDistinctRanks({ shardingType: "table_column_wise", kernel: "dram_virtual_table" })).toBe(true);
  expect(needsDistinctRanks({ shardingType: "column_wise", kernel: "fused_uvm" })).toBe(false);
  expect(needsDistinctRanks({ shardingType: "row_wise", kernel: "key_value" })).toBe(false);
});

test("bytes beside the elements of rows count where the rows are, in every shard that has them", () => {
  const bytesOf = (table: object, problem: object = {}) => {
    const read = readTorchrecProblem({ topology: TOPOLOGY, tables: [{ ...TABLE, ...table }], ...problem });
    return tableOptions(read, read.tables[0] as TorchrecTable).map(({ shards }) =>
      shards.map(({ hbmBytes, hostBytes, ssdBytes }) => [hbmBytes, hostBytes, ssdBytes]),
    );
  };
  const more = (table: object, problem: object = {}) => {
    const [before, after] = [bytesOf(table, problem), bytesOf({ ...table, extraBytesPerRow: 17 }, problem)];
    return after[0]?.map((shard, k) => shard.map((bytes, m) => bytes - (before[0]?.[k]?.[m] as number)));
  };
  const one = (type: string, kernel: string) => ({ sharding_types: [type], compute_kernels: [kernel] });
  expect(more(one("table_wise", "fused"))).toEqual([[17 * 4000, 0, 0]]);
  expect(more(one("table_wise", "fused_uvm"))).toEqual([[0, 17 * 4000, 0]]);
  expect(more({ ...one("column_wise", "fused"), min_partition: 32 })).toEqual(new Array(2).fill([17 * 4000, 0, 0]));
  expect(more(one("row_wise", "fused"))).toEqual(new Array(4).fill([17 * 1000, 0, 0]));
  // A cache of a quarter of the rows, and the rows themselves.
  expect(more({ ...one("table_wise", "fused_uvm_caching"), cache_load_factor: 0.25 })).toEqual([
    [17 * 1000, 17 * 4000, 0],
  ]);
  const virtual = { ...one("row_wise", "dram_virtual_table"), total_num_buckets: 4 };
  expect(more(virtual)).toEqual(new Array(4).fill([0, 0, 0]));
  expect(more(virtual, { countVirtual: true })).toEqual(new Array(4).fill([0, 17 * 1000, 0]));
  const [row] = bytesOf({ ...virtual, compute_kernels: ["ssd_virtual_table"] }, { countVirtual: true });
  expect(row?.[0]?.slice(1)).toEqual([0, 1000 * 64 * 4]);
});
