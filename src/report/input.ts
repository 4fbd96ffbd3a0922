import type { PlanTier, RowTiersPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import type { TablePlacementPlan } from "../problems/table-placement/plan-file/plan-file.js";
import type { TowerPartitionPlan } from "../problems/tower-partition/plan-file/plan-file.js";
import type { FrontierAnswer } from "../text/optimality.js";

/** One plan of a page: its file, what checking it came to, and what the instance adds to the charts. */
export type ReportPlan =
  | (ReportFile<RowTiersPlan> & { readonly problem: "row-tiers"; readonly charts: RowTiersCharts | null })
  | (ReportFile<TablePlacementPlan> & { readonly problem: "table-placement"; readonly charts: PlacementCharts | null })
  | (ReportFile<TowerPartitionPlan> & { readonly problem: "tower-partition"; readonly charts: TowerCharts | null });

/** A plan of any problem with its file. */
export interface ReportFile<Plan> {
  readonly plan: Plan;
  /** The file's name, and its text as it was read. */
  readonly file: string;
  readonly text: string;
  readonly check: ReportCheck;
  /** What the instance says; `null` where it could not be read, or is another by now. */
  readonly instance: ReportInstance | null;
}

/** What checking the plan came to while the page was made. */
export type ReportCheck =
  | {
      readonly kind: "passed";
      readonly checks: readonly ReportFinding[];
      /** Fields that no check covers, and why. */
      readonly notChecked: readonly { readonly path: string; readonly reason: string }[];
    }
  | {
      readonly kind: "failed";
      readonly checks: readonly ReportFinding[];
      /** Fields that are not what they should be. */
      readonly differences: readonly string[];
    }
  /** The instance was not there: why. */
  | { readonly kind: "unchecked"; readonly reason: string };

/** One thing that was looked at. */
export interface ReportFinding {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

export interface ReportInstance {
  /** Where the instance's numbers come from, in its own words. */
  readonly source: string | null;
  /** Facts about it, such as the cluster: names and texts. */
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** What row-tiers charts need beside the plan. */
export interface RowTiersCharts {
  /** In the order of the plan's tables: rows of each class, and the expected appearances of one of them in a sample. */
  readonly access: readonly { readonly rows: ArrayLike<number>; readonly appearances: ArrayLike<number> }[];
  /** Every published method; the plan itself is not among them. */
  readonly methods: readonly MethodPlan[];
  /** `null`: could not be computed in the time there was. */
  readonly frontier: FrontierData | null;
}

/** What a published method makes of a row-tiers instance. */
export interface MethodPlan {
  readonly method: string;
  /** Why it does not apply; `null` where it does, and all else is there. */
  readonly reason: string | null;
  /** Seconds of the instance's objective. */
  readonly value: number;
  readonly isWithin: boolean;
  readonly bytesPerGpu: number;
  /** Seconds with latency by collective. */
  readonly collectives: Readonly<Record<string, number>>;
  /** Bytes per GPU by tier. */
  readonly tiers: readonly Pick<PlanTier, "tier" | "memoryBytesPerGpu">[];
}

/** Bytes per GPU and seconds per iteration. */
export interface FrontierPoint {
  readonly bytesPerGpu: number;
  readonly value: number;
}

/** The memory/latency frontier, as `shardproof frontier` computes it. */
export interface FrontierData {
  /** Of the relaxation: no plan is below the lines between them. */
  readonly breakPoints: readonly FrontierPoint[];
  readonly optimal: readonly (FrontierPoint & FrontierAnswer)[];
  /** By published method, at the same budgets. */
  readonly greedyByMethod: Readonly<
    Record<string, { readonly points: readonly { readonly bytesPerGpu: number; readonly value: number | null }[] }>
  >;
  /** FlexShard's points of figure 5. */
  readonly points: Readonly<Record<"a" | "b" | "c" | "d", FrontierPoint & { readonly rows: number }>> | null;
}

/** What table-placement charts need beside the plan. */
export interface PlacementCharts {
  /** Methods that `compare` has and the plan file has not, because they draw what they try or take long here. */
  readonly notRun: readonly string[];
  /** Every shard with its device, in the order of the tables. */
  readonly shards: readonly PlacedShard[];
}

export interface PlacedShard {
  readonly device: number;
  /** As the plan names it: of a table in several shards, `NAME#0`, `NAME#1`, …. */
  readonly name: string;
  readonly shardingType: string;
  /** `null` where what a device costs is not a sum over its shards. */
  readonly cost: number | null;
  readonly hbmBytes: number;
}

/** What tower charts need beside the plan. */
export interface TowerCharts {
  /** As in {@link PlacementCharts}. */
  readonly notRun: readonly string[];
  readonly features: readonly string[];
  /** I(i, j), F × F. */
  readonly interaction: readonly (readonly number[])[];
  /** A point of the plane for each feature, and the stress of all of them: how far their distances are off. */
  readonly plane: { readonly points: readonly (readonly [x: number, y: number])[]; readonly stress: number };
}
