import { describe, expect, test } from "vitest";
import { readDocument } from "../../../src/instance/document.js";
import { shardingPlan } from "../../../src/interop/torchrec/export-placement.js";
import { givenPlacement } from "../../../src/interop/torchrec/given-placement.js";
import type { SerializedSharding } from "../../../src/interop/torchrec/sharding-plan.js";
import { openPlacement, openTorchrec, placedPlan } from "./sharding-plan-support.js";

const TABLE = { num_embeddings: 10, embedding_dim: 256, sharding_types: ["row_wise", "column_wise", "data_parallel"] };

function opened(...names: string[]) {
  return openTorchrec({
    topology: { world_size: 4, local_world_size: 2 },
    tables: names.map((name) => ({ name, ...TABLE, compute_kernels: ["fused", "dense"] })),
  });
}

/** The entry of a table cut by columns onto ranks 1 and 2. */
const BY_COLUMNS: SerializedSharding = {
  sharding_type: "column_wise",
  compute_kernel: "fused",
  ranks: [1, 2],
  shards: [
    { shard_offsets: [0, 0], shard_sizes: [10, 128], placement: "rank:1/cuda:1" },
    { shard_offsets: [0, 128], shard_sizes: [10, 128], placement: "rank:2/cuda:0" },
  ],
};
const COPIES: SerializedSharding = {
  sharding_type: "data_parallel",
  compute_kernel: "dense",
  ranks: [0, 1, 2, 3],
  shards: null,
};

function read(plan: unknown, { instance, problem } = opened("t")) {
  return givenPlacement(readDocument(JSON.stringify(plan), "plan.json"), instance, problem);
}

test("a table's option is told by type and kernel, its devices are the ranks", () => {
  const { problem } = opened("t");
  const [choice] = read({ plan: { "sparse.ebc": { t: BY_COLUMNS } } }).choices;
  expect(choice?.devices).toEqual([1, 2]);
  expect(problem.tables[0]?.options[choice?.option as number]).toMatchObject({ shardingType: "column_wise" });
});

test("copies have no shards: null, none, an empty list, or all of them written out", () => {
  const { shards: _, ...without } = COPIES;
  const written = [0, 1, 2, 3].map((rank) => ({
    shard_offsets: [0, 0],
    shard_sizes: [10, 256],
    placement: `rank:${rank}/cuda:${rank % 2}`,
  }));
  const placements = [COPIES, without, { ...COPIES, shards: [] }, { ...COPIES, shards: written }].map((entry) =>
    read({ plan: { "": { t: entry } } }),
  );
  expect(placements[0]?.choices[0]?.devices).toEqual([0, 1, 2, 3]);
  for (const placement of placements) expect(placement).toEqual(placements[0]);
});

describe("names", () => {
  test("a table is found by its name, or by its name and module where several modules have it", () => {
    const plan = { plan: { m1: { t: BY_COLUMNS, u: COPIES }, "deep.m2": { t: COPIES } } };
    const choices = (...names: string[]) => read(plan, opened(...names)).choices.map(({ devices }) => devices.length);
    expect(choices("m1.t", "u", "deep.m2.t")).toEqual([2, 4, 4]);
    expect(choices("m2.t", "m1.u", "t")).toEqual([4, 4, 2]);
  });

  test("a name that two modules have says how to tell them apart", () => {
    expect(() => read({ plan: { m1: { t: BY_COLUMNS }, m2: { t: COPIES } } })).toThrow(
      /^plan\.json:1:\d+: plan\.m2\.t: expected the table t of the instance once, received it in plan\.m1\.t too; call the instance's tables m1\.t and m2\.t$/,
    );
  });

  test("tables that are in one of the two only are named", () => {
    expect(() => read({ plan: { m: { t: COPIES, uset: COPIES } } }, opened("t", "user"))).toThrow(
      /plan\.m\.uset: expected a table of the instance, .*, received string "uset"; did you mean user\?$/,
    );
    expect(() => read({ plan: { m: { t: COPIES } } }, opened("t", "user", "item"))).toThrow(
      /plan: expected every table of the instance, received none called user \(and 1 more\)/,
    );
  });
});

test.each<[string, unknown, RegExp]>([
  [
    "an option that there is not",
    { ...BY_COLUMNS, compute_kernel: "fused_uvm" },
    /sharding_type: expected one of data_parallel dense, column_wise fused, row_wise fused, received column_wise fused_uvm; the instance's compute_kernels of the table leave fused_uvm out; add it there/,
  ],
  [
    "a sharding type that the table's constraints do not name",
    { ...BY_COLUMNS, sharding_type: "table_wise" },
    /received table_wise fused; the instance's sharding_types of the table leave table_wise out; add it there/,
  ],
  [
    "a sharding type that TorchRec does not have",
    { ...BY_COLUMNS, sharding_type: "diagonal" },
    /received diagonal fused; TorchRec has no diagonal for embedding_bag_collection on cuda/,
  ],
  [
    "too few ranks",
    { ...BY_COLUMNS, ranks: [1] },
    /\.ranks: expected 2 ranks, the number of column_wise shards of the table, received 1/,
  ],
  [
    "a rank that there is not",
    { ...COPIES, ranks: [0, 1, 2, 4] },
    /\.ranks\[3\]: expected a rank from 0 to 3 \(2 × 2 devices\), received 4/,
  ],
  ["no shards", { ...BY_COLUMNS, shards: null }, /\.shards: expected a list of 2 shards, received none/],
  [
    "too few shards",
    { ...BY_COLUMNS, shards: BY_COLUMNS.shards?.slice(1) },
    /\.shards: expected 2 shards, one for each rank, received 1/,
  ],
  [
    "shards of another size",
    {
      ...BY_COLUMNS,
      shards: [{ ...BY_COLUMNS.shards?.[0], shard_sizes: [10, 64] }, BY_COLUMNS.shards?.[1]],
    },
    /\.shards\[0\]\.shard_sizes: expected \[10, 128\] at \[0, 0\], the size of shard 0 as TorchRec cuts the table column_wise, received \[10, 64\] at \[0, 0\]; correct the plan, or the table in the instance/,
  ],
  [
    "shards at another place",
    { ...BY_COLUMNS, shards: BY_COLUMNS.shards?.toReversed(), ranks: [2, 1] },
    /\.shards\[0\]\.shard_sizes: expected \[10, 128\] at \[0, 0\], .* received \[10, 128\] at \[0, 128\]; .* \(and 1 more\)$/,
  ],
  [
    "ranks and placements that differ",
    { ...BY_COLUMNS, ranks: [1, 3] },
    /\.shards\[1\]\.placement: expected rank:3\/…, the rank of shard 1, received string "rank:2\/cuda:0"/,
  ],
  ["an unknown key", { ...BY_COLUMNS, rank: [1] }, /plan\.m\.t\.rank: unknown key; did you mean ranks\?/],
  [
    "a missing key",
    { ...BY_COLUMNS, ranks: undefined },
    /plan\.m\.t\.ranks: expected the rank of each shard, received nothing; add the key ranks|plan\.m\.t\.ranks: expected a list/,
  ],
  ["no map", [], /plan\.m\.t: expected a map/],
])("an entry is refused: %s", (_what, entry, message) => {
  const refused = () => read({ plan: { m: { t: entry } } });
  expect(refused).toThrow(message);
  expect(refused).toThrow(/^plan\.json:1:\d+: /);
});

test("what is no sharding plan is refused", () => {
  expect(() => read({ plan: [] })).toThrow(
    "plan.json:1:9: plan: expected a map of module paths, received an empty list",
  );
  expect(() => read({ plan: { m: 1 } })).toThrow(/plan\.m: expected a map of tables, received 1/);
  expect(() => read({ plan: { m: { t: COPIES } }, version: 1 })).toThrow(
    /version: unknown key; the only one here is plan/,
  );
});

test("shards are not compared where the instance does not know the table's shape", () => {
  const listed = openPlacement({
    shardproof: 1,
    name: "listed",
    problem: "table-placement",
    costModel: "given",
    cluster: { nodes: 1, gpusPerNode: 2 },
    tables: [{ name: "t", cost: 1, bytes: 1 }],
  });
  const entry = {
    sharding_type: "table_wise",
    compute_kernel: "fused",
    ranks: [1],
    shards: [{ shard_offsets: [0, 0], shard_sizes: [7, 7], placement: "rank:1/cuda:1" }],
  };
  expect(read({ plan: { m: { t: entry } } }, listed)).toEqual({ choices: [{ option: 0, devices: [1] }] });
});

test("what is exported is read", () => {
  const plan = placedPlan(opened("t", "m.t"), {
    t: ["row_wise", "fused", [0, 1, 2, 3]],
    "m.t": ["column_wise", "fused", [0, 3]],
  });
  expect(read(shardingPlan(plan), plan)).toEqual(plan.placement);
});
