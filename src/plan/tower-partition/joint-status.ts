import type { JointStatus } from "./joint-plan-file.js";

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

/** A claim by its parts; `own`: the status of the partition's verdict. */
interface Entry {
  readonly status: "own" | "feasible" | "unknown";
  readonly bound: RowClaim["bound"];
}

const AS_PROVED: Entry = { status: "own", bound: "these" };
const BOUNDED: Entry = { status: "feasible", bound: "these" };
const PLACED: Entry = { status: "feasible", bound: "any" };
const OPEN: Entry = { status: "unknown", bound: "any" };
const NONE: Entry = { status: "own", bound: null };

const IF_PROVED: Readonly<Record<PlacesStatus, Entry>> = {
  ...{ none: OPEN, impossible: OPEN, missing: OPEN },
  ...{ unbounded: PLACED, feasible: BOUNDED, proved: AS_PROVED },
};
const IF_OPEN: Readonly<Record<PlacesStatus, Entry>> = {
  ...{ none: OPEN, impossible: OPEN, missing: OPEN },
  ...{ unbounded: PLACED, feasible: PLACED, proved: PLACED },
};
const IF_INFEASIBLE: Readonly<Record<PlacesStatus, Entry>> = {
  ...{ none: NONE, impossible: NONE, missing: NONE },
  ...{ unbounded: NONE, feasible: NONE, proved: NONE },
};

/**
 * By what is known of the partition, then of its places. Only a proof about all partitions makes a row infeasible; where one partition
 * has no place, nothing is known of the others.
 */
const CLAIMS: Readonly<Record<JointStatus, Readonly<Record<PlacesStatus, Entry>>>> = {
  proved: IF_PROVED,
  feasible: IF_OPEN,
  unknown: IF_OPEN,
  infeasible: IF_INFEASIBLE,
};

/** `partition`: of the program of all partitions of the row; `unknown` without a certificate. */
export function rowClaim(partition: JointStatus, places: PlacesStatus): RowClaim {
  const { status, bound } = CLAIMS[partition][places];
  return { status: status === "own" ? partition : status, bound };
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
