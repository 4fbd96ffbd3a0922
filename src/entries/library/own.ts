import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import type { TowerLabels, TowerProblem } from "../../../models/tower-partition/problem.js";
import type { RowClasses } from "../../access/row-classes.js";
import type { Assignment } from "../../instance/types/assignment.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";

/** What a method of one's own is handed for an instance: copies, its to change. */
interface Given<I, P> {
  /** As the instance file has it, defaults filled in. */
  readonly instance: I;
  /** What the published methods decide on. */
  readonly problem: P;
  /** For the method's random numbers: the same seed has to give the same decision. */
  readonly seed: number;
  /** Seconds that the method has: it is ended at its limit. */
  readonly timeLimitSeconds: number;
  /** When they are over, in milliseconds as `Date.now()` has them. */
  readonly deadline: number;
}

/** What the export `rowTiers` of a module of one's own is handed. */
export type OwnRowTiers = Given<
  RowTiersInstance,
  {
    /** For each table its rows by how often a sample reads them, the hottest first. */
    readonly tables: readonly RowClasses[];
    /** Bytes that a plan may use on each GPU. */
    readonly budgetBytes: number;
  }
>;

/** What the export `tablePlacement` is handed: the tables' options, with the cost and the bytes of each shard. */
export type OwnTablePlacement = Given<TablePlacementInstance, PlacementProblem>;

/** What the export `towerPartition` is handed: the distances of all pairs of features. */
export type OwnTowerPartition = Given<TowerPartitionInstance, TowerProblem>;

/**
 * The functions of a module of one's own, one for each problem that it knows; each returns its decision, or a promise of it.
 * `shardproof compare --method-file` and studies run them; docs/studies.md has an example.
 */
export interface OwnMethods {
  /** For each table its runs of rows from the hottest on. */
  rowTiers?(given: OwnRowTiers): Assignment | Promise<Assignment>;
  /** For each table a device, or its option and the device of each of the option's shards. */
  tablePlacement?(given: OwnTablePlacement): readonly number[] | Placement | Promise<readonly number[] | Placement>;
  /** For each feature a tower. */
  towerPartition?(given: OwnTowerPartition): TowerLabels | Promise<TowerLabels>;
}
