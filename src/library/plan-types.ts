import type { JointPlan } from "../problems/joint-towers/plan-file/plan-file.js";
import type { EXACT_METHOD, GIVEN_PLACEMENT } from "../problems/plan-file/method-names.js";
import type {
  PlanCollectives,
  PlanMemory,
  RowTiersPlan as RowTiersFile,
} from "../problems/row-tiers/plan-file/plan-file.js";
import type { TablePlacementPlan as PlacementFile } from "../problems/table-placement/plan-file/plan-file.js";
import type { TowerPartitionPlan as TowersFile } from "../problems/tower-partition/plan-file/plan-file.js";
import type { RowTiersMethod, TablePlacementMethod, TowerPartitionMethod } from "./methods.js";

/**
 * The plan files of every problem as unions that `problem` and then `status` tell apart:
 *
 * - `proved`, `feasible`: there is a plan and a bound that was checked, so value, bound, gap and certificate are there;
 * - `heuristic`: a published method's plan, for which no bound was asked;
 * - `unknown`: no bound was proved within the limits; a plan may be there;
 * - `infeasible`: there is no plan, with the certificate that shows it, and the reason in words.
 *
 * status.ts holds what is promised here against a plan file.
 */

interface Bounded {
  readonly value: number;
  /** Proved in exact arithmetic: no plan is better. */
  readonly bound: number;
  /** |value − bound| / |value|. */
  readonly gap: number;
}

interface Unbounded {
  readonly value: number;
  readonly bound: null;
  readonly gap: null;
}

interface Open {
  readonly value: number | null;
  readonly bound: null;
  readonly gap: null;
}

interface NoValue {
  readonly value: null;
  readonly bound: null;
  readonly gap: null;
}

/** A file's objective with its numbers told apart. */
type Goal<Objective, Numbers> = Omit<Objective, keyof Bounded> & Numbers;

/** The keys of plan files that a status decides. */
type Told = "status" | "method" | "objective" | "infeasibility" | "proof" | "certificate";

interface Proved<File extends { readonly proof: unknown; readonly certificate: unknown }> {
  readonly status: "proved";
  readonly method: typeof EXACT_METHOD;
  readonly infeasibility: null;
  readonly proof: NonNullable<File["proof"]>;
  readonly certificate: NonNullable<File["certificate"]>;
}

/** The same with a gap that is wider than was asked for: a status each, so that all others are left where one is not. */
type Feasible<Plan extends { readonly status: "proved" }> = Omit<Plan, "status"> & { readonly status: "feasible" };

interface Unproved {
  readonly infeasibility: null;
  readonly proof: null;
  readonly certificate: null;
}

interface Infeasible<
  File extends { readonly infeasibility: unknown; readonly proof: unknown; readonly certificate: unknown },
> {
  readonly status: "infeasible";
  readonly method: typeof EXACT_METHOD;
  /** What stands in the way, in words and numbers. */
  readonly infeasibility: NonNullable<File["infeasibility"]>;
  readonly proof: NonNullable<File["proof"]>;
  readonly certificate: NonNullable<File["certificate"]>;
}

/** A row-tiers plan; seconds, bytes and rows. */
export type RowTiersPlan = ProvedRowTiers | Feasible<ProvedRowTiers> | HeuristicRowTiers | InfeasibleRowTiers;

type RowTiersRest = Omit<RowTiersFile, Told | "memory" | "collectives">;

interface PlannedRows extends RowTiersRest {
  readonly memory: Omit<PlanMemory, "bytesPerGpu"> & { readonly bytesPerGpu: number };
  readonly collectives: PlanCollectives;
}

export interface ProvedRowTiers extends PlannedRows, Proved<RowTiersFile> {
  readonly objective: Goal<RowTiersFile["objective"], Bounded>;
}

export interface HeuristicRowTiers extends PlannedRows, Unproved {
  readonly status: "heuristic";
  readonly method: Exclude<RowTiersMethod, typeof EXACT_METHOD>;
  readonly objective: Goal<RowTiersFile["objective"], Unbounded>;
}

export interface InfeasibleRowTiers extends RowTiersRest, Infeasible<RowTiersFile> {
  readonly objective: Goal<RowTiersFile["objective"], NoValue>;
  readonly memory: Omit<PlanMemory, "bytesPerGpu"> & { readonly bytesPerGpu: null };
  readonly collectives: null;
}

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
  readonly method: Exclude<TablePlacementMethod, typeof EXACT_METHOD> | typeof GIVEN_PLACEMENT;
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

/** A tower-partition plan; with a cluster and tables `joint` is there, and the objective is that of the chosen towers. */
export type TowerPartitionPlan = TowersPlan | JointTowersPlan;

/** A partition of features alone. */
export type TowersPlan = ProvedTowers | Feasible<ProvedTowers> | HeuristicTowers | UnknownTowers | InfeasibleTowers;

type Divided = "towers" | "sizes" | "towerCosts";
type TowersRest = Omit<TowersFile, Told | Divided | "joint"> & { readonly joint?: undefined };
type DividedFeatures = { readonly [Key in Divided]: NonNullable<TowersFile[Key]> };
type NoTowers = { readonly [Key in Divided]: null };

export interface ProvedTowers extends TowersRest, DividedFeatures, Proved<TowersFile> {
  readonly objective: Goal<TowersFile["objective"], Bounded>;
}

export interface HeuristicTowers extends TowersRest, DividedFeatures, Unproved {
  readonly status: "heuristic";
  readonly method: Exclude<TowerPartitionMethod, typeof EXACT_METHOD>;
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

/**
 * Towers, hosts and places of tables, chosen together: `status` and `joint.seconds` are about the whole choice, the other keys
 * about the chosen towers as a partition.
 */
export type JointTowersPlan =
  | ProvedJointTowers
  | Feasible<ProvedJointTowers>
  | UnknownJointTowers
  | InfeasibleJointTowers;

type JointRest = Omit<TowersFile, Told | Divided | "joint"> & { readonly method: typeof EXACT_METHOD };
type JointParts<Seconds, Chosen> = Omit<JointPlan, "seconds" | "chosen"> & {
  readonly chosen: Chosen;
  readonly seconds: Goal<JointPlan["seconds"], Seconds>;
};

export interface ProvedJointTowers extends JointRest, DividedFeatures {
  readonly status: "proved";
  readonly joint: JointParts<Bounded, NonNullable<JointPlan["chosen"]>>;
  /** Of the partition: without a bound where that of the whole choice holds of any partition. */
  readonly objective: Goal<TowersFile["objective"], Bounded | Unbounded>;
  readonly infeasibility: null;
  readonly proof: TowersFile["proof"];
  readonly certificate: TowersFile["certificate"];
}

export interface UnknownJointTowers
  extends JointRest,
    Pick<TowersFile, Divided | "objective" | "proof" | "certificate"> {
  readonly status: "unknown";
  readonly joint: JointPlan;
  readonly infeasibility: null;
}

/** Each number of towers has a certificate of its own in `joint.rows`. */
export interface InfeasibleJointTowers extends JointRest, NoTowers, Unproved {
  readonly status: "infeasible";
  readonly joint: JointParts<NoValue, null>;
  readonly objective: Goal<TowersFile["objective"], NoValue>;
}

/** A plan of any problem. */
export type Plan = RowTiersPlan | TablePlacementPlan | TowerPartitionPlan;
