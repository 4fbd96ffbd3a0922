import { compareInstance } from "../problems/compare.js";
import type { Instance } from "../problems/instances.js";
import type { RowTiersInstance } from "../problems/row-tiers/instance/instance.js";
import type { CompareRow } from "../problems/row-tiers/solve/compare.js";
import type { TablePlacementInstance } from "../problems/table-placement/instance/instance.js";
import type { PlacementComparison } from "../problems/table-placement/solve/compare.js";
import type { TowerPartitionInstance } from "../problems/tower-partition/instance/instance.js";
import type { TowerComparison } from "../problems/tower-partition/solve/compare.js";
import { instanceOf, type PlanOptions } from "./plan.js";

/** Every method on one instance; `problem` tells them apart. */
export type Comparison =
  | { readonly problem: "row-tiers"; readonly rows: readonly CompareRow[] }
  | ({ readonly problem: "table-placement" } & PlacementComparison)
  | ({ readonly problem: "tower-partition" } & TowerComparison);

type ComparisonOf<Problem extends Comparison["problem"]> = Extract<Comparison, { readonly problem: Problem }>;

/** What a comparison may be asked: all of it within one time limit. */
export type CompareOptions = Omit<PlanOptions, "method">;

/**
 * Every method that applies on one instance, the exact one first: value, distance from the proved bound, seconds.
 *
 * ```ts
 * const { rows } = await compare("instances/tiny/placement-torchrec.yaml");
 * for (const { method, value, gap } of rows) console.log(method, value, gap);
 * ```
 *
 * Throws as `plan` does.
 */
export function compare(source: RowTiersInstance, options?: CompareOptions): Promise<ComparisonOf<"row-tiers">>;
export function compare(
  source: TablePlacementInstance,
  options?: CompareOptions,
): Promise<ComparisonOf<"table-placement">>;
export function compare(
  source: TowerPartitionInstance,
  options?: CompareOptions,
): Promise<ComparisonOf<"tower-partition">>;
export function compare(source: Instance | string, options?: CompareOptions): Promise<Comparison>;
export async function compare(source: Instance | string, options: CompareOptions = {}): Promise<Comparison> {
  return (await compareInstance(await instanceOf(source), options)) as Comparison;
}
