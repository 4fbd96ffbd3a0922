import { breakPoints } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import type {
  FormulaCostModel,
  PlacedTable,
  ShardingNeed,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../instance/types/table-placement.js";

/** What a formula sees of a shard: its table's features, with the columns that the shard has as `dim`. */
export type ShardFeatures = Pick<TableFeatures, "rows" | "dim" | "elementBytes" | "poolingFactor" | "extraBytesPerRow">;

/**
 * A cost that is a formula of a shard's features, as AutoShard and its family compare tables by. It is additive: what a
 * device pays is the sum over its shards.
 */
export type CostFormula = (shard: ShardFeatures) => number;

/** Bytes of a shard's parameters. */
export function shardBytes({ rows, dim, elementBytes }: ShardFeatures): number {
  return rows * dim * elementBytes;
}

/** The same with what is kept beside the elements of each row. */
export function heldBytes(shard: ShardFeatures): number {
  return shardBytes(shard) + Math.ceil(shard.rows * (shard.extraBytesPerRow ?? 0));
}

/** NeuroShard cuts columns into parts whose width is a multiple of this: 16 bytes of fp32. */
export const WIDTH_STEP = 4;

/**
 * The numbers of equal parts, of at most `most`, into which a table of width `dim` may be cut by columns: 1, and every k
 * that leaves parts whose width is a multiple of four (as NeuroShard's halvings do). Rising.
 */
export function columnCuts(dim: number, most: number): readonly number[] {
  const cuts = [1];
  for (let parts = 2; parts <= most && parts * WIDTH_STEP <= dim; parts++) {
    if (dim % (parts * WIDTH_STEP) === 0) cuts.push(parts);
  }
  return cuts;
}

const FORMULAS: Readonly<Record<FormulaCostModel, CostFormula>> = {
  /** AutoShard, section 5.1: rows · dim · bytes per element, in GiB. */
  size: (shard) => shardBytes(shard) / 2 ** 30,
  /** AutoShard, section 5.1: elements per row. */
  dim: ({ dim }) => dim,
  /** AutoShard, section 5.1: dim · mean pooling factor, the elements that a sample reads. */
  lookup: ({ dim, poolingFactor }) => dim * (poolingFactor ?? 0),
  /** DreamShard and NeuroShard, public code: dim · mean pooling factor · log10(rows). */
  "size-lookup": ({ rows, dim, poolingFactor }) => dim * (poolingFactor ?? 0) * Math.log10(rows),
};

/**
 * The ways to shard a table whose cost is a formula of its features: whole, and cut by columns into the numbers of parts
 * that {@link columnCuts} allows up to `mostShards`. A part costs what the formula says of its own width.
 */
export function formulaOptions(
  model: FormulaCostModel,
  features: TableFeatures,
  mostShards: number,
): readonly ShardingOption[] {
  return columnCuts(features.dim, mostShards).map((parts) =>
    columnOption([[parts, needOf(model, { ...features, dim: features.dim / parts })]]),
  );
}

/** A table that is whole, or by columns in several shards. */
export function columnOption(shards: ShardingOption["shards"]): ShardingOption {
  const isWhole = shards.reduce((sum, [count]) => sum + count, 0) === 1;
  return { shardingType: isWhole ? "table_wise" : "column_wise", kernel: "fused", partitionBy: "device", shards };
}

/**
 * The same with the hottest rows, up to a break-point of the table's access curve, copied to every device. A copy is a table of
 * those rows that looks up what its device's own samples do, one part in as many as there are devices; what is left is a
 * table of the other rows with the other look-ups. The formulas know no synchronisation of copies.
 */
export function hotFormulaOptions(
  model: FormulaCostModel,
  { access, features }: Extract<PlacedTable, { readonly kind: "features" }>,
  { hotRows, cluster: { nodes, gpusPerNode } }: Pick<TablePlacementInstance, "hotRows" | "cluster">,
  mostShards: number,
): readonly ShardingOption[] {
  const devices = nodes * gpusPerNode;
  if (access === undefined || hotRows === undefined || devices === 1) return [];
  const part = (rows: number, share: number): TableFeatures => {
    const { poolingFactor } = features;
    return { ...features, rows, poolingFactor: poolingFactor === null ? null : poolingFactor * share };
  };
  return breakPoints(knownClasses(access, features.rows), hotRows.maxPoints).flatMap(({ rows, share }) => {
    const hot = { rows, share, need: needOf(model, part(rows, share / devices)) };
    const cold = formulaOptions(model, part(features.rows - rows, 1 - share), mostShards);
    return cold.map((option) => ({ ...option, hot }));
  });
}

function needOf(model: FormulaCostModel, shard: TableFeatures): ShardingNeed {
  return { cost: FORMULAS[model](shard), hbmBytes: heldBytes(shard), hostBytes: 0 };
}
