import {
  type Bounded,
  type Feasible,
  GOAL_NUMBERS,
  type Goal,
  type NoValue,
  PROOF_KEYS,
  type StatusTable,
  type Told,
  type Unbounded,
  type Unproved,
} from "../../../plan-file/by-status.js";
import type { EXACT_METHOD } from "../../../plan-file/method-names.js";
import {
  DIVIDED,
  type Divided,
  type DividedFeatures,
  type NoTowers,
  type TowersPlan,
} from "../../tower-partition/plan-file/by-status.js";
import type { TowerPartitionPlan as TowersFile } from "../../tower-partition/plan-file/plan-file.js";
import type { JointPlan } from "./plan-file.js";

/** A tower-partition plan; with a cluster and tables `joint` is there, and the objective is that of the chosen towers. */
export type TowerPartitionPlan = TowersPlan | JointTowersPlan;

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

const SECONDS = ["joint.seconds.value", "joint.seconds.bound", "joint.seconds.gap"] as const;

const BOUNDED = { some: ["objective.value", ...DIVIDED, ...SECONDS, "joint.chosen"], none: ["infeasibility"] };

/** The same as a table: of the whole choice, so that the partition's own bound may be missing. */
export const JOINT_TOWERS_STATUSES: StatusTable = {
  proved: BOUNDED,
  feasible: BOUNDED,
  unknown: { some: [], none: ["infeasibility"] },
  infeasible: {
    some: [],
    none: [...GOAL_NUMBERS, ...DIVIDED, ...SECONDS, ...PROOF_KEYS, "joint.chosen", "infeasibility"],
  },
};
