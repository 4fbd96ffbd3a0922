import type { JointStatus } from "./plan-file.js";

/**
 * What is known of where the tables of a row's towers lie, of all towers together: there are no towers; the tables of one have no
 * place, proved; of one no place is known; all have places, of which some have no bound; all have bounds; all are proved.
 */
export type PlacesStatus = "none" | "impossible" | "missing" | "unbounded" | "feasible" | "proved";

/** What may be said of a row, and what its bound is of: these towers, or any towers at all where these need not be the best. */
export interface RowClaim {
  readonly status: JointStatus;
  readonly bound: "these" | "any" | null;
}

/**
 * `partition`: of the program of all partitions of the row; `unknown` without a certificate. Only a proof about all partitions makes
 * a row infeasible; where one partition has no place, nothing is known of the others.
 */
export function rowClaim(partition: JointStatus, places: PlacesStatus): RowClaim {
  if (partition === "infeasible") return { status: "infeasible", bound: null };
  if (places === "none" || places === "impossible" || places === "missing") return { status: "unknown", bound: "any" };
  if (partition !== "proved" || places === "unbounded") return { status: "feasible", bound: "any" };
  return { status: places, bound: "these" };
}

/** Of one tower: its verdict, `unknown` without one, and whether a place is known. */
export interface TowerPlace {
  readonly status: JointStatus;
  readonly isPlaced: boolean;
}

/** Of all towers together. */
export function placesStatus(towers: readonly TowerPlace[]): PlacesStatus {
  if (towers.length === 0) return "none";
  if (towers.some(({ status }) => status === "infeasible")) return "impossible";
  if (towers.some(({ isPlaced }) => !isPlaced)) return "missing";
  if (towers.some(({ status }) => status === "unknown")) return "unbounded";
  const open = towers.find(({ status }) => status !== "proved");
  return (open ?? (towers[0] as TowerPlace)).status as PlacesStatus;
}
