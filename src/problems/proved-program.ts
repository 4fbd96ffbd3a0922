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

/** What is proved of a plan file, by the names that `export --proof` takes; the first is of the file's own certificate. */
export type NamedProofs = ReadonlyMap<string, () => ProvedProgram>;

/**
 * Reads what is proved of a plan file. Throws `InputError`, where it has no certificate too; it, and what makes a program, throw what a
 * plan that does not verify makes checked parts throw.
 */
export type ProofReader = (source: PlanSource) => Promise<NamedProofs>;

/** Of a plan with one proof alone. */
export function oneProof(proved: ProvedProgram): NamedProofs {
  return new Map([["plan", () => proved]]);
}
