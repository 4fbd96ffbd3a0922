import type { CostData } from "../../cost/neural/cost-data.js";
import type { NetworkTable } from "../../cost/neural/features.js";

/** The features that table 2 removes, one at a time; `size` is the product of rows, width and bytes per element. */
export const BLINDED_FEATURES = ["dim", "rows", "poolingFactor", "size", "accessBins"] as const;

export type BlindedFeature = (typeof BLINDED_FEATURES)[number];

/**
 * The table with one feature the same for all tables, so that a network learns nothing from it. The bytes per element take up
 * what a missing width or number of rows would change in the size, which is a feature of its own.
 */
export function blinded(table: NetworkTable, feature: BlindedFeature): NetworkTable {
  const { rows, dim, elementBytes } = table;
  switch (feature) {
    case "dim":
      return { ...table, dim: 1, elementBytes: elementBytes * dim };
    case "rows":
      return { ...table, rows: 1, elementBytes: elementBytes * rows };
    case "poolingFactor":
      return { ...table, poolingFactor: 0 };
    case "size":
      return { ...table, elementBytes: 0 };
    case "accessBins":
      return { ...table, accessBins: table.accessBins.map(() => 0) };
  }
}

/** Measured costs of tables of which one feature is hidden. */
export function blindedData(data: CostData, feature: BlindedFeature): CostData {
  return { ...data, tables: data.tables.map((table) => blinded(table, feature)) };
}
