import type {
  LearnedCostHeuristicName,
  TablePlacementHeuristicName,
} from "../../problems/table-placement/methods/index.js";
import type { RewardCheck } from "../../problems/table-placement/methods/reward-check.js";
import type { BlindedFeature, PublishedPlacement } from "./published.js";

/**
 * Everything that `reproduce autoshard` shows, as plain data. Costs are milliseconds of CPUs where the paper has GPUs: errors
 * can be set beside one another only as shares of the mean cost, and balances and speed-ups only by their order. A part is
 * `null` where time was up before it was over.
 */
export interface AutoShardReproduction {
  readonly shardproof: 1;
  readonly paper: "autoshard";
  /** How far this run went: epochs of a network that all sets train, tasks of every comparison. */
  readonly scale: { readonly epochs: number; readonly tasks: number; readonly quick: boolean };
  /** Measured costs, and how many of their sets were learned from. */
  readonly data: { readonly file: string; readonly sha256: string; readonly sets: number };
  readonly figure8: readonly BesidePublished[] | null;
  readonly figure11: readonly ScaleMeasure[] | null;
  readonly table3: readonly CostErrors[] | null;
  readonly figure10: readonly UnseenMeasure[] | null;
  readonly table2: readonly Ablation[] | null;
  /** Not in the paper: how often its reward prefers the slower of two plans of a test task. */
  readonly reward: RewardCheck | null;
  /** Nor is this: what cutting tables by columns gains on the test tasks. */
  readonly splits: readonly SplitGain[] | null;
  readonly claims: readonly Claim[];
}

/** A method of figure 8, beside the paper where its text has the numbers. */
export interface BesidePublished extends MethodMeasure {
  readonly published: PublishedPlacement | null;
}

/** A size of figure 11. */
export interface ScaleMeasure {
  readonly tables: number;
  readonly devices: number;
  readonly methods: readonly MethodMeasure[];
}

/** A share of figure 10: tables that the cost network never saw. */
export interface UnseenMeasure {
  readonly unseenShare: number;
  readonly methods: readonly MethodMeasure[];
  /** What the text says of AutoShard's policy: a balance of at least so much, and about so much speed-up. */
  readonly published: PublishedPlacement;
}

/** Errors on sets of tables that were learned from in other sets, and of those that never were. */
export interface CostErrors {
  /** Which tables were left out of training. */
  readonly unseenTables: "second half" | "every tenth";
  /** Sets that were learned from. */
  readonly trainSets: number;
  readonly seen: SetErrors;
  readonly unseen: SetErrors;
}

export interface SetErrors {
  readonly sets: number;
  /** Mean number of tables of a set; the paper's sets have 10. */
  readonly meanTables: number;
  /** Mean share of tables that nothing was learned of. */
  readonly unseenShare: number;
  readonly meanCost: number;
  readonly meanAbsoluteError: number;
  readonly meanSquaredError: number;
  readonly published: { readonly meanAbsoluteError: number; readonly meanSquaredError: number };
}

/** A row of table 2: plans that a network without some feature leads to, judged by one that sees everything. */
export interface Ablation {
  readonly without: BlindedFeature | "cost model" | null;
  /** Of the ablated network on sets kept from it; `null` without a network. */
  readonly meanAbsoluteError: number | null;
  readonly measure: MethodMeasure;
  readonly published: PublishedPlacement;
}

/** Largest device costs of a method's plans without and with tables cut by columns, in milliseconds. */
export interface SplitGain {
  readonly method: MethodName;
  readonly tasks: number;
  /** Tasks with a plan either way, which the means are over. */
  readonly placed: number;
  readonly whole: MeanAndDeviation | null;
  readonly split: MeanAndDeviation | null;
  /** (whole − split) / whole: what is gained by cutting; below 0 where it costs. */
  readonly gain: MeanAndDeviation | null;
  /** Tasks on which the plan with cut tables is faster. */
  readonly better: number;
  /** Mean number of shards beyond one per table; `null` without plans. */
  readonly shardsMore: number | null;
}

/** What the paper says of its results, and whether it is so here; `null` where the part was not reached. */
export interface Claim {
  readonly where: string;
  readonly says: string;
  readonly holds: boolean | null;
}

export interface MeanAndDeviation {
  readonly mean: number;
  /** Over the tasks (the paper's is over runs). */
  readonly deviation: number;
}

/** What a method made of tasks. */
export interface MethodMeasure {
  readonly method: MethodName;
  readonly tasks: number;
  /** Tasks that it found a plan for, which the means are over. */
  readonly placed: number;
  /** Smallest over largest device cost; `null` where it found no plan. */
  readonly balance: MeanAndDeviation | null;
  /** Largest device cost of random plans over that of the method's. */
  readonly speedup: MeanAndDeviation | null;
}

export type MethodName = TablePlacementHeuristicName | LearnedCostHeuristicName;
