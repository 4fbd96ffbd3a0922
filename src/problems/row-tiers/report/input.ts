import type { ReportOf } from "../../../report/input.js";
import type { FrontierAnswer } from "../../../text/optimality.js";
import type { PlanTier, RowTiersPlan } from "../plan-file/plan-file.js";

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

export type RowTiersReport = ReportOf<RowTiersPlan, RowTiersCharts>;
