import { type DataType, ELEMENT_BYTES } from "../../../instance/data-type.js";
import type { ShardingOption, TableFeatures } from "../../../instance/types/table-placement.js";

/** Features as a table of an instance may have them. */
export interface FeaturesOfTable {
  readonly rows?: number | undefined;
  readonly dim?: number | undefined;
  readonly dataType?: DataType;
  readonly poolingFactor?: number | undefined;
  readonly accessBins?: readonly number[] | undefined;
  readonly extraBytesPerRow?: number | undefined;
}

/** The features of a table; `null` unless it has its rows and width. */
export function featuresOf(table: FeaturesOfTable & { readonly rows: number; readonly dim: number }): TableFeatures;
export function featuresOf(table: FeaturesOfTable): TableFeatures | null;
export function featuresOf(table: FeaturesOfTable): TableFeatures | null {
  const { rows, dim, dataType = "fp32", poolingFactor = null, accessBins = null, extraBytesPerRow } = table;
  if (rows === undefined || dim === undefined) return null;
  const known = { rows, dim, dataType, elementBytes: ELEMENT_BYTES[dataType], poolingFactor, accessBins };
  return extraBytesPerRow === undefined ? known : { ...known, extraBytesPerRow };
}

/** A table that is given by its cost has one way to be sharded: whole, on any device. */
export function optionsOfGiven(table: {
  readonly cost: number;
  readonly bytes: number;
  readonly hostBytes: number;
}): readonly ShardingOption[] {
  const { cost, bytes: hbmBytes, hostBytes } = table;
  const shards = [[1, { cost, hbmBytes, hostBytes }]] as const;
  return [{ shardingType: "table_wise", kernel: "fused", partitionBy: "device", shards }];
}
