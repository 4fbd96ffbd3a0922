import type { TowerShape } from "../../models/joint-towers/setting.js";
import type { PlacedTower } from "../../models/joint-towers/workload.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import type { Assignment } from "../instance/types/assignment.js";
import type { RowTiersInstance } from "../instance/types/row-tiers.js";
import type { TablePlacementInstance } from "../instance/types/table-placement.js";
import type { TowerJoint, TowerPartitionInstance } from "../instance/types/tower-partition.js";

/** A row-tiers plan with its instance, fit to be handed to other tools. */
export interface ExportablePlan {
  readonly instance: RowTiersInstance;
  /** Per table of the instance, runs from its hottest row to its coldest; they add up to its rows. */
  readonly assignment: Assignment;
  readonly method: string;
  readonly status: string;
  /** The plan file's own SHA-256, its timing apart. */
  readonly digest: string;
}

/** A table-placement plan with its instance, fit to be handed to other tools. */
export interface ExportablePlacement {
  readonly instance: TablePlacementInstance;
  readonly problem: PlacementProblem;
  /** Within the limits of the instance. */
  readonly placement: Placement;
  readonly method: string;
  readonly status: string;
  /** The plan file's. */
  readonly digest: string;
}

/** A plan of towers with tables, with its instance, fit to be handed to other tools. */
export interface ExportableJoint {
  readonly instance: TowerPartitionInstance;
  readonly method: string;
  readonly status: string;
  /** The instance's cluster, training and tables. */
  readonly setting: TowerJoint;
  /** The plan's file, for messages. */
  readonly file: string;
  /** The chosen number of towers and of hosts of each; where nothing is chosen, that of the most towers. */
  readonly shape: TowerShape;
  /**
   * Sets of features proved to have no place on the GPUs of one tower, which the program of that number of towers leaves out.
   * Throws `InputError` where a proof does not hold.
   */
  unplaceable(): readonly (readonly number[])[];
  /** The tables of each tower on its GPUs, within the limits. Throws `InputError` where the plan has no places. */
  placed(): readonly PlacedTower[];
}
