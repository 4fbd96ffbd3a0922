import { InputError } from "../../errors/input-error.js";
import type { Cluster } from "../../instance/cluster.js";
import type { DataType } from "../../instance/data-type.js";
import type { ExportablePlan } from "../exportable.js";
import { type TierTable, tierTables } from "../tier-tables.js";
import { type ParameterSharding, shardingOf, type TorchrecModule } from "./sharding.js";

/** TorchRec's names of element types (`DataType`). */
const DATA_TYPES: Readonly<Record<DataType, string>> = {
  fp32: "FP32",
  fp16: "FP16",
  bf16: "BF16",
  fp8: "NFP8",
  int8: "INT8",
};

/** What TorchRec's `EmbeddingBagConfig` has of a table. */
export interface EmbeddingBagConfig {
  readonly name: string;
  readonly num_embeddings: number;
  readonly embedding_dim: number;
  readonly data_type: string;
  readonly feature_names: readonly string[];
  /** `NONE`: the embeddings of a sequence stay single. TorchRec has them in `EmbeddingConfig`s, which have no pooling. */
  readonly pooling: "NONE";
}

/** How a module is to be wrapped, and over which GPUs its plan is. */
export interface ModuleParallelism {
  readonly wrapper: "DistributedModelParallel" | "DMPCollection";
  readonly world_size: number;
  /** GPUs that a DMPCollection shards over: one node's. Its plan's ranks are those inside a node. */
  readonly sharding_group_size?: number;
  /** Groups of neighbouring ranks, so that the all-to-all stays inside a node and the all-reduce goes across. */
  readonly use_inter_host_allreduce?: true;
}

/** A plan for TorchRec, in its own words. */
export interface TorchrecPlan {
  readonly shardproof: 1;
  readonly kind: "torchrec-plan";
  readonly instance: { readonly name: string; readonly sha256: string };
  readonly source: { readonly method: string; readonly status: string; readonly digest: string };
  /** One per table and tier that holds rows of it. */
  readonly embedding_bag_configs: readonly EmbeddingBagConfig[];
  /**
   * Per module path and table, as `ShardingPlan.plan` has it. A path is a wrapped module and, inside it, a collection of
   * tables of one width (`global.dim256`), because an `EmbeddingCollection` has but one.
   */
  readonly plan: Readonly<Record<string, Readonly<Record<string, ParameterSharding>>>>;
  /** Per wrapped module. */
  readonly parallelism: Readonly<Partial<Record<TorchrecModule, ModuleParallelism>>>;
  /** Which table and tier each configuration stands for. */
  readonly tiers: readonly { readonly config: string; readonly table: string; readonly tier: string }[];
  /** What TorchRec does otherwise than the plan's cost model has it, in words. */
  readonly notes: readonly string[];
}

/**
 * A row-tiers plan as embedding tables and sharding plans for TorchRec 1.9: each tier of a table is an embedding table of
 * its own (rows are sent to it by a remap). Flex rows belong to the module `flex`, under a DMPCollection that shards over
 * one node and keeps a replica on each, whose plan is that of one node (ranks 0 … gpusPerNode − 1); all other rows to the
 * module `global`, under a DistributedModelParallel.
 *
 * Throws `InputError` for a table whose name cannot be that of a PyTorch module.
 */
export function torchrecPlan({ instance, assignment, method, status, digest }: ExportablePlan): TorchrecPlan {
  const tables = tierTables(instance, assignment).flat();
  for (const { table } of tables) {
    if (!table.includes(".")) continue;
    const advice = "rename it in the instance and plan again";
    throw new InputError(`expected names of tables without ".", as PyTorch wants them, received "${table}"; ${advice}`);
  }
  const placed = tables.map((table) => ({ table, ...shardingOf(table, instance.cluster) }));
  const modules = (["global", "flex"] as const).filter((module) => placed.some((one) => one.module === module));
  const plan: Record<string, Record<string, ParameterSharding>> = {};
  for (const wanted of modules) {
    for (const { table, module, sharding } of placed) {
      if (module !== wanted) continue;
      const path = `${module}.dim${table.dim}`;
      plan[path] = { ...plan[path], [table.name]: sharding };
    }
  }
  return {
    shardproof: 1,
    kind: "torchrec-plan",
    instance: { name: instance.name, sha256: instance.sha256 },
    source: { method, status, digest },
    embedding_bag_configs: tables.map(configOf),
    plan,
    parallelism: Object.fromEntries(modules.map((module) => [module, parallelismOf(module, instance.cluster)])),
    tiers: tables.map(({ name, table, tier }) => ({ config: name, table, tier })),
    notes: placed.flatMap(({ table, sharding }) => notesOn(table, sharding, instance.cluster)),
  };
}

function configOf({ name, rows, dim, dataType }: TierTable): EmbeddingBagConfig {
  return {
    name,
    num_embeddings: rows,
    embedding_dim: dim,
    data_type: DATA_TYPES[dataType],
    feature_names: [name],
    pooling: "NONE",
  };
}

function parallelismOf(module: TorchrecModule, { nodes, gpusPerNode }: Cluster): ModuleParallelism {
  const world_size = nodes * gpusPerNode;
  if (module === "global") return { wrapper: "DistributedModelParallel", world_size };
  return { wrapper: "DMPCollection", world_size, sharding_group_size: gpusPerNode, use_inter_host_allreduce: true };
}

function notesOn({ name, tier, rows, dim }: TierTable, sharding: ParameterSharding, cluster: Cluster): string[] {
  const notes: string[] = [];
  const gpus = cluster.nodes * cluster.gpusPerNode;
  if (tier === "flex" && cluster.nodes === 1) notes.push(`${name}: one node only, so its rows are sharded row_wise`);
  else if (tier === "flex" && cluster.gpusPerNode === 1) {
    notes.push(`${name}: one GPU per node, so its rows are replicated data_parallel`);
  }
  const shards = sharding.sharding_spec?.shards ?? [];
  if (sharding.sharding_type === "column_wise" && shards.length < gpus) {
    const cut = shards.length === 1 ? "are not cut" : `are cut into ${shards.length} shards`;
    notes.push(`${name}: widths are multiples of 4, so its ${dim} columns ${cut} for ${gpus} GPUs`);
  }
  if (sharding.sharding_type === "row_wise") {
    const held = shards.filter(({ shard_sizes }) => shard_sizes[0] > 0).length;
    if (held < shards.length) {
      notes.push(`${name}: TorchRec's blocks put its ${rows} rows on ${held} of ${shards.length} GPUs`);
    }
  }
  return notes;
}
