import {
  type Bounded,
  type Feasible,
  type Goal,
  type Infeasible,
  type NoValue,
  type Open,
  type Proved,
  statusTable,
  type Told,
  type Unbounded,
  type Unproved,
} from "../../plan-file/by-status.js";
import type { EXACT_METHOD, TOWER_PUBLISHED } from "../../plan-file/method-names.js";
import type { TowerPartitionPlan as TowersFile } from "./plan-file.js";

/** A partition of features alone. */
export type TowersPlan = ProvedTowers | Feasible<ProvedTowers> | HeuristicTowers | UnknownTowers | InfeasibleTowers;

export type Divided = "towers" | "sizes" | "towerCosts";
type TowersRest = Omit<TowersFile, Told | Divided | "joint"> & { readonly joint?: undefined };
export type DividedFeatures = { readonly [Key in Divided]: NonNullable<TowersFile[Key]> };
export type NoTowers = { readonly [Key in Divided]: null };

export interface ProvedTowers extends TowersRest, DividedFeatures, Proved<TowersFile> {
  readonly objective: Goal<TowersFile["objective"], Bounded>;
}

export interface HeuristicTowers extends TowersRest, DividedFeatures, Unproved {
  readonly status: "heuristic";
  readonly method: (typeof TOWER_PUBLISHED)[number];
  readonly objective: Goal<TowersFile["objective"], Unbounded>;
}

export interface UnknownTowers extends TowersRest, Pick<TowersFile, Divided>, Unproved {
  readonly status: "unknown";
  readonly method: typeof EXACT_METHOD;
  readonly objective: Goal<TowersFile["objective"], Open>;
}

export interface InfeasibleTowers extends TowersRest, NoTowers, Infeasible<TowersFile> {
  readonly objective: Goal<TowersFile["objective"], NoValue>;
}

/** What the file tells of a decision. */
export const DIVIDED = ["towers", "sizes", "towerCosts"] as const;

/** The same as a table. */
export const TOWERS_STATUSES = statusTable(DIVIDED);
