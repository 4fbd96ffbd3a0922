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
import type { EXACT_METHOD, GIVEN_PLACEMENT, PLACEMENT_PUBLISHED } from "../../plan-file/method-names.js";
import type { TablePlacementPlan as PlacementFile } from "./plan-file.js";

/** A table-placement plan; the unit of the instance's costs, and bytes. */
export type TablePlacementPlan =
  | ProvedPlacement
  | Feasible<ProvedPlacement>
  | HeuristicPlacement
  | UnknownPlacement
  | InfeasiblePlacement;

type Placed = "devices" | "choices" | "deviceCosts" | "deviceBytes";
type PlacementRest = Omit<PlacementFile, Told | Placed>;
type PlacedTables = { readonly [Key in Placed]: NonNullable<PlacementFile[Key]> };
type NoPlace = { readonly [Key in Placed]: null };

export interface ProvedPlacement extends PlacementRest, PlacedTables, Proved<PlacementFile> {
  readonly objective: Goal<PlacementFile["objective"], Bounded>;
}

export interface HeuristicPlacement extends PlacementRest, PlacedTables, Unproved {
  readonly status: "heuristic";
  /** `given`: a placement that was not searched for but scored. */
  readonly method: (typeof PLACEMENT_PUBLISHED)[number] | typeof GIVEN_PLACEMENT;
  readonly objective: Goal<PlacementFile["objective"], Unbounded>;
}

export interface UnknownPlacement extends PlacementRest, Pick<PlacementFile, Placed>, Unproved {
  readonly status: "unknown";
  readonly method: typeof EXACT_METHOD;
  readonly objective: Goal<PlacementFile["objective"], Open>;
}

export interface InfeasiblePlacement extends PlacementRest, NoPlace, Infeasible<PlacementFile> {
  readonly objective: Goal<PlacementFile["objective"], NoValue>;
}

/** The same as a table. */
export const PLACEMENT_STATUSES = statusTable(["devices", "choices", "deviceCosts", "deviceBytes"]);
