import type { Rational } from "../exact/rational.js";
import type { PlanSource } from "../plan-file/original-plan.js";
import type { Program } from "../program/program.js";
import type { Certificate } from "../proof/certificate.js";

/** What is proved of a plan, as a program of columns. */
export interface ProvedProgram {
  readonly program: Program;
  /** As it is written in the plan file; `null` where it speaks of something that no file of a program holds. */
  readonly certificate: unknown;
  /** The plan's; `null` where there is none. */
  readonly point: readonly Rational[] | null;
  /** Relative gap that was to be proved. */
  readonly gap: number;
  /** What the program leaves out, as a line of the file. */
  readonly comment?: string;
  /** Proves the program by steps that VIPR has words for; where it is left out any solver of programs does. */
  proveAnew?(timeLimitSeconds: number): Promise<Certificate | null>;
}

/** Reads what is proved of a plan file. Throws `InputError`, and what a plan that does not verify makes checked parts throw. */
export type ProofReader = (source: PlanSource) => Promise<ProvedProgram>;
