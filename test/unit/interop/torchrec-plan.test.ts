import fc from "fast-check";
import { expect, test } from "vitest";
import type { RowTiersInstance } from "../../../src/instance/types/row-tiers.js";
import type { ExportablePlan } from "../../../src/interop/exportable.js";
import { torchrecPlan } from "../../../src/interop/torchrec/export-plan.js";
import type { ParameterSharding, ShardMetadata } from "../../../src/interop/torchrec/sharding.js";
import { instanceOf, planOf, randomRuns, sumOf } from "./support.js";

function cluster(nodes: number, gpusPerNode: number): Partial<RowTiersInstance> {
  const { cluster: base } = instanceOf([]);
  return { cluster: { ...base, nodes, gpusPerNode } };
}

const randomPlans: fc.Arbitrary<ExportablePlan> = fc
  .record({
    tables: fc.array(fc.tuple(randomRuns, fc.constantFrom(4, 6, 12, 64, 256)), { minLength: 1, maxLength: 4 }),
    nodes: fc.integer({ min: 1, max: 4 }),
    gpusPerNode: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ tables, nodes, gpusPerNode }) => {
    const rows = tables.map(([runs, dim], index) => ({ name: `t${index}`, rows: sumOf(runs.map(([n]) => n)), dim }));
    return planOf(
      instanceOf(rows, cluster(nodes, gpusPerNode)),
      tables.map(([runs]) => runs),
    );
  });

test("the shards of every table tile it, one per rank, on GPUs that there are", () => {
  fc.assert(
    fc.property(randomPlans, (plan) => {
      const { embedding_bag_configs, plan: modules, parallelism } = torchrecPlan(plan);
      const placed = Object.entries(modules).flatMap(([path, tables]) =>
        Object.entries(tables).map(([name, sharding]) => ({ path, name, sharding })),
      );
      expect(placed.map(({ name }) => name).sort()).toEqual(embedding_bag_configs.map(({ name }) => name).sort());
      for (const { path, name, sharding } of placed) {
        const config = embedding_bag_configs.find((one) => one.name === name);
        const module = path.split(".")[0] as "global" | "flex";
        const wrapped = parallelism[module];
        const gpus = wrapped?.sharding_group_size ?? wrapped?.world_size ?? 0;
        for (const rank of sharding.ranks) expect(rank).toBeLessThan(gpus);
        expect(new Set(sharding.ranks).size).toBe(sharding.ranks.length);
        if (sharding.sharding_spec === null) {
          expect(sharding).toMatchObject({ sharding_type: "data_parallel", compute_kernel: "dense" });
          expect(sharding.ranks).toHaveLength(gpus);
          continue;
        }
        const { shards } = sharding.sharding_spec;
        requireTiling(shards, config?.num_embeddings ?? 0, config?.embedding_dim ?? 0);
        expect(shards.map(({ placement }) => placement)).toEqual(
          sharding.ranks.map((rank) => `rank:${rank}/cuda:${rank % plan.instance.cluster.gpusPerNode}`),
        );
      }
    }),
  );
});

/** Every element of [rows, columns] is in exactly one shard. */
function requireTiling(shards: readonly ShardMetadata[], rows: number, columns: number): void {
  const inside = ({ shard_offsets: [row, column], shard_sizes: [height, width] }: ShardMetadata): boolean =>
    row >= 0 && column >= 0 && row + height <= rows && column + width <= columns;
  expect(shards.every(inside)).toBe(true);
  expect(sumOf(shards.map(({ shard_sizes: [height, width] }) => height * width))).toBe(rows * columns);
  const overlap = (a: ShardMetadata, b: ShardMetadata): boolean =>
    [0, 1].every((axis) => {
      const [from, to] = [a, b].map((shard) => shard.shard_offsets[axis] as number) as [number, number];
      const [fromSize, toSize] = [a, b].map((shard) => shard.shard_sizes[axis] as number) as [number, number];
      return from < to + toSize && to < from + fromSize;
    });
  shards.forEach((shard, k) => {
    for (const other of shards.slice(k + 1)) expect(overlap(shard, other)).toBe(false);
  });
}

test("the tables are as large as the plan's tiers, under the names of table and tier", () => {
  fc.assert(
    fc.property(randomPlans, (plan) => {
      const { embedding_bag_configs, tiers } = torchrecPlan(plan);
      for (const [t, table] of plan.instance.tables.entries()) {
        for (const tier of plan.instance.tiers) {
          const rows = sumOf((plan.assignment[t] ?? []).filter((run) => run.tier === tier).map((run) => run.rows));
          const config = embedding_bag_configs.find(({ name }) => name === `${table.name}_${tier}`);
          expect(config?.num_embeddings).toBe(rows === 0 ? undefined : rows);
          if (config === undefined) continue;
          expect(config.embedding_dim).toBe(table.dim);
          expect(tiers).toContainEqual({ config: config.name, table: table.name, tier });
        }
      }
    }),
  );
});

/** The sharding of the only table of a plan with one run. */
function shardingOf(plan: ExportablePlan): { path: string; sharding: ParameterSharding } {
  const [path, tables] = Object.entries(torchrecPlan(plan).plan)[0] as [string, Record<string, ParameterSharding>];
  return { path, sharding: Object.values(tables)[0] as ParameterSharding };
}

test("row-wise rows are cut into TorchRec's blocks over all GPUs", () => {
  const plan = planOf(instanceOf([{ name: "t", rows: 5, dim: 8 }], cluster(2, 2)), [[[5, "row_wise"]]]);
  const { path, sharding } = shardingOf(plan);
  expect(path).toBe("global.dim8");
  expect(sharding).toEqual({
    sharding_type: "row_wise",
    compute_kernel: "fused",
    ranks: [0, 1, 2, 3],
    sharding_spec: {
      shards: [
        { shard_offsets: [0, 0], shard_sizes: [2, 8], placement: "rank:0/cuda:0" },
        { shard_offsets: [2, 0], shard_sizes: [2, 8], placement: "rank:1/cuda:1" },
        { shard_offsets: [4, 0], shard_sizes: [1, 8], placement: "rank:2/cuda:0" },
        { shard_offsets: [5, 0], shard_sizes: [0, 8], placement: "rank:3/cuda:1" },
      ],
    },
  });
  expect(torchrecPlan(plan).notes).toEqual(["t_row_wise: TorchRec's blocks put its 5 rows on 3 of 4 GPUs"]);
});

test("flex rows are row-wise inside a node, in a module that keeps a replica on each", () => {
  const plan = planOf(instanceOf([{ name: "t", rows: 8 }], cluster(3, 4)), [[[8, "flex"]]]);
  const { path, sharding } = shardingOf(plan);
  expect(path).toBe("flex.dim4");
  expect(sharding).toMatchObject({ sharding_type: "row_wise", ranks: [0, 1, 2, 3] });
  expect(torchrecPlan(plan).parallelism).toEqual({
    flex: { wrapper: "DMPCollection", world_size: 12, sharding_group_size: 4, use_inter_host_allreduce: true },
  });
});

test("host rows are row-wise over all GPUs, in the hosts' memory", () => {
  const plan = planOf(instanceOf([{ name: "t", rows: 8 }], cluster(2, 2)), [[[8, "host"]]]);
  const { path, sharding } = shardingOf(plan);
  expect(path).toBe("global.dim4");
  expect(sharding).toMatchObject({ sharding_type: "row_wise", compute_kernel: "fused_uvm", ranks: [0, 1, 2, 3] });
});

test("flex on one node is row-wise, and with one GPU per node data-parallel, with a note", () => {
  const oneNode = planOf(instanceOf([{ name: "t", rows: 8 }], cluster(1, 4)), [[[8, "flex"]]]);
  expect(shardingOf(oneNode)).toMatchObject({ path: "global.dim4", sharding: { sharding_type: "row_wise" } });
  expect(torchrecPlan(oneNode).notes).toEqual(["t_flex: one node only, so its rows are sharded row_wise"]);
  const oneGpu = planOf(instanceOf([{ name: "t", rows: 8 }], cluster(4, 1)), [[[8, "flex"]]]);
  expect(shardingOf(oneGpu)).toMatchObject({ path: "global.dim4", sharding: { sharding_type: "data_parallel" } });
  expect(torchrecPlan(oneGpu).notes).toEqual(["t_flex: one GPU per node, so its rows are replicated data_parallel"]);
});

test.each([
  { dim: 256, gpus: [4, 8], shards: 32, ranks: [0, 1, 2, 3], notes: [] },
  {
    dim: 24,
    gpus: [2, 2],
    shards: 3,
    ranks: [0, 1, 2],
    notes: ["t_column_wise: widths are multiples of 4, so its 24 columns are cut into 3 shards for 4 GPUs"],
  },
  {
    dim: 8,
    gpus: [2, 4],
    shards: 2,
    ranks: [0, 4],
    notes: ["t_column_wise: widths are multiples of 4, so its 8 columns are cut into 2 shards for 8 GPUs"],
  },
  {
    dim: 6,
    gpus: [1, 2],
    shards: 1,
    ranks: [0],
    notes: ["t_column_wise: widths are multiples of 4, so its 6 columns are not cut for 2 GPUs"],
  },
])("$dim columns on $gpus GPUs make $shards shards", ({ dim, gpus, shards, ranks, notes }) => {
  const plan = planOf(instanceOf([{ name: "t", rows: 7, dim }], cluster(gpus[0] as number, gpus[1] as number)), [
    [[7, "column_wise"]],
  ]);
  const { sharding } = shardingOf(plan);
  expect(sharding.sharding_spec?.shards.map(({ shard_sizes }) => shard_sizes)).toEqual(
    Array.from({ length: shards }, () => [7, dim / shards]),
  );
  expect(sharding.ranks.slice(0, 4)).toEqual(ranks);
  expect(torchrecPlan(plan).notes).toEqual(notes);
});

test("tables of different widths are in different collections, and types have TorchRec's names", () => {
  const instance = instanceOf([
    { name: "a", rows: 1, dim: 4, dataType: "fp8", elementBytes: 1 },
    { name: "b", rows: 1, dim: 8, dataType: "bf16", elementBytes: 2 },
  ]);
  const { plan, embedding_bag_configs } = torchrecPlan(planOf(instance, [[[1, "row_wise"]], [[1, "data_parallel"]]]));
  expect(Object.keys(plan)).toEqual(["global.dim4", "global.dim8"]);
  expect(embedding_bag_configs).toEqual([
    {
      name: "a_row_wise",
      num_embeddings: 1,
      embedding_dim: 4,
      data_type: "NFP8",
      feature_names: ["a_row_wise"],
      pooling: "NONE",
    },
    {
      name: "b_data_parallel",
      num_embeddings: 1,
      embedding_dim: 8,
      data_type: "BF16",
      feature_names: ["b_data_parallel"],
      pooling: "NONE",
    },
  ]);
});

test("a name that PyTorch refuses is refused", () => {
  const plan = planOf(instanceOf([{ name: "a.b", rows: 1 }]), [[[1, "flex"]]]);
  expect(() => torchrecPlan(plan)).toThrow('expected names of tables without ".", as PyTorch wants them');
});
