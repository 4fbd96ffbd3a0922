import type { Instance } from "../instance/instance.js";
import { loadInstance } from "../instance/load.js";
import type { PlanOptions } from "./plan-options.js";
import type { RowTiersPlan } from "./row-tiers/plan-file/plan-file.js";
import type { CompareRow } from "./row-tiers/solve/compare.js";
import type { PreparedRowTiers } from "./row-tiers/solve/plan.js";
import type { TablePlacementPlan } from "./table-placement/plan-file/plan-file.js";
import type { PlacementComparison } from "./table-placement/solve/compare.js";
import type { PreparedPlacement } from "./table-placement/solve/plan.js";
import type { TowerPartitionPlan } from "./tower-partition/plan-file/plan-file.js";
import type { TowerComparison } from "./tower-partition/solve/compare.js";
import type { PreparedTowers } from "./tower-partition/solve/plan.js";

/** A plan of any problem; `problem` tells them apart. */
export type Plan = RowTiersPlan | TablePlacementPlan | TowerPartitionPlan;

/** Every method on one instance, by its problem. */
export type MethodComparison =
  | { readonly problem: "row-tiers"; readonly rows: readonly CompareRow[] }
  | ({ readonly problem: "table-placement" } & PlacementComparison)
  | ({ readonly problem: "tower-partition" } & TowerComparison);

/** An instance of any problem, made ready for its methods. */
export type PreparedInstance =
  | { readonly problem: "row-tiers"; readonly prepared: PreparedRowTiers }
  | { readonly problem: "table-placement"; readonly prepared: PreparedPlacement }
  | { readonly problem: "tower-partition"; readonly prepared: PreparedTowers };

/**
 * Plans an instance of any problem (a path, or one that is read already): see `planRowTiers`, `planTablePlacement` and
 * `planTowerPartition`, which also say what is thrown.
 */
export async function planInstance(source: Instance | string, options: PlanOptions = {}): Promise<Plan> {
  return planPreparedInstance(await prepareInstance(source, options.standardInput), options);
}

/** Compares all methods on an instance of any problem. Throws as {@link planInstance} does. */
export async function compareInstance(
  source: Instance | string,
  options: Omit<PlanOptions, "method"> = {},
): Promise<MethodComparison> {
  return comparePreparedInstance(await prepareInstance(source, options.standardInput), options);
}

/** Reads an instance and makes it ready. Each problem's code is loaded when it is needed. Throws `InputError`. */
export async function prepareInstance(
  source: Instance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedInstance> {
  const started = performance.now();
  const instance = typeof source === "string" ? await loadInstance(source, standardInput) : source;
  const readSeconds = () => (performance.now() - started) / 1000;
  if (instance.problem === "row-tiers") {
    const { prepareRowTiers } = await import("./row-tiers/solve/plan.js");
    const prepared = await prepareRowTiers(instance);
    return { problem: "row-tiers", prepared: { ...prepared, readSeconds: readSeconds() } };
  }
  if (instance.problem === "tower-partition") {
    const { prepareTowers } = await import("./tower-partition/solve/plan.js");
    const prepared = await prepareTowers(instance);
    return { problem: "tower-partition", prepared: { ...prepared, readSeconds: readSeconds() } };
  }
  const { preparePlacement } = await import("./table-placement/solve/plan.js");
  const prepared = await preparePlacement(instance);
  return { problem: "table-placement", prepared: { ...prepared, readSeconds: readSeconds() } };
}

/** {@link planInstance} for an instance that is ready. */
export async function planPreparedInstance(ready: PreparedInstance, options: PlanOptions = {}): Promise<Plan> {
  if (ready.problem === "row-tiers") {
    return (await import("./row-tiers/solve/plan.js")).planPrepared(ready.prepared, options);
  }
  if (ready.problem === "tower-partition") {
    return (await import("./tower-partition/solve/plan.js")).planPreparedTowers(ready.prepared, options);
  }
  return (await import("./table-placement/solve/plan.js")).planPreparedPlacement(ready.prepared, options);
}

/** {@link compareInstance} for an instance that is ready. */
export async function comparePreparedInstance(
  ready: PreparedInstance,
  options: Omit<PlanOptions, "method"> = {},
): Promise<MethodComparison> {
  if (ready.problem === "row-tiers") {
    const { comparePrepared } = await import("./row-tiers/solve/compare.js");
    return { problem: ready.problem, rows: await comparePrepared(ready.prepared, options) };
  }
  if (ready.problem === "tower-partition") {
    const { comparePreparedTowers } = await import("./tower-partition/solve/compare.js");
    return { problem: ready.problem, ...(await comparePreparedTowers(ready.prepared, options)) };
  }
  const { comparePreparedPlacement } = await import("./table-placement/solve/compare.js");
  return { problem: ready.problem, ...(await comparePreparedPlacement(ready.prepared, options)) };
}
