import type { CompareRow } from "../../optimize/row-tiers/compare.js";
import type { RowTiersPlan } from "../../plan/row-tiers/plan-file.js";

/** What the main thread hands to the one that solves. */
export interface WorkerTask {
  readonly kind: "plan" | "compare";
  readonly instance: string;
  /** What standard input holds, where the instance is `-`. */
  readonly standardInput?: string;
  readonly method?: string;
  readonly solver?: string;
  readonly gap?: number;
  readonly timeLimitSeconds?: number;
  readonly seed?: number;
  /** One 32-bit integer; other than 0 it asks the search to stop. */
  readonly stop: SharedArrayBuffer;
}

/** How far a search has come; seconds of the objective. */
export interface SolveProgress {
  readonly nodes: number;
  readonly openNodes: number;
  readonly incumbent: number | null;
  readonly bound: number | null;
}

export type WorkerMessage =
  | { readonly type: "progress"; readonly progress: SolveProgress }
  | { readonly type: "plan"; readonly plan: RowTiersPlan }
  | { readonly type: "compare"; readonly rows: readonly CompareRow[] }
  | { readonly type: "failure"; readonly error: WorkerFailure };

/** An error as it crosses threads. */
export interface WorkerFailure {
  readonly name: string;
  readonly message: string;
  readonly kind?: string;
  readonly stack?: string;
}
