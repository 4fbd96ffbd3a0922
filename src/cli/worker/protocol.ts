import type { Evidence } from "../../errors/contradiction-error.js";
import type { ForeignModel } from "../../facts/facts.js";
import type { AnyFrontier, FrontierOptions } from "../../problems/frontier-options.js";
import type { PlanOptions } from "../../problems/plan-options.js";
import type { MethodComparison } from "../../problems/planning/compare.js";
import type { Explained } from "../../problems/planning/explain.js";
import type { Plan } from "../../problems/planning/plan.js";
import type { ProgramSolution } from "../../problems/program/answer/schema.js";
import type { ProgramFormat } from "../../program/read-program.js";
import type { Dialect } from "../../program/reading/dialect.js";
import type { SolveProgress } from "../../text/progress.js";

/** What the main thread hands to the one that solves. */
export interface WorkerTask
  extends Pick<PlanOptions, "method" | "solver" | "gap" | "timeLimitSeconds" | "workLimitSeconds" | "seed">,
    Pick<FrontierOptions, "points" | "exact"> {
  readonly kind: "plan" | "compare" | "solve" | "frontier" | "explain";
  /** The instance's file, or the program's; of a plan that is explained, where the plan is not to say it. */
  readonly instance: string;
  /** What standard input holds, where the instance is `-`. */
  readonly standardInput?: string;
  /** Of a plan: what is not to be computed beside it. */
  readonly without?: ReadonlySet<string>;
  /**
   * Of a plan: whether its file's text is made, or nothing is written; what comes back beside that is what the terminal shows.
   * Absent: the whole plan comes back.
   */
  readonly written?: boolean;
  /** When the time limit began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of a comparison: modules with methods of somebody's own. */
  readonly methodFiles?: readonly string[];
  /** Of the program's file, where it is not to be told from its name. */
  readonly format?: ProgramFormat;
  /** Whose rules are followed in reading it, and whether a note refuses it. */
  readonly dialect?: Dialect;
  readonly strictReading?: boolean;
  /** Where the certificate of a program is to be written; its text comes back beside the solution. */
  readonly certificateFile?: string;
  /** The plan that is explained. */
  readonly plan?: { readonly text: string; readonly file: string };
  /** Of `StopFlag`. */
  readonly stop: SharedArrayBuffer;
}

/** A plan as the terminal shows it, what `--verbose` adds, and the text of its file where one is written. */
export interface PlanMessage {
  readonly type: "plan";
  readonly plan: Plan;
  readonly foreign: ForeignModel | null;
  readonly details: string | null;
  readonly text: string;
}

export type WorkerMessage =
  | { readonly type: "progress"; readonly progress: SolveProgress }
  | PlanMessage
  | { readonly type: "compare"; readonly comparison: MethodComparison; readonly foreign: ForeignModel | null }
  | { readonly type: "frontier"; readonly frontier: AnyFrontier }
  | { readonly type: "explain"; readonly explained: Explained }
  | { readonly type: "solve"; readonly solution: ProgramSolution; readonly certificate: CertificateText | null }
  | { readonly type: "failure"; readonly error: WorkerFailure };

/** An error as it crosses threads. */
export interface WorkerFailure {
  readonly name: string;
  readonly message: string;
  readonly kind?: string;
  /** Of a contradiction, ready for its file. */
  readonly evidence?: Evidence;
  readonly stack?: string;
}

/** What is to be written to a certificate's file, or why nothing can be: its format's limits, or a fault of the writer. */
export type CertificateText = { readonly text: string } | { readonly problem: string; readonly isFault: boolean };
