import type {
  FormulaCostModel,
  ShardingOption,
  TableFeatures,
} from "../../problems/table-placement/instance/instance.js";
import { columnCuts } from "./column-cuts.js";
import { dimCost } from "./dim.js";
import { type CostFormula, shardBytes } from "./formula.js";
import { lookupCost } from "./lookup.js";
import { sizeCost } from "./size.js";
import { sizeLookupCost } from "./size-lookup.js";

const FORMULAS: Readonly<Record<FormulaCostModel, CostFormula>> = {
  size: sizeCost,
  dim: dimCost,
  lookup: lookupCost,
  "size-lookup": sizeLookupCost,
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
    const shard = { ...features, dim: features.dim / parts };
    const need = { cost: FORMULAS[model](shard), hbmBytes: shardBytes(shard), hostBytes: 0 };
    return {
      shardingType: parts === 1 ? "table_wise" : "column_wise",
      kernel: "fused",
      partitionBy: "device",
      shards: [[parts, need]],
    };
  });
}
