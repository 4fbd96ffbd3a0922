import { breakPoints } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import type {
  FormulaCostModel,
  PlacedTable,
  ShardingNeed,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../problems/table-placement/instance/instance.js";
import { columnCuts } from "./column-cuts.js";
import { type CostFormula, heldBytes, shardBytes } from "./formula.js";

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
  return columnCuts(features.dim, mostShards).map((parts): ShardingOption => {
    const need = needOf(model, { ...features, dim: features.dim / parts });
    return {
      shardingType: parts === 1 ? "table_wise" : "column_wise",
      kernel: "fused",
      partitionBy: "device",
      shards: [[parts, need]],
    };
  });
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
