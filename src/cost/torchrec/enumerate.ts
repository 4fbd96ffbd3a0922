import { InputError } from "../../errors/input-error.js";
import { type ComputeKernel, GUARDED_KERNELS, kernelsOf } from "./kernels.js";
import { perfContext } from "./perf/context.js";
import { estimatePerf } from "./perf/estimate.js";
import type { TorchrecProblem, TorchrecTable } from "./problem.js";
import { betweenLookups, seenBy, withSynchronisation } from "./replicas.js";
import { runsOf, type ShardEstimate, type ShardRun, totalPerf } from "./shard-runs.js";
import { isGuarded, type PartitionBy, partitionBy, type ShardingType, shardingTypesOf } from "./sharding-types.js";
import { hasUnevenRows, type ShardShape, shardShapes } from "./shards.js";
import { estimateStorage } from "./storage/estimate.js";

export interface TorchrecShard extends ShardShape, ShardEstimate {}

/** One way to shard a table; a plan chooses one for every table and places its shards. */
export interface TorchrecOption {
  readonly table: string;
  readonly shardingType: ShardingType;
  readonly kernel: ComputeKernel;
  readonly partitionBy: PartitionBy;
  /** Of table_row_wise over several nodes, how many. */
  readonly rowNodes?: number;
  readonly shards: readonly TorchrecShard[];
  /** What the shards need, in order, with neighbours of equal size as one. */
  readonly estimates: readonly ShardRun[];
}

/**
 * All options of every table, in the order of the tables (planner/enumerators.py, `EmbeddingEnumerator.enumerate`): the
 * sharder's sharding types × its kernels, as far as the table's constraints allow. TorchRec's own order depends on the hash
 * of strings, and differs from run to run; here options are in the sharder's order of types, then of kernels. What
 * {@link cannotBeTrained} is left out.
 *
 * Throws {@link InputError} for a table without any option, and as {@link shardShapes}.
 */
export function enumerateOptions(problem: TorchrecProblem): readonly (readonly TorchrecOption[])[] {
  return problem.tables.map((table) => tableOptions(problem, table));
}

/**
 * Whether a table's row_wise options are left out, though TorchRec's planner has them: it cuts the rows of devices of
 * different memory unevenly, and its training cannot carry that out. `unevenRowWise` lets them in.
 */
export function cannotBeTrained(problem: TorchrecProblem, table: TorchrecTable): boolean {
  // What is quantised is never trained.
  const isServed = problem.settings.isInference || table.sharder === "quant_embedding_bag_collection";
  if (isServed || problem.unevenRowWise) return false;
  return hasUnevenRows(table, problem.topology) && namedTypes(problem, table).includes("row_wise");
}

/**
 * The options of one table, as {@link enumerateOptions} has them: those of many tables on many devices need not be held at once.
 * `isAsked`: the kernels that are asked for; default: all.
 */
export function tableOptions(
  problem: TorchrecProblem,
  table: TorchrecTable,
  isAsked: (kernel: ComputeKernel) => boolean = () => true,
): TorchrecOption[] {
  const options = allowedTypes(problem, table).flatMap((shardingType) =>
    allowedKernels(problem, table, shardingType)
      .filter(isAsked)
      .flatMap((kernel) =>
        rowNodesOf(table, shardingType).map((nodes) => estimateOption(problem, table, shardingType, kernel, nodes)),
      ),
  );
  if (options.length > 0) return options;
  if (cannotBeTrained(problem, table)) {
    throw new InputError(
      `table ${table.name}: expected a sharding type that TorchRec can train, received row_wise alone on devices of different memory, whose rows it cuts unevenly; allow more sharding_types, or say uneven_row_wise: true`,
    );
  }
  throw new InputError(
    `table ${table.name}: expected sharding_types and compute_kernels that allow a way to shard it on ${problem.topology.computeDevice}, received ${described(table)}; allow more of them`,
  );
}

/** Numbers of nodes over which a type may cut a table's rows. */
export function rowNodesOf({ rowNodes = [1] }: TorchrecTable, shardingType: ShardingType): readonly number[] {
  return shardingType === "table_row_wise" ? rowNodes : [1];
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
  rowNodes = 1,
): TorchrecOption {
  const context = perfContext(seenBy(problem, shardingType), table, kernel, rowNodes);
  // Shards of equal size are estimated once: their times and bytes are the same object.
  const known = new Map<string, ShardEstimate>();
  const estimate = (shape: ShardShape): ShardEstimate => {
    const key = shape.sizes.join();
    const found = known.get(key);
    if (found) return found;
    const perf = withSynchronisation(problem, table, shardingType, shape, estimatePerf(context, shardingType, shape));
    const stored = estimateStorage(problem, table, shardingType, kernel, shape, rowNodes);
    const bytes = betweenLookups(problem, table, kernel, shape, stored);
    const made = { cost: totalPerf(perf), perf, ...bytes };
    known.set(key, made);
    return made;
  };
  const shapes = () => shardShapes(table, shardingType, problem.topology, problem.constants, rowNodes);
  const runs = runsOf(shapes(), (a, b) => a.sizes[0] === b.sizes[0] && a.sizes[1] === b.sizes[1]);
  const estimates = runs.map((run) => ({ count: run.length, estimate: estimate(run[0] as ShardShape) }));
  let shards: readonly TorchrecShard[] | undefined;
  return {
    table: table.name,
    shardingType,
    kernel,
    // Whole nodes, each a row block per rank: placed as the groups of grid shards are.
    ...(rowNodes === 1 ? { partitionBy: partitionBy(shardingType) } : { partitionBy: "multi_host", rowNodes }),
    estimates,
    // One by one only where somebody asks: most have one for every device.
    get shards() {
      shards ??= shapes().map((shape) => ({ ...shape, ...estimate(shape) }));
      return shards;
    },
  };
}

function allowedTypes(problem: TorchrecProblem, table: TorchrecTable): ShardingType[] {
  const isLeftOut = cannotBeTrained(problem, table);
  return namedTypes(problem, table).filter((type) => !(isLeftOut && type === "row_wise"));
}

/** Those of the sharder that the table's constraints allow. */
function namedTypes({ topology }: TorchrecProblem, { sharder, shardingTypes }: TorchrecTable): ShardingType[] {
  return shardingTypesOf(sharder, topology.computeDevice).filter((type) =>
    // An empty list constrains nothing, in TorchRec too.
    shardingTypes?.length ? shardingTypes.includes(type) : !isGuarded(type, sharder),
  );
}

/** The kernels of a sharding type that the sharder has and the table's constraints allow. */
export function allowedKernels(
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

/** Why an option of a plan is none of a table's here, and what would make it one: the end of a sentence. */
export function whyNotAllowed(
  problem: TorchrecProblem,
  table: TorchrecTable,
  shardingType: string,
  kernel: string,
): string {
  const { sharder, shardingTypes, computeKernels } = table;
  const { computeDevice } = problem.topology;
  const types = shardingTypesOf(sharder, computeDevice);
  const type = types.find((one) => one === shardingType);
  if (type === undefined) return `TorchRec has no ${shardingType} for ${sharder} on ${computeDevice}`;
  if (!namedTypes(problem, table).includes(type)) {
    return shardingTypes?.length
      ? `the instance's sharding_types of the table leave ${type} out; add it there`
      : `${type} is an option only where a table's sharding_types name it; name it there`;
  }
  if (!allowedTypes(problem, table).includes(type)) {
    return "row_wise shards of devices of different memory are uneven, and TorchRec cannot train them; say uneven_row_wise: true to have them all the same";
  }
  const known = kernelsOf(sharder, type, computeDevice).find((one) => one === kernel);
  if (known === undefined) return `no sharder of TorchRec has ${kernel} for ${type} of ${sharder} on ${computeDevice}`;
  if (computeKernels?.length ? !computeKernels.includes(known) : GUARDED_KERNELS.has(known)) {
    return computeKernels?.length
      ? `the instance's compute_kernels of the table leave ${kernel} out; add it there`
      : `${kernel} is an option only where a table's compute_kernels name it; name it there`;
  }
  return `${kernel} needs devices with an SSD; give them ssd`;
}
