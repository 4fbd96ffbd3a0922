import { z } from "zod";
import { TOWER_OBJECTIVES, TOWER_STRATEGIES } from "../../../instance/types/tower-partition.js";
import type { PlanEnvelope } from "../../../plan-file/envelope.js";
import { covered, type Fields, listOf, type Named, number, text, word } from "../../../plan-file/fields.js";
import { TOWER_PUBLISHED } from "../../../plan-file/method-names.js";
import { envelopeShape, exactShape, methodShape, stoppedShape, valueShape } from "../../../plan-file/plan-shape.js";
import type { Verdict } from "../../../proof/verdict.js";

const numbers = listOf(number);

const baselineFields = {
  method: methodShape(TOWER_PUBLISHED),
  /** `none`: the method found no plan, which does not mean that there is none. */
  status: word("plan", "breaks-limits", "none"),
  reason: covered("told", text.nullable()),
  value: number.nullable(),
  /** (value − bound) / bound with the proved bound; `null` without a plan within the limits, or where the bound is 0. */
  aboveBound: number.nullable().describe("(value - bound) / bound"),
  /** As in {@link RandomTowers}. */
  capturedShare: number.nullable(),
  /** The tower of each feature, from 0. */
  numbering: covered("told", numbers.nullable().describe("the tower of each feature, from 0")),
};
export interface TowerBaseline extends Fields<typeof baselineFields> {}
const baseline: Named<TowerBaseline, typeof baselineFields> = z.strictObject(baselineFields);

const infeasibilityFields = {
  /**
   * What stands in the way: more towers than features, no sizes within the ratio, a feature that is too heavy for any
   * tower, one that is with the fewest others it must have beside it, some too many of which would share a tower, or the
   * arrangement of all of them although none of these is.
   */
  kind: word("towers", "sizes", "feature", "company", "crowding", "arrangement"),
  /** The features that do not fit: the fewest that this program finds a short reason for. */
  conflict: listOf(text, "the features that do not fit"),
  loadNeeded: number.nullable(),
  loadAllowed: number.nullable(),
  /** A partition that fits once loadRatio is so large; `null` where loads limit nothing, or none was found. */
  relaxed: z.strictObject({ loadRatio: number, numbering: covered("chosen", numbers) }).nullable(),
  explanation: text,
};
export interface TowerInfeasibility extends Fields<typeof infeasibilityFields> {}
const infeasibility: Named<TowerInfeasibility, typeof infeasibilityFields> = z.strictObject(infeasibilityFields);

const randomFields = {
  /**
   * The expected value of a partition drawn at random, towers of sizes that differ by at most one: pairs · mean D
   * (pairwise), (F − T)/2 · mean D² (kmeans). Loads are left out of account.
   */
  value: number,
  /**
   * How much of the way from there to the optimum the plan goes: (random − value) / (random − optimum), the proved bound
   * standing for the optimum where that is not proved (then it is more, if anything). `null` without a plan or bound, and
   * where the optimum is no better than random.
   */
  capturedShare: number.nullable(),
};
/** A random partition as the other end of the scale: where the optimum is near 0, a relative gap says little. */
export interface RandomTowers extends Fields<typeof randomFields> {}
const random: Named<RandomTowers, typeof randomFields> = z.strictObject(randomFields);

const limitsFields = {
  /** All towers have from the first to the second number of features, for one of these pairs; none: no sizes fit. */
  sizes: listOf(z.tuple([number, number])),
  /** `null` where loads limit nothing. */
  load: z.strictObject({ ratio: number, mean: number, most: number }).nullable(),
};
export interface TowerLimits extends Fields<typeof limitsFields> {}
const limits: Named<TowerLimits, typeof limitsFields> = z.strictObject(limitsFields);

const proofFields = {
  steps: number,
  /** Steps that split what is left by a pair of features: in one tower, or in different ones. */
  branchings: number,
};
export interface TowerProof extends Fields<typeof proofFields> {}
const proof: Named<TowerProof, typeof proofFields> = z.strictObject(proofFields);

const planFields = {
  /** Only of a heuristic whose time was over, or a search that somebody stopped, before it ended: with more, it may find another plan. */
  stopped: stoppedShape,
  /**
   * What the distances inside towers come to; `null` where there is no plan. `bound` is proved in exact arithmetic. `kind` and
   * `strategy`: the instance's objective, and what it takes for the distance.
   */
  objective: z
    .strictObject({ kind: word(...TOWER_OBJECTIVES), strategy: word(...TOWER_STRATEGIES), ...valueShape })
    .describe("what is minimised: distances inside towers"),
  /** The numbers that the status rests on, as integers or fractions in lowest terms. */
  exact: z.strictObject(exactShape),
  random: random.nullable().describe("what a partition drawn at random is expected to come to"),
  /** Names of the features of each tower, in the instance's order; towers in the order of their first features. */
  towers: covered("chosen", listOf(listOf(text)).nullable().describe("names of the features of each tower")),
  /** Features of each tower. */
  sizes: numbers.nullable().describe("features of each tower"),
  /** What each tower adds to the objective. */
  towerCosts: numbers.nullable().describe("what each tower adds to the objective"),
  /** Σ weights of the features of each tower; `null` where the instance gives no load. */
  loads: numbers.nullable().describe("weights of the features of each tower; null where the instance gives no load"),
  limits,
  /** Published methods beside the proved bound. */
  baseline: listOf(baseline),
  infeasibility: infeasibility.nullable().describe("why there is no plan"),
  proof: proof.nullable(),
};

/**
 * `proved`, `feasible` and `infeasible` as in `Verdict`; `heuristic`: a checked plan for which no bound was asked;
 * `unknown`: nothing was proved within the limits; a plan, where one was found, is checked.
 */
export type TowerStatus = Verdict["status"] | "heuristic" | "unknown";

/**
 * A tower-partition plan as its file has it: plain JSON. Every number but those under `timing` is computed exactly and
 * rounded once, to the nearest double (bounds downwards, gaps upwards), so that equal input gives equal bytes; what
 * decides is kept as text (`"1/3"`) under `exact`.
 *
 * Apart from `request`, `timing`, `claim`, `towers`, the name of a heuristic's `method`, the names and numberings of the
 * baselines, the numbering of the relaxed plan, and the certificate, every field follows from those and the instance:
 * `shardproof verify` computes all of them again.
 */
export interface TowerPartitionPlan extends Omit<PlanEnvelope, keyof typeof planFields>, Fields<typeof planFields> {
  readonly problem: "tower-partition";
  readonly status: TowerStatus;
}

export const towerPartitionPlanSchema = z.strictObject({ ...envelopeShape(TOWER_PUBLISHED), ...planFields });

/** A plan file as read: its shape is right, nothing else of it is known to be. */
export type WrittenTowerPlan = z.output<typeof towerPartitionPlanSchema>;
