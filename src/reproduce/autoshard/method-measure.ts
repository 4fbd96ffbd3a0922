import type {
  LearnedCostHeuristicName,
  TablePlacementHeuristicName,
} from "../../problems/table-placement/methods/index.js";

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
