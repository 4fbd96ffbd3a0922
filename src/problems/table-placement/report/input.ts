import type { ReportOf } from "../../../report/input.js";
import type { PlacementExplanation } from "../plan-file/explanation.js";
import type { PlacementFrontier } from "../plan-file/frontier.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import type { PlacementTrade } from "../plan-file/trade.js";

/** What table-placement charts need beside the plan. */
export interface PlacementCharts {
  /** Methods that `compare` has and the plan file has not, because they draw what they try or take long here. */
  readonly notRun: readonly string[];
  /** Devices of one host; they stand together. */
  readonly gpusPerNode: number;
  /** Every shard with its device, in the order of the tables. */
  readonly shards: readonly PlacedShard[];
  /** Why the plan is as it is; `null` without a plan. */
  readonly explanation: PlacementExplanation | null;
  /** `null` where device memory does not limit, or costs do not add up. */
  readonly frontier: PlacementFrontier | null;
  /** The second goal against the first; `null` where the instance has no list of goals. */
  readonly trade: PlacementTrade | null;
}

export interface PlacedShard {
  readonly device: number;
  /** The table that it is of. */
  readonly table: string;
  /** As the plan names it: of a table in several shards, `NAME#0`, `NAME#1`, …. */
  readonly name: string;
  readonly shardingType: string;
  /** `null` where what a device costs is not a sum over its shards. */
  readonly cost: number | null;
  readonly hbmBytes: number;
}

export type PlacementReport = ReportOf<TablePlacementPlan, PlacementCharts>;
