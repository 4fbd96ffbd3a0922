import {
  EXACT_METHOD,
  PLACEMENT_PUBLISHED,
  ROW_TIERS_PUBLISHED,
  TOWER_PUBLISHED,
} from "../problems/plan-file/method-names.js";

/** The methods of every problem: `optimal`, which proves its plans, and the published ones under their papers' names. */
export const METHODS = {
  "row-tiers": [EXACT_METHOD, ...ROW_TIERS_PUBLISHED],
  "table-placement": [EXACT_METHOD, ...PLACEMENT_PUBLISHED],
  "tower-partition": [EXACT_METHOD, ...TOWER_PUBLISHED],
} as const;

export type RowTiersMethod = (typeof METHODS)["row-tiers"][number];
export type TablePlacementMethod = (typeof METHODS)["table-placement"][number];
export type TowerPartitionMethod = (typeof METHODS)["tower-partition"][number];

/** A method of any problem. */
export type Method = RowTiersMethod | TablePlacementMethod | TowerPartitionMethod;
