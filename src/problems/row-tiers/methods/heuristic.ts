import type { RowClasses } from "../../../access/row-classes.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import type { RowTiersInstance, Tier } from "../../../instance/types/row-tiers.js";

/** What a method made of an instance. */
export type RowTiersHeuristicResult = HeuristicPlan | NotApplicable;

/** A plan, which may be over the instance's budget: no method here promises to keep to it. */
export interface HeuristicPlan {
  readonly kind: "plan";
  readonly assignment: Assignment;
  /**
   * FlexShard's points of interest (figure 5, section 4.3), from the method that defines them (`flexshard-2tier`): how many of the
   * hottest rows are data_parallel, the rest row_wise. A saves the most memory, B uses up the budget (memory-neutral, in the
   * paper), C communicates the least (without latency), D replicates every row.
   */
  readonly points?: Readonly<Record<"a" | "b" | "c" | "d", number>>;
}

/** The method needs something that the instance does not have; not an error. */
export interface NotApplicable {
  readonly kind: "not-applicable";
  /** In words, such as `needs the tier flex, which the instance does not allow`. */
  readonly reason: string;
}

/** One published method. `access` holds one entry per table. Deterministic; time linear in the classes (and a sort). */
export type RowTiersHeuristic = (instance: RowTiersInstance, access: readonly RowClasses[]) => RowTiersHeuristicResult;

/** `NotApplicable` when the instance does not allow one of the tiers, `null` when it allows them all. */
export function missingTier(instance: RowTiersInstance, tiers: readonly Tier[]): NotApplicable | null {
  const missing = tiers.find((tier) => !instance.tiers.includes(tier));
  if (missing === undefined) return null;
  return { kind: "not-applicable", reason: `needs the tier ${missing}, which the instance does not allow` };
}

/**
 * A black-box strategy (FlexShard, section 3.1): every row of every table in one tier. `row_wise` is FlexShard's baseline, and
 * TorchRec's only plan for sequence tables.
 */
export function uniform(tier: Tier): RowTiersHeuristic {
  return (instance) =>
    missingTier(instance, [tier]) ?? { kind: "plan", assignment: instance.tables.map(({ rows }) => [{ rows, tier }]) };
}
