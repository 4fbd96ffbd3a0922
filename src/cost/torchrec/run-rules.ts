import { type ComputeKernel, KEY_VALUE_KERNELS, VIRTUAL_KERNELS } from "./kernels.js";
import type { TorchrecProblem, TorchrecTable } from "./problem.js";
import { runsOf } from "./shard-runs.js";
import type { ShardingType } from "./sharding-types.js";
import { isCutByColumns, shardShapes, shardWidth } from "./shards.js";
import { intraGroupSize } from "./topology.js";

/** An option as rules look at it. */
export interface RuledOption {
  readonly shardingType: ShardingType;
  readonly kernel: ComputeKernel;
  /** Share of the rows in the cache, where the option chooses it. */
  readonly loadFactor?: number | undefined;
}

/**
 * Something that TorchRec's estimators price, and its partitioners, modules or kernels refuse or get wrong. The table of them, with
 * where and since when, is in docs/torchrec.md.
 */
export interface RunRule {
  /** As the table of the documentation has it. */
  readonly name: string;
  /** Which options break it, in words that follow a number of them. */
  readonly reason: string;
  /**
   * A limit of FBGEMM's kernels, which builds may have otherwise: a table of which nothing else is left keeps its options, and the
   * plan says that it cannot be run.
   */
  readonly ofKernels?: true;
  /** How an option of a table breaks it, in words that follow the table's name; `null` where it does not. */
  readonly broken: (problem: TorchrecProblem, table: TorchrecTable, option: RuledOption) => string | null;
}

/** Elements of a row that FBGEMM's kernels take (FBGEMM#2460), and those beyond which 1.4 answers zeros (torchrec#3673). */
const WIDEST = 2048;
const WIDEST_OF_1_4 = 1024;

const FUSED_KERNELS: ReadonlySet<ComputeKernel> = new Set([
  ...(["fused", "fused_triton", "fused_uvm", "fused_uvm_caching"] as const),
  ...KEY_VALUE_KERNELS,
]);
/** planner/planners.py, `_CACHING_KERNELS`. */
const CACHING_KERNELS: ReadonlySet<ComputeKernel> = new Set(["fused_uvm_caching", "quant_uvm_caching"]);

/** The rules that say of an option by itself whether it can be run. */
export const RUN_RULES: readonly RunRule[] = [
  {
    name: "column-ranks",
    reason: "a key-value table has more column shards than ranks, and each takes a rank of its own",
    broken: (problem, table, option) => {
      if (!needsDistinctRanks(option)) return null;
      const { topology, constants } = problem;
      const shards = table.dim / shardWidth(table, option.shardingType, constants);
      const group = intraGroupSize(topology);
      const places = {
        column_wise: [topology.worldSize, "ranks"],
        table_column_wise: [group, "ranks of a host"],
        grid_shard: [topology.worldSize / group, "hosts"],
      } as const;
      const [count, what] = places[option.shardingType as keyof typeof places];
      if (shards <= count) return null;
      return `${shards} column shards of ${option.kernel} need as many ${what}, and there are ${count}`;
    },
  },
  {
    name: "columns-by-four",
    reason: "a rank's columns are no multiple of 4, which fused and key-value kernels refuse",
    ofKernels: true,
    broken: ({ constants }, table, { shardingType, kernel }) => {
      const width = shardWidth(table, shardingType, constants);
      if (!FUSED_KERNELS.has(kernel) || width % 4 === 0) return null;
      return `${width} columns on a rank are no multiple of 4, which fused and key-value kernels refuse`;
    },
  },
  {
    name: "row-width",
    reason: "a rank's rows are wider than FBGEMM's kernels take, or answer rightly for",
    ofKernels: true,
    broken: ({ topology, constants, release }, table, { shardingType, kernel }) => {
      const width = shardWidth(table, shardingType, constants);
      if (!FUSED_KERNELS.has(kernel) || topology.computeDevice !== "cuda") return null;
      if (width > WIDEST) return `rows of ${width} elements are wider than the ${WIDEST} that FBGEMM's kernels take`;
      if (release !== "1.4" || width <= WIDEST_OF_1_4) return null;
      return `rows of ${width} elements are wider than the ${WIDEST_OF_1_4} for which FBGEMM 1.4 answers rightly`;
    },
  },
  {
    name: "fewer-buckets",
    reason: "there are fewer buckets than ranks, and none is split",
    broken: ({ topology: { worldSize } }, { buckets }, { shardingType }) =>
      shardingType !== "row_wise" || buckets === undefined || buckets >= worldSize
        ? null
        : `${buckets} buckets cannot be split over ${worldSize} ranks`,
  },
  {
    name: "even-buckets-in-inference",
    reason: "inference deals ids of row_wise tables by as many buckets on every rank",
    broken: ({ topology: { worldSize }, settings }, { buckets, sharder }, { shardingType }) => {
      const isServed = settings.isInference || sharder === "quant_embedding_bag_collection";
      if (!isServed || shardingType !== "row_wise" || buckets === undefined || buckets % worldSize === 0) return null;
      return `${buckets} buckets are not as many on each of ${worldSize} ranks, which inference needs`;
    },
  },
  {
    name: "virtual-buckets",
    reason: "virtual tables are dealt by buckets, and total_num_buckets is missing or does not divide the rows",
    broken: (_, { rows, buckets }, { kernel }) => {
      if (!VIRTUAL_KERNELS.has(kernel) || (buckets !== undefined && rows % buckets === 0)) return null;
      return `${kernel} needs total_num_buckets that divides the ${rows} rows${buckets === undefined ? "" : `, not ${buckets}`}`;
    },
  },
  {
    name: "pooled-dram-ssd",
    reason: "dram_ssd_virtual_table is for sequences alone",
    broken: (_, { sharder }, { kernel }) =>
      kernel === "dram_ssd_virtual_table" && sharder !== "embedding_collection"
        ? "dram_ssd_virtual_table is refused for pooled embeddings"
        : null,
  },
  {
    name: "cache-share",
    reason: "a cache's load factor is not between 0 and 1",
    broken: (_, { cacheLoadFactor }, { kernel, loadFactor = cacheLoadFactor }) =>
      !CACHING_KERNELS.has(kernel) || loadFactor === undefined || (loadFactor > 0 && loadFactor < 1)
        ? null
        : `${kernel} takes a cache_load_factor between 0 and 1, not ${loadFactor}`,
  },
];

/**
 * Whether no rank may have two of an option's shards: of key-value tables that are cut by columns (planner/partitioners.py,
 * `_column_wise_device_partition`, torchrec#3648).
 */
export function needsDistinctRanks({ shardingType, kernel }: RuledOption): boolean {
  return isCutByColumns(shardingType) && KEY_VALUE_KERNELS.has(kernel);
}

/** The rules that an option of a table breaks, and how. */
export function brokenRules(
  problem: TorchrecProblem,
  table: TorchrecTable,
  option: RuledOption,
): readonly { readonly rule: RunRule; readonly how: string }[] {
  return RUN_RULES.flatMap((rule) => {
    const how = rule.broken(problem, table, option);
    return how === null ? [] : [{ rule, how }];
  });
}

/**
 * What TorchRec runs only where it is told so, or not in every release: a switch that is off, or a release that no version of the
 * problem rules out. In words that follow the table's name.
 */
export function runConditions(
  problem: TorchrecProblem,
  table: TorchrecTable,
  { shardingType, kernel }: RuledOption,
): readonly string[] {
  const { topology, constants, settings } = problem;
  const { buckets } = table;
  const width = shardWidth(table, shardingType, constants);
  const isUneven = shardingType === "row_wise" && buckets !== undefined && buckets % topology.worldSize !== 0;
  const isWide =
    FUSED_KERNELS.has(kernel) && topology.computeDevice === "cuda" && width > WIDEST_OF_1_4 && width <= WIDEST;
  return [
    ...(isUneven && !settings.isInference
      ? [
          `${buckets} buckets are not as many on each of ${topology.worldSize} ranks (rows ${rowsText(problem, table)}): for a managed-collision table TorchRec from 2026-06-25 on plans this only with uneven buckets enabled (enable_uneven_buckets_mpzch)`,
        ]
      : []),
    ...(isWide
      ? [`rows of ${width} elements: with FBGEMM 1.4 look-ups of more than ${WIDEST_OF_1_4} are wrong (torchrec#3673)`]
      : []),
  ];
}

/** Rows of a row_wise table rank by rank, neighbours with as many as one: `20000 ×2, 10000 ×6`. */
function rowsText({ topology, constants }: TorchrecProblem, table: TorchrecTable): string {
  const shapes = shardShapes(table, "row_wise", topology, constants);
  return runsOf(shapes, (a, b) => a.sizes[0] === b.sizes[0])
    .map((run) => (run.length === 1 ? `${run[0]?.sizes[0]}` : `${run[0]?.sizes[0]} ×${run.length}`))
    .join(", ");
}
