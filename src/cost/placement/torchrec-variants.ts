import { breakPoints, classesAfter, expectedDistinctRows } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import type { RowClasses } from "../../access/row-classes.js";
import type { Access } from "../../instance/access.js";
import type { CachesChoice } from "../../instance/hot-rows.js";
import type { ChosenCache, TablePlacementInstance } from "../../instance/types/table-placement.js";
import { estimateOption, type TorchrecOption, tableOptions } from "../torchrec/enumerate.js";
import { kernelsOf } from "../torchrec/kernels.js";
import type { TorchrecProblem, TorchrecTable } from "../torchrec/problem.js";
import { tableQuantities } from "../torchrec/quantities.js";
import type { ShardEstimate } from "../torchrec/shard-runs.js";
import { shardingTypesOf } from "../torchrec/sharding-types.js";

/** An option of TorchRec's, with what is chosen beside sharding type and kernel. */
export interface TorchrecVariant {
  /** Of the whole table, or of what is left of it without its hot rows. */
  readonly option: TorchrecOption;
  /** Hot rows that every device has a copy of, what they take, and what a copy needs. */
  readonly hot?: { readonly rows: number; readonly share: number; readonly estimate: ShardEstimate };
  readonly cache?: ChosenCache;
}

/** The kernel whose cache in HBM may have any size. */
const CACHED = "fused_uvm_caching";

/**
 * The options of a table (`tableOptions`), where the instance allows it with several sizes of the cache, and with hot rows at
 * break-points of the access curve. Hot rows are a table of r rows with c(r) of the look-ups, sharded data_parallel; the others
 * are a table of R − r rows with the rest of the look-ups and any option but data_parallel. What adding the two outputs takes is
 * in no formula of TorchRec's.
 *
 * Sizes of caches: TorchRec's formulas with the load factor f, and as its statistics the distinct rows that a global batch is
 * expected to read, and the share of them that is not among the f · R hottest rows.
 */
export function tableVariants(
  problem: TorchrecProblem,
  table: TorchrecTable,
  { hotRows, caches }: Pick<TablePlacementInstance, "hotRows" | "caches">,
  access: Access | undefined,
): readonly TorchrecVariant[] {
  // Buckets and virtual rows are not in the order of access.
  const isPlain = table.buckets === undefined && table.useVirtualTable !== true;
  if (access === undefined || !isPlain) return plain(tableOptions(problem, table));
  const classes = knownClasses(access, table.rows);
  const whole = cachesOf(problem, table, classes, caches);
  const { computeDevice, worldSize } = problem.topology;
  const mayReplicate = worldSize > 1 && shardingTypesOf(table.sharder, computeDevice).includes("data_parallel");
  if (hotRows === undefined || !mayReplicate) return whole;
  const splits = breakPoints(classes, hotRows.maxPoints).flatMap(({ rows, share }) => {
    const hot = { rows, share, estimate: copyOf(problem, partOfTable(table, rows, share)) };
    const rest = partOfTable(table, table.rows - rows, 1 - share);
    const variants = cachesOf(problem, rest, classesAfter(classes, rows), caches, (cache) => ({
      ...cache,
      isPublished: false,
    }));
    return variants
      .filter(({ option }) => option.shardingType !== "data_parallel")
      .map((variant) => ({ ...variant, hot }));
  });
  return [...whole, ...splits];
}

function plain(options: readonly TorchrecOption[]): TorchrecVariant[] {
  return options.map((option) => ({ option }));
}

/** A table of some of the rows, with a share of the look-ups. */
export function partOfTable(table: TorchrecTable, rows: number, share: number): TorchrecTable {
  return {
    ...table,
    rows,
    features: table.features.map((feature) => ({ ...feature, length: feature.length * share })),
  };
}

/** All copies are alike. */
function copyOf(problem: TorchrecProblem, table: TorchrecTable): ShardEstimate {
  const [kernel] = kernelsOf(table.sharder, "data_parallel", problem.topology.computeDevice);
  const [run] = estimateOption(problem, table, "data_parallel", kernel as TorchrecOption["kernel"]).estimates;
  return (run as TorchrecOption["estimates"][number]).estimate;
}

function cachesOf(
  problem: TorchrecProblem,
  table: TorchrecTable,
  classes: RowClasses,
  caches: CachesChoice | undefined,
  named: (cache: ChosenCache) => ChosenCache = (cache) => cache,
): readonly TorchrecVariant[] {
  const options = tableOptions(problem, table);
  const isCached = ({ kernel }: TorchrecOption) => kernel === CACHED;
  if (caches === undefined || !options.some(isCached)) return plain(options);
  const sizes = sizesOf(problem, table, classes, caches).map((loadFactor, k) => {
    const sized = withCacheOf(problem, table, classes, loadFactor);
    const { missRate } = sized.cacheStatistics;
    const cache = named({ loadFactor, missRate, isPublished: k === 0 });
    return { cache, options: tableOptions(problem, sized, (kernel) => kernel === CACHED) };
  });
  return [
    ...plain(options.filter((option) => !isCached(option))),
    ...sizes.flatMap(({ cache, options: own }) => own.map((option) => ({ option, cache }))),
  ];
}

/** A table with a cache of this size, and what that is expected to serve of a global batch. */
export function withCacheOf(problem: TorchrecProblem, table: TorchrecTable, classes: RowClasses, loadFactor: number) {
  // Indices that all ranks look up in a step.
  const lookups = tableQuantities(table, problem.release).inputs * problem.topology.worldSize;
  const expectedLookups = expectedDistinctRows(classes, lookups);
  const missed = expectedDistinctRows(classes, lookups, cachedRows(table, loadFactor));
  const missRate = expectedLookups === 0 ? 0 : Math.min(1, missed / expectedLookups);
  return { ...table, cacheLoadFactor: loadFactor, cacheStatistics: { expectedLookups, missRate } };
}

/** Rows that a cache of this size holds: the hottest, as its misses are estimated. */
export function cachedRows({ rows }: Pick<TorchrecTable, "rows">, loadFactor: number): number {
  return Math.floor(loadFactor * rows);
}

/** Load factors, first the one that published methods have. */
function sizesOf(
  { settings, constants }: TorchrecProblem,
  table: TorchrecTable,
  classes: RowClasses,
  caches: CachesChoice,
): readonly number[] {
  if ("loadFactors" in caches) return [...new Set(caches.loadFactors)];
  // As in TorchRec, a load factor of 0 is none.
  const own = (table.cacheLoadFactor ?? settings.cacheLoadFactor) || constants.UVM_CACHING_RATIO;
  const corners = breakPoints(classes, caches.maxPoints).map(({ rows }) => rows / table.rows);
  return [...new Set([own, ...corners])];
}
