import { InputError } from "../../errors/input-error.js";
import type { TableFeatures, TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { TorchrecProblem, TorchrecTable } from "../torchrec/problem.js";
import { readPlacedTorchrecProblem, readTorchrecProblem } from "../torchrec/read-problem.js";
import type { RuntimeParameters } from "../torchrec/runtime-parameters.js";
import { SHARDING_TYPES, type ShardingType } from "../torchrec/sharding-types.js";
import { hasUnevenRows, rowNodesIn, type ShardShape, shardShapes } from "../torchrec/shards.js";
import { QUANTISED_ROW_BYTES } from "../torchrec/storage/estimate.js";
import { memoryOfKernel, optimizerState, type TableMemory } from "../torchrec/storage/kept.js";
import { intraGroupSize } from "../torchrec/topology.js";
import { instanceCosts } from "./table-costs.js";

/** What the shape of shards depends on. */
export interface ShardedAs {
  readonly shardingType: string;
  /** How many shards there are. */
  readonly shardCount: number;
  /** Of the table's rows, so many; all where missing. */
  readonly rows?: number;
}

/** How TorchRec cuts the tables of an instance, and what it calls the devices. */
export interface TableShapes {
  /**
   * The shards of a table (by index), in order; `null` where the instance does not have its rows and dim. Throws
   * `InputError` for a sharding type that TorchRec does not have, or a number of shards that it would not make.
   */
  of(table: number, as: ShardedAs): readonly ShardShape[] | null;
  /** Over how many nodes a table's shards cut its rows. */
  rowNodes(as: ShardedAs): number;
  /** TorchRec's name of a rank's device: `rank:9/cuda:1`. */
  placement(rank: number): string;
  /** What TorchRec's runtime is told of a table beside; nothing where the instance lists its options. */
  runtime(table: number): RuntimeParameters;
  /**
   * What is kept of a table, with the state of the optimizer that it names, or of this one; `null` where the instance does not
   * have its rows and dim.
   */
  kept(table: number, optimizer: string | null): KeptTable | null;
  /** Where a kernel keeps a table. */
  memory(kernel: string): TableMemory;
  /** Whether training cannot carry out row-wise shards of a table, because their rows are uneven. */
  hasUnevenRows(table: number): boolean;
}

/** A table's extent, and what is kept of it: parameters and the optimizer's state, in bytes. */
export interface KeptTable {
  readonly rows: number;
  readonly dim: number;
  /** For each element. */
  readonly cellBytes: number;
  /** For each row of each shard, beside its elements. */
  readonly rowBytes: number;
}

/** The one source of shapes is src/cost/torchrec. Throws `InputError` where an instance's TorchRec problem is none. */
export function tableShapes(instance: TablePlacementInstance): TableShapes {
  if (instance.torchrec !== null) {
    const problem = readPlacedTorchrecProblem(instance.torchrec);
    return shapesIn(problem, instance, (t) => problem.tables[t] as TorchrecTable);
  }
  const features = instance.tables.map((table) => table.features);
  return shapesOfOptions(instance, features);
}

/** Of an instance that lists its options: widths of columns follow from the number of shards, rows from the devices. */
function shapesOfOptions(
  instance: TablePlacementInstance,
  features: readonly (Pick<TableFeatures, "rows" | "dim" | "elementBytes"> | null)[],
): TableShapes {
  const { nodes, gpusPerNode, hbmBytesPerGpu } = instance.cluster;
  const problem = readTorchrecProblem({
    topology: { world_size: nodes * gpusPerNode, local_world_size: gpusPerNode },
    ...(hbmBytesPerGpu === null ? {} : { devices: hbmBytesPerGpu.map((hbm) => ({ hbm })) }),
    tables: instance.tables.map(({ name }, t) => ({
      name,
      num_embeddings: features[t]?.rows ?? 1,
      embedding_dim: features[t]?.dim ?? 1,
      element_size: features[t]?.elementBytes,
    })),
  });
  return shapesIn(problem, instance, (t, { shardingType, shardCount }) => {
    if (features[t] === null) return null;
    const table = problem.tables[t] as TorchrecTable;
    const rowBlocks = shardingType === "grid_shard" ? intraGroupSize(problem.topology) : 1;
    return { ...table, minPartition: Math.max(1, Math.floor((table.dim * rowBlocks) / shardCount)) };
  });
}

function shapesIn(
  { topology, constants, tables: known, settings }: TorchrecProblem,
  { file, tables }: TablePlacementInstance,
  tableOf: (table: number, as: ShardedAs) => TorchrecTable | null,
): TableShapes {
  const { computeDevice, localWorldSize } = topology;
  return {
    of: (t, as) => {
      const whole = tableOf(t, as);
      if (whole === null) return null;
      const table = as.rows === undefined ? whole : { ...whole, rows: as.rows };
      const fail = (expected: string, received: string, advice: string) =>
        new InputError(`table ${tables[t]?.name}: expected ${expected}, received ${received}; ${advice}`, file);
      const { shardingType, shardCount } = as;
      if (!isShardingType(shardingType)) {
        throw fail("a sharding type of TorchRec", shardingType, `use ${SHARDING_TYPES.join(", ")}`);
      }
      const nodes = rowNodesIn(shardingType, shardCount, topology);
      const shapes = shardShapes(table, shardingType, topology, constants, nodes);
      if (shapes.length === shardCount) return shapes;
      const cut = `${table.rows} rows of ${table.dim} columns`;
      const expected = `${shapes.length} ${shardingType} shards, as TorchRec cuts ${cut}`;
      throw fail(expected, `${shardCount}`, "correct the option, or the table's rows and dim");
    },
    rowNodes: ({ shardingType, shardCount }) => rowNodesIn(shardingType, shardCount, topology),
    placement: (rank) => {
      const isNumbered = computeDevice === "cuda" || computeDevice === "mtia";
      return `rank:${rank}/${computeDevice}${isNumbered ? `:${rank % localWorldSize}` : ""}`;
    },
    runtime: (t) => known[t]?.runtime ?? {},
    kept: (t, byDefault) => {
      const table = tableOf(t, { shardingType: "table_wise", shardCount: 1 });
      if (table === null) return null;
      const { rows, dim, elementBytes, sharder, optimizer = byDefault } = table;
      const state = optimizerState(settings.isInference ? null : optimizer);
      const scale = sharder === "quant_embedding_bag_collection" ? QUANTISED_ROW_BYTES : 0;
      return { rows, dim, cellBytes: elementBytes + state.cellBytes, rowBytes: scale + state.rowBytes };
    },
    memory: (kernel) => memoryOfKernel(kernel, computeDevice),
    hasUnevenRows: (t) => !settings.isInference && hasUnevenRows(known[t] as TorchrecTable, topology),
  };
}

function isShardingType(name: string): name is ShardingType {
  return (SHARDING_TYPES as readonly string[]).includes(name);
}

/**
 * Per table of an instance with TorchRec's cost model what an instance that lists its options can say of the table, so
 * that its shards are still told to have the shapes they have; empty where they would not (rows cut between buckets, or in
 * proportion to other capacities than those of the devices; devices that are no GPUs, or several hosts in one NVLink domain).
 */
export function featuresThatTellShapes(instance: TablePlacementInstance): readonly Partial<TableFeatures>[] {
  const exact = tableShapes(instance);
  const { tables, hbmBytes } = instanceCosts(instance);
  const features = tables.map((table) => table.features);
  const cluster = { ...instance.cluster, hbmBytesPerGpu: hbmBytes };
  const listed = shapesOfOptions({ ...instance, cluster }, features);
  const sameNames = hbmBytes.every((_, rank) => exact.placement(rank) === listed.placement(rank));
  return tables.map(({ features, options }, t) => {
    const sameShapes = options.every(({ shardingType, shards }) => {
      const as = { shardingType, shardCount: shards.reduce((sum, [count]) => sum + count, 0) };
      return JSON.stringify(exact.of(t, as)) === JSON.stringify(listed.of(t, as));
    });
    if (!sameNames || !sameShapes || features === null) return {};
    const { rows, dim, dataType, poolingFactor } = features;
    return { rows, dim, dataType, poolingFactor };
  });
}
