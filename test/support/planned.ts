import type { RowTiersInstance } from "../../src/instance/types/row-tiers.js";
import type { TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import { planPreparedTowersWithTables } from "../../src/problems/joint-towers/solve/plan.js";
import type { PlanOptions } from "../../src/problems/plan-options.js";
import { comparePrepared } from "../../src/problems/row-tiers/solve/compare.js";
import { planPrepared, prepareRowTiers } from "../../src/problems/row-tiers/solve/plan.js";
import { comparePreparedTowers } from "../../src/problems/tower-partition/solve/compare.js";
import { prepareTowers } from "../../src/problems/tower-partition/solve/plan.js";

/** The plan of a row-tiers instance, by its own type. */
export async function planRowTiers(source: RowTiersInstance | string, options: PlanOptions = {}) {
  return planPrepared(await prepareRowTiers(source, options.standardInput), options);
}

/** Every method on a row-tiers instance. */
export async function compareRowTiers(source: RowTiersInstance | string, options: PlanOptions = {}) {
  return comparePrepared(await prepareRowTiers(source, options.standardInput), options);
}

/** The plan of a tower-partition instance, with tables or without. */
export async function planTowerPartition(source: TowerPartitionInstance | string, options: PlanOptions = {}) {
  return planPreparedTowersWithTables(await prepareTowers(source, options.standardInput), options);
}

/** Every method on a tower-partition instance. */
export async function compareTowerPartition(source: TowerPartitionInstance | string, options: PlanOptions = {}) {
  return comparePreparedTowers(await prepareTowers(source, options.standardInput), options);
}
