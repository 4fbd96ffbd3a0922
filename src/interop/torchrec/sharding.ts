import type { Cluster } from "../../instance/cluster.js";
import type { Tier } from "../../instance/types/row-tiers.js";
import type { TierTable } from "../tier-tables.js";
import { blockSizes, rowBlocks } from "./blocks.js";

/** TorchRec's `ShardMetadata`: a block of [rows, columns] and the GPU that holds it. */
export interface ShardMetadata {
  readonly shard_offsets: readonly [row: number, column: number];
  readonly shard_sizes: readonly [rows: number, columns: number];
  /** `rank:K/cuda:L`. */
  readonly placement: string;
}

/** TorchRec's `ParameterSharding`, as far as it says where a table is. */
export interface ParameterSharding {
  readonly sharding_type: "data_parallel" | "row_wise" | "column_wise";
  /** `fused_uvm`: the rows are in host memory. */
  readonly compute_kernel: "dense" | "fused" | "fused_uvm";
  readonly ranks: readonly number[];
  /** TorchRec's `EnumerableShardingSpec`; `null` for data_parallel. */
  readonly sharding_spec: { readonly shards: readonly ShardMetadata[] } | null;
}

/** The module that a tier's tables belong to: over all GPUs, or inside each node with a replica per node. */
export type TorchrecModule = "global" | "flex";

/** FBGEMM's kernels want embedding widths in multiples of this. */
export const WIDTH_STEP = 4;

type Way = readonly [
  module: TorchrecModule,
  sharding: ParameterSharding["sharding_type"],
  kernel: ParameterSharding["compute_kernel"],
];

/**
 * How each tier is carried out. Flex is row-wise inside a node and replicated across nodes: TorchRec's 2D parallelism,
 * whose plan is that of one node. Where a node is all there is, that is row-wise over all GPUs, and where a node has one
 * GPU, a replica on each: both need no module of their own. Host is row-wise with every GPU's rows in its node's host
 * memory.
 */
const WAYS: Readonly<Record<Tier, (cluster: Cluster) => Way>> = {
  data_parallel: () => ["global", "data_parallel", "dense"],
  flex: ({ nodes, gpusPerNode }) => {
    if (nodes === 1) return ["global", "row_wise", "fused"];
    return gpusPerNode === 1 ? ["global", "data_parallel", "dense"] : ["flex", "row_wise", "fused"];
  },
  row_wise: () => ["global", "row_wise", "fused"],
  column_wise: () => ["global", "column_wise", "fused"],
  host: () => ["global", "row_wise", "fused_uvm"],
};

/** Into how many blocks the rows of a tier's table are cut: 1 where they are not. */
export function rowBlockCount(tier: Tier, cluster: Cluster): number {
  const [module, sharding] = WAYS[tier](cluster);
  return sharding === "row_wise" ? gpusOf(module, cluster) : 1;
}

function gpusOf(module: TorchrecModule, { nodes, gpusPerNode }: Cluster): number {
  return module === "flex" ? gpusPerNode : nodes * gpusPerNode;
}

/** Where the shards of a tier's table are. */
export function shardingOf(
  table: TierTable,
  cluster: Cluster,
): { module: TorchrecModule; sharding: ParameterSharding } {
  const [module, sharding_type, compute_kernel] = WAYS[table.tier](cluster);
  const ranks = gpusOf(module, cluster);
  if (sharding_type === "data_parallel") {
    const all = Array.from({ length: ranks }, (_, rank) => rank);
    return { module, sharding: { sharding_type, compute_kernel, ranks: all, sharding_spec: null } };
  }
  const blocks = sharding_type === "row_wise" ? rowShards(table, ranks) : columnShards(table, ranks);
  const { shards, ...placed } = onRanks(blocks, cluster.gpusPerNode);
  return { module, sharding: { sharding_type, compute_kernel, ...placed, sharding_spec: { shards } } };
}

/** A block of a table, and the GPU that holds it. */
export interface Block {
  readonly offsets: readonly [row: number, column: number];
  readonly sizes: readonly [rows: number, columns: number];
  readonly rank: number;
}

/** Blocks as TorchRec's plans have them. */
export function onRanks(blocks: readonly Block[], gpusPerNode: number) {
  return {
    ranks: blocks.map(({ rank }) => rank),
    shards: blocks.map(({ offsets, sizes, rank }): ShardMetadata => {
      return { shard_offsets: offsets, shard_sizes: sizes, placement: `rank:${rank}/cuda:${rank % gpusPerNode}` };
    }),
  };
}

/** One block of rows per rank, empty ones included, as TorchRec has them. */
function rowShards({ rows, dim }: TierTable, ranks: number): Block[] {
  const { block } = rowBlocks(rows, ranks);
  return blockSizes(rows, ranks).map((size, rank) => ({
    offsets: [Math.min(rank * block, rows), 0],
    sizes: [size, dim],
    rank,
  }));
}

/**
 * As many blocks of equal width as there are ranks, or the next smaller number that cuts the columns into multiples of
 * {@link WIDTH_STEP}, spread evenly over the ranks.
 */
function columnShards({ rows, dim }: TierTable, ranks: number): Block[] {
  const shards = columnShardCount(dim, ranks);
  const width = dim / shards;
  return Array.from({ length: shards }, (_, shard) => ({
    offsets: [0, shard * width],
    sizes: [rows, width],
    rank: Math.floor((shard * ranks) / shards),
  }));
}

/** 1 where no cut is possible. */
export function columnShardCount(dim: number, ranks: number): number {
  for (let shards = Math.min(ranks, Math.floor(dim / WIDTH_STEP)); shards > 1; shards--) {
    if (dim % (shards * WIDTH_STEP) === 0) return shards;
  }
  return 1;
}
