import type { ReportOf } from "../../../report/input.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";

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

export type TowersReport = ReportOf<TowerPartitionPlan, TowerCharts>;
