import type { ROW_TIERS_PUBLISHED } from "../../../plan-file/method-names.js";
import { flexshard2tier, flexshard3tier } from "./flexshard.js";
import { type RowTiersHeuristic, uniform } from "./heuristic.js";
import { hugectrThreshold } from "./hugectr-threshold.js";
import { recshardLike } from "./recshard-like.js";

/** The methods that `compare` holds against the optimum, under the names that `--method` takes. */
export const rowTiersHeuristics = {
  "row-wise": uniform("row_wise"),
  "column-wise": uniform("column_wise"),
  "data-parallel": uniform("data_parallel"),
  "flexshard-2tier": flexshard2tier,
  "flexshard-3tier": flexshard3tier,
  "hugectr-threshold": hugectrThreshold,
  "recshard-like": recshardLike,
} as const satisfies Readonly<Record<(typeof ROW_TIERS_PUBLISHED)[number], RowTiersHeuristic>>;

export type RowTiersHeuristicName = keyof typeof rowTiersHeuristics;
