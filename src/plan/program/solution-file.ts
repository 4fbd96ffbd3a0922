import type { Certificate } from "../../proof/certificate.js";
import type { ProgramObjective, ProgramReference, ProgramStatus } from "./outcome.js";

/** What a program file holds. */
export interface ProgramModel extends ProgramReference {
  readonly sense: "minimize" | "maximize";
  readonly columns: number;
  readonly integerColumns: number;
  readonly rows: number;
  /** Coefficients of the rows other than zero. */
  readonly nonZeros: number;
}

export interface SolutionRequest {
  /** Relative gap to prove. */
  readonly gap: number;
  readonly timeLimitSeconds: number;
  readonly seed: number;
  /** The solver that is asked for a first point. */
  readonly solver: string;
}

/** What a solver said of the program: its word, not a proof. */
export interface SolverWord {
  readonly solver: string;
  /** `failed` where it gave no answer; `failure` says why. */
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  readonly failure: string | null;
}

/** Wall-clock seconds. */
export interface SolutionTiming {
  readonly readSeconds: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
  readonly totalSeconds: number;
}

/**
 * What solving a program file comes to: the JSON of `shardproof solve`.
 *
 * `objective.value` is evaluated at the point and `objective.bound` derived from the certificate, both in exact
 * arithmetic; `exact` has the same as fractions.
 */
export interface ProgramSolution {
  readonly shardproof: 1;
  readonly kind: "solution";
  readonly status: ProgramStatus;
  readonly model: ProgramModel;
  readonly request: SolutionRequest;
  readonly objective: ProgramObjective;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** By column name: a number where a double is exactly that, else the exact text (`"1/3"`). */
  readonly variables: Readonly<Record<string, number | string>> | null;
  /** With status `unbounded`: from the point given, adding any multiple of this (by column name) stays feasible and improves. */
  readonly ray: Readonly<Record<string, number | string>> | null;
  /** Why nothing better is known, in words; `null` where the answer is complete. */
  readonly reason: string | null;
  /** What solvers said, where any was asked. */
  readonly claims: readonly SolverWord[];
  /** Where solvers contradict what was proved, or one another, in words. */
  readonly contradictions: readonly string[];
  readonly nodes: number;
  /** The proof of the bound; `null` where there is none, or where it was written to a file of its own. */
  readonly certificate: Certificate | null;
  readonly timing: SolutionTiming;
}
