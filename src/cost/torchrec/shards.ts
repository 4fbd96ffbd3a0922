import { InputError } from "../../errors/input-error.js";
import type { TorchrecConstants } from "./constants.js";
import type { TorchrecTable } from "./problem.js";
import { sum } from "./python-numbers.js";
import type { ShardingType } from "./sharding-types.js";
import { intraGroupSize, type TorchrecTopology } from "./topology.js";

/** The part of a table that a shard holds. */
export interface ShardShape {
  readonly offsets: readonly [row: number, column: number];
  readonly sizes: readonly [rows: number, columns: number];
}

/**
 * The shards of a table under a sharding type (torchrec/distributed/sharding_plan.py,
 * `calculate_shard_sizes_and_offsets`). Shards may be empty: row_wise makes one for every rank.
 *
 * `rowNodes`: nodes over which table_row_wise cuts the rows (torchrec#4681). Throws {@link InputError} for buckets that do
 * not divide the rows.
 */
export function shardShapes(
  table: TorchrecTable,
  shardingType: ShardingType,
  topology: TorchrecTopology,
  constants: TorchrecConstants,
  rowNodes = 1,
): readonly ShardShape[] {
  const { rows, dim } = table;
  const whole: ShardShape = { offsets: [0, 0], sizes: [rows, dim] };
  switch (shardingType) {
    case "data_parallel":
      return Array.from({ length: topology.worldSize }, () => whole);
    case "table_wise":
      return [whole];
    case "column_wise":
    case "table_column_wise":
      return grid([rows], columnBlocks(table, constants));
    case "row_wise":
      return grid(rowBlocks(table, topology), [dim]);
    case "table_row_wise":
      return grid(evenRows(rows, rowNodes * intraGroupSize(topology)), [dim]);
    case "grid_shard":
      return grid(evenRows(rows, intraGroupSize(topology)), columnBlocks(table, constants));
  }
}

/** Over how many nodes a plan's shards cut the rows. */
export function rowNodesIn(shardingType: string, shardCount: number, topology: TorchrecTopology): number {
  const nodes = shardCount / intraGroupSize(topology);
  return shardingType === "table_row_wise" && Number.isInteger(nodes) ? Math.max(1, nodes) : 1;
}

/** Blocks of columns outside, blocks of rows inside. */
function grid(rowBlocks: readonly number[], columnBlocks: readonly number[]): ShardShape[] {
  const rows = withOffsets(rowBlocks);
  return withOffsets(columnBlocks).flatMap((column) =>
    rows.map((row): ShardShape => ({ offsets: [row.offset, column.offset], sizes: [row.size, column.size] })),
  );
}

function withOffsets(sizes: readonly number[]): { offset: number; size: number }[] {
  let offset = 0;
  return sizes.map((size) => {
    const block = { offset, size };
    offset += size;
    return block;
  });
}

function rowBlocks(table: TorchrecTable, topology: TorchrecTopology): number[] {
  if (topology.customCapacities) return proportionalRows(table.rows, topology.customCapacities);
  if (table.buckets !== undefined) return bucketedRows(table, table.buckets, topology.worldSize);
  return evenRows(table.rows, topology.worldSize);
}

/**
 * Whether row_wise shards hold other rows than training sends their ranks: its input distribution deals ids by even blocks
 * (sharding/rw_sharding.py), whatever the capacities by which the planner cuts rows.
 */
export function hasUnevenRows(table: TorchrecTable, topology: TorchrecTopology): boolean {
  if (topology.customCapacities === undefined) return false;
  const even = evenRows(table.rows, topology.worldSize);
  return rowBlocks(table, topology).some((rows, rank) => rows !== even[rank]);
}

/** ⌈rows / parts⌉ for the first parts, the rest for the next, nothing for the others (10 over 4: 3, 3, 3, 1). */
function evenRows(rows: number, parts: number): number[] {
  const block = Math.ceil(rows / parts);
  const last = Math.floor(rows / block);
  return Array.from({ length: parts }, (_, part) => (part < last ? block : part === last ? rows - block * last : 0));
}

/** `_calculate_uneven_rw_shard_sizes_and_offsets`: each rank's share rounded down, what is over for the last one. */
function proportionalRows(rows: number, capacities: readonly number[]): number[] {
  const total = sum(capacities);
  const blocks = capacities.slice(0, -1).map((capacity) => Math.trunc(rows * (capacity / total)));
  return [...blocks, rows - sum(blocks)];
}

/** Whole buckets for each rank, one more for the first (buckets mod ranks) of them. */
function bucketedRows(table: TorchrecTable, buckets: number, ranks: number): number[] {
  if (table.rows % buckets !== 0) {
    throw new InputError(
      `table ${table.name}: expected buckets that divide its ${table.rows} rows, received ${buckets}; change total_num_buckets`,
    );
  }
  const perBucket = table.rows / buckets;
  const each = Math.floor(buckets / ranks);
  return Array.from({ length: ranks }, (_, rank) => perBucket * (rank < buckets % ranks ? each + 1 : each));
}

/** Whether a sharding type cuts a table's columns. */
export function isCutByColumns(shardingType: string): boolean {
  return ["column_wise", "table_column_wise", "grid_shard"].includes(shardingType);
}

/** Columns of each shard of a table under a sharding type. */
export function shardWidth(table: TorchrecTable, shardingType: ShardingType, constants: TorchrecConstants): number {
  return isCutByColumns(shardingType) ? (columnBlocks(table, constants)[0] as number) : table.dim;
}

/**
 * Equal widths: the least divisor of the table's width that is a multiple of 4 and at least the lower bound, and less
 * than the whole width; otherwise the whole width.
 */
function columnBlocks(table: TorchrecTable, constants: TorchrecConstants): number[] {
  const { dim } = table;
  let width = table.minPartition || constants.MIN_CW_DIM;
  while (width < dim && !(dim % width === 0 && width % 4 === 0)) width++;
  width = Math.min(width, dim);
  return Array.from({ length: dim / width }, () => width);
}
