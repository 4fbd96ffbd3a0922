import { InputError } from "../../errors/input-error.js";
import { type ComputeKernel, GUARDED_KERNELS, kernelsOf } from "./kernels.js";
import { perfContext } from "./perf/context.js";
import { estimatePerf } from "./perf/estimate.js";
import { type TorchrecPerf, totalPerf } from "./perf/perf.js";
import type { DeviceMemory, TorchrecProblem, TorchrecTable } from "./problem.js";
import { isGuarded, type PartitionBy, partitionBy, type ShardingType, shardingTypesOf } from "./sharding-types.js";
import { type ShardShape, shardShapes } from "./shards.js";
import { estimateStorage } from "./storage/estimate.js";

/** What a shard costs its rank: `cost` milliseconds in each iteration, of the phases of `perf`, and bytes of each memory. */
export interface ShardEstimate extends DeviceMemory {
  readonly cost: number;
  readonly perf: TorchrecPerf;
}

export interface TorchrecShard extends ShardShape, ShardEstimate {}

/** One way to shard a table; a plan chooses one for every table and places its shards. */
export interface TorchrecOption {
  readonly table: string;
  readonly shardingType: ShardingType;
  readonly kernel: ComputeKernel;
  readonly partitionBy: PartitionBy;
  readonly shards: readonly TorchrecShard[];
}

/**
 * All options of every table, in the order of the tables (planner/enumerators.py, `EmbeddingEnumerator.enumerate`): the
 * sharder's sharding types × its kernels, as far as the table's constraints allow. TorchRec's own order depends on the hash
 * of strings, and differs from run to run; here options are in the sharder's order of types, then of kernels.
 *
 * Throws {@link InputError} for a table without any option, and as {@link shardShapes}.
 */
export function enumerateOptions(problem: TorchrecProblem): readonly (readonly TorchrecOption[])[] {
  return problem.tables.map((table) => tableOptions(problem, table));
}

function tableOptions(problem: TorchrecProblem, table: TorchrecTable): TorchrecOption[] {
  const options = allowedTypes(problem, table).flatMap((shardingType) =>
    allowedKernels(problem, table, shardingType).map((kernel) => estimateOption(problem, table, shardingType, kernel)),
  );
  if (options.length > 0) return options;
  throw new InputError(
    `table ${table.name}: expected sharding_types and compute_kernels that allow a way to shard it on ${problem.topology.computeDevice}, received ${described(table)}; allow more of them`,
  );
}

/**
 * One option with all its shards, whether or not {@link enumerateOptions} would list it. Throws as {@link shardShapes}, and
 * {@link InputError} for a kernel without a known bandwidth.
 */
export function estimateOption(
  problem: TorchrecProblem,
  table: TorchrecTable,
  shardingType: ShardingType,
  kernel: ComputeKernel,
): TorchrecOption {
  const context = perfContext(problem, table, kernel);
  // Shards of equal size are estimated once: their times and bytes are the same object.
  const known = new Map<string, ShardEstimate>();
  const estimate = (shape: ShardShape): ShardEstimate => {
    const key = shape.sizes.join();
    const found = known.get(key);
    if (found) return found;
    const perf = estimatePerf(context, shardingType, shape);
    const made = { cost: totalPerf(perf), perf, ...estimateStorage(problem, table, shardingType, kernel, shape) };
    known.set(key, made);
    return made;
  };
  const shapes = shardShapes(table, shardingType, problem.topology, problem.constants);
  return {
    table: table.name,
    shardingType,
    kernel,
    partitionBy: partitionBy(shardingType),
    shards: shapes.map((shape) => ({ ...shape, ...estimate(shape) })),
  };
}

function allowedTypes({ topology }: TorchrecProblem, { sharder, shardingTypes }: TorchrecTable): ShardingType[] {
  return shardingTypesOf(sharder, topology.computeDevice).filter((type) =>
    // An empty list constrains nothing, in TorchRec too.
    shardingTypes?.length ? shardingTypes.includes(type) : !isGuarded(type, sharder),
  );
}

function allowedKernels(
  { topology, devices }: TorchrecProblem,
  { sharder, computeKernels }: TorchrecTable,
  shardingType: ShardingType,
): ComputeKernel[] {
  const hasSsd = devices.some(({ ssdBytes }) => ssdBytes > 0);
  return kernelsOf(sharder, shardingType, topology.computeDevice)
    .filter((kernel) => (computeKernels?.length ? computeKernels.includes(kernel) : !GUARDED_KERNELS.has(kernel)))
    .filter((kernel) => kernel !== "key_value" || hasSsd);
}

function described({ shardingTypes, computeKernels }: TorchrecTable): string {
  const types = shardingTypes?.length ? shardingTypes.join(", ") : "any type";
  return `${types} with ${computeKernels?.length ? computeKernels.join(", ") : "any kernel"}`;
}
