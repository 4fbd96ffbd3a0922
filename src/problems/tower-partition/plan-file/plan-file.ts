import type { Verdict } from "../../../proof/verdict.js";
import type { PlanEnvelope, PlanValue } from "../../plan-file/envelope.js";
import type { TowerObjective, TowerStrategy } from "../instance/instance.js";

/**
 * A tower-partition plan as its file has it: plain JSON. Every number but those under `timing` is computed exactly and
 * rounded once, to the nearest double (bounds downwards, gaps upwards), so that equal input gives equal bytes; what
 * decides is kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, `towers`, the name of a heuristic's `method`, the names and numberings of the
 * baselines, the numbering of the relaxed plan, and the certificate, every field follows from those and the instance:
 * `shardproof verify` computes all of them again.
 */
export interface TowerPartitionPlan extends PlanEnvelope {
  readonly problem: "tower-partition";
  readonly status: TowerStatus;
  /** What the distances inside towers come to; `null` where there is no plan. `bound` is proved in exact arithmetic. */
  readonly objective: TowerPlanObjective;
  readonly random: RandomTowers | null;
  /** Names of the features of each tower, in the instance's order; towers in the order of their first features. */
  readonly towers: readonly (readonly string[])[] | null;
  /** Features of each tower. */
  readonly sizes: readonly number[] | null;
  /** What each tower adds to the objective. */
  readonly towerCosts: readonly number[] | null;
  /** Σ weights of the features of each tower; `null` where the instance gives no load. */
  readonly loads: readonly number[] | null;
  readonly limits: TowerLimits;
  /** Published methods beside the proved bound. */
  readonly baseline: readonly TowerBaseline[];
  readonly infeasibility: TowerInfeasibility | null;
  readonly proof: TowerProof | null;
}

/**
 * `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked;
 * `unknown`: nothing was proved within the limits; a plan, where one was found, is checked.
 */
export type TowerStatus = Verdict["status"] | "heuristic" | "unknown";

export interface TowerPlanObjective extends PlanValue {
  /** The instance's objective, and what it takes for the distance. */
  readonly kind: TowerObjective;
  readonly strategy: TowerStrategy;
}

/** A random partition as the other end of the scale: where the optimum is near 0, a relative gap says little. */
export interface RandomTowers {
  /**
   * The expected value of a partition drawn at random, towers of sizes that differ by at most one: pairs · mean D
   * (pairwise), (F − T)/2 · mean D² (kmeans). Loads are left out of account.
   */
  readonly value: number;
  /**
   * How much of the way from there to the optimum the plan goes: (random − value) / (random − optimum), the proved bound
   * standing for the optimum where that is not proved (then it is more, if anything). `null` without a plan or bound, and
   * where the optimum is no better than random.
   */
  readonly capturedShare: number | null;
}

export interface TowerLimits {
  /** All towers have from the first to the second number of features, for one of these pairs; none: no sizes fit. */
  readonly sizes: readonly (readonly [least: number, most: number])[];
  /** `null` where loads limit nothing. */
  readonly load: { readonly ratio: number; readonly mean: number; readonly most: number } | null;
}

export interface TowerBaseline {
  readonly method: string;
  /** `none`: the method found no plan, which does not mean that there is none. */
  readonly status: "plan" | "breaks-limits" | "none";
  readonly reason: string | null;
  readonly value: number | null;
  /** (value − bound) / bound with the proved bound; `null` without a plan within the limits, or where the bound is 0. */
  readonly aboveBound: number | null;
  /** As in {@link RandomTowers}. */
  readonly capturedShare: number | null;
  /** The tower of each feature, from 0. */
  readonly numbering: readonly number[] | null;
}

export interface TowerInfeasibility {
  /**
   * What stands in the way: more towers than features, no sizes within the ratio, a feature that is too heavy for any
   * tower, one that is with the fewest others it must have beside it, some too many of which would share a tower, or the
   * arrangement of all of them although none of these is.
   */
  readonly kind: "towers" | "sizes" | "feature" | "company" | "crowding" | "arrangement";
  /** The features that do not fit: the fewest that this program finds a short reason for. */
  readonly conflict: readonly string[];
  readonly loadNeeded: number | null;
  readonly loadAllowed: number | null;
  /** A partition that fits once loadRatio is so large; `null` where loads limit nothing, or none was found. */
  readonly relaxed: { readonly loadRatio: number; readonly numbering: readonly number[] } | null;
  readonly explanation: string;
}

export interface TowerProof {
  readonly steps: number;
  /** Steps that split what is left by a pair of features: in one tower, or in different ones. */
  readonly branchings: number;
}
