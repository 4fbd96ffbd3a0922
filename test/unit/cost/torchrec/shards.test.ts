import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TORCHREC_CONSTANTS } from "../../../../src/cost/torchrec/constants.js";
import { readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { SHARDING_TYPES, type ShardingType } from "../../../../src/cost/torchrec/sharding-types.js";
import { type ShardShape, shardShapes } from "../../../../src/cost/torchrec/shards.js";

describe("rows", () => {
  test.each([
    [10, 4, [3, 3, 3, 1]],
    [5, 4, [2, 2, 1, 0]],
    [8, 4, [2, 2, 2, 2]],
    [1, 4, [1, 0, 0, 0]],
  ])("%d rows over %d ranks", (rows, ranks, expected) => {
    expect(rowsOf(shapes({ rows, dim: 4, ranks }, "row_wise"))).toEqual(expected);
  });

  test("follow the ranks' capacities, and the last rank has what is over", () => {
    const hbm_cap = [4, 4, 1, 1];
    expect(rowsOf(shapes({ rows: 101, dim: 4, ranks: 4, topology: { hbm_cap } }, "row_wise"))).toEqual([
      40, 40, 10, 11,
    ]);
  });

  test("are cut between buckets, and the first ranks have one more", () => {
    const table = { total_num_buckets: 6 };
    expect(rowsOf(shapes({ rows: 60, dim: 4, ranks: 4, table }, "row_wise"))).toEqual([20, 20, 10, 10]);
  });

  test("buckets that do not divide them are refused", () => {
    const table = { total_num_buckets: 7 };
    expect(() => shapes({ rows: 60, dim: 4, ranks: 4, table }, "row_wise")).toThrow(
      "table t: expected buckets that divide its 60 rows, received 7; change total_num_buckets",
    );
  });

  test("of table_row_wise divide inside one NVLink domain", () => {
    const topology = { local_world_size: 2, pod_size: 2 };
    expect(rowsOf(shapes({ rows: 10, dim: 4, ranks: 8, topology }, "table_row_wise"))).toEqual([3, 3, 3, 1]);
  });
});

describe("columns", () => {
  test.each([
    [256, undefined, [128, 128]],
    [384, undefined, [128, 128, 128]],
    [128, undefined, [128]],
    [100, undefined, [100]],
    // 130 divides 260 and is no multiple of 4.
    [260, undefined, [260]],
    [64, 16, [16, 16, 16, 16]],
    [64, 17, [32, 32]],
    [40, 80, [40]],
  ])("of a table %d wide, at least %s", (dim, min_partition, expected) => {
    const table = min_partition === undefined ? {} : { min_partition };
    const columns = shapes({ rows: 3, dim, ranks: 2, table }, "column_wise").map(({ sizes }) => sizes[1]);
    expect(columns).toEqual(expected);
  });
});

test("a grid has its blocks of columns outside and its blocks of rows inside", () => {
  const topology = { local_world_size: 2 };
  expect(shapes({ rows: 5, dim: 256, ranks: 4, topology }, "grid_shard")).toEqual([
    { offsets: [0, 0], sizes: [3, 128] },
    { offsets: [3, 0], sizes: [2, 128] },
    { offsets: [0, 128], sizes: [3, 128] },
    { offsets: [3, 128], sizes: [2, 128] },
  ]);
});

test("the shards of a table cover it once, or data_parallel once on every rank", () => {
  const sizes = fc.record({
    rows: fc.integer({ min: 1, max: 40 }),
    dim: fc.integer({ min: 1, max: 40 }),
    ranks: fc.integer({ min: 1, max: 6 }),
    table: fc.record({ min_partition: fc.integer({ min: 1, max: 40 }) }),
  });
  fc.assert(
    fc.property(sizes, fc.constantFrom(...SHARDING_TYPES), (problem, shardingType) => {
      const covered = new Map<string, number>();
      for (const { offsets, sizes } of shapes(problem, shardingType)) {
        for (let row = 0; row < sizes[0]; row++) {
          for (let column = 0; column < sizes[1]; column++) {
            const cell = `${offsets[0] + row},${offsets[1] + column}`;
            covered.set(cell, (covered.get(cell) ?? 0) + 1);
          }
        }
      }
      expect(covered.size).toBe(problem.rows * problem.dim);
      const times = shardingType === "data_parallel" ? problem.ranks : 1;
      expect([...covered.values()].every((count) => count === times)).toBe(true);
    }),
    { seed: 11, numRuns: 300 },
  );
});

function rowsOf(shards: readonly ShardShape[]): number[] {
  return shards.map(({ sizes }) => sizes[0]);
}

interface Sizes {
  readonly rows: number;
  readonly dim: number;
  readonly ranks: number;
  readonly topology?: object;
  readonly table?: object;
}

function shapes({ rows, dim, ranks, topology, table }: Sizes, shardingType: ShardingType): readonly ShardShape[] {
  const problem = readTorchrecProblem({
    topology: { world_size: ranks, ...topology },
    tables: [{ name: "t", num_embeddings: rows, embedding_dim: dim, ...table }],
  });
  const [first] = problem.tables;
  if (!first) throw new Error("no table");
  return shardShapes(first, shardingType, problem.topology, TORCHREC_CONSTANTS);
}
