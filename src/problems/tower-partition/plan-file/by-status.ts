import { type ByStatus, type Having, statusTable, type Without } from "../../../plan-file/by-status.js";
import type { TOWER_PUBLISHED } from "../../../plan-file/method-names.js";
import type { TowerPartitionPlan as TowersFile } from "./plan-file.js";

/** What the file tells of a decision. */
export const DIVIDED = ["towers", "sizes", "towerCosts"] as const;
export type Divided = (typeof DIVIDED)[number];
export type DividedFeatures = Having<TowersFile, Divided>;
export type NoTowers = Without<Divided>;

/** A partition of features alone. */
export type TowersPlan = ByStatus<TowersFile, Divided, (typeof TOWER_PUBLISHED)[number]> & {
  readonly joint?: undefined;
};

/** The same as a table. */
export const TOWERS_STATUSES = statusTable(DIVIDED);
