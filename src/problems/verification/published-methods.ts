import type { PlacementModel } from "../../../models/table-placement/from-instance.js";
import type { TowerProblem } from "../../../models/tower-partition/problem.js";
import type { RowClasses } from "../../access/row-classes.js";
import type { RowTiersInstance } from "../../instance/instance.js";
import type { BaselineRuns } from "../row-tiers/plan-file/baseline.js";
import type { BaselinePlacement } from "../table-placement/plan-file/baseline.js";
import type { BaselineTowers } from "../tower-partition/plan-file/baseline.js";

/** A row-tiers instance with the classes of rows of each table. */
export interface RowTiersAccess {
  readonly instance: RowTiersInstance;
  readonly access: readonly RowClasses[];
}

/**
 * The published methods of every problem, handed to the verifier from outside: it imports none of them. Running a method again
 * shows that a plan's baseline is what the method gives; what the baseline is worth is evaluated by the verifier alone.
 */
export interface PublishedMethods {
  readonly rowTiers: MethodsOf<RowTiersAccess, BaselineRuns>;
  readonly placement: MethodsOf<PlacementModel, BaselinePlacement>;
  readonly towers: MethodsOf<TowerProblem, BaselineTowers>;
}

export interface MethodsOf<Input, Result> {
  /** The methods that a plan is shown beside, in their order; those that do not apply among them. */
  baselines(input: Input): readonly string[];
  /** Runs a method, with the plan's seed. */
  run(method: string, input: Input, seed: number): Rerun<Result>;
}

/** What running a method again came to. */
export type Rerun<Result> =
  | { readonly kind: "result"; readonly result: Result }
  /** It is none for this instance, and no plan lists it. */
  | { readonly kind: "not-applicable" }
  /** It was not run to its end: why. */
  | { readonly kind: "left-out"; readonly reason: string };
