import { Rational } from "../../../exact/rational.js";
import { evaluate } from "../../../program/evaluate.js";
import { programHash } from "../../../program/hash.js";
import type { Program } from "../../../program/program.js";
import { isImprovingRay } from "../../../program/ray.js";
import { PROGRAM_ENDING } from "../../../program/read-program.js";
import type { Certificate } from "../../../proof/certificate.js";
import { checkCertificate } from "../../../proof/check.js";
import { InfeasiblePointError, Verdict } from "../../../proof/verdict.js";
import { boundNumber, gapNumber, nearestNumber } from "./exact-number.js";
import type { ProgramObjective, ProgramReference, ProgramStatus } from "./schema.js";

/** What was checked of a program, every number exact. */
export interface CheckedOutcome {
  readonly status: ProgramStatus;
  readonly value: Rational | null;
  readonly bound: Rational | null;
  readonly gap: Rational | null;
}

/**
 * Checks a certificate and a point of a program (one rational per column), either of which may be missing, and says what
 * they show together.
 *
 * Throws as {@link Verdict.of} does.
 */
export function checkOutcome(
  program: Program,
  certificate: Certificate | null,
  point: readonly Rational[] | null,
  gap: Rational,
): CheckedOutcome {
  const nothing: CheckedOutcome = { status: "unknown", value: null, bound: null, gap: null };
  if (certificate !== null && (point !== null || certificate.claim.kind === "infeasible")) {
    const verdict = Verdict.of(program, certificate, point, gap);
    return { status: verdict.status, value: verdict.value, bound: verdict.bound, gap: verdict.gap };
  }
  if (certificate !== null) return { ...nothing, bound: checkCertificate(program, certificate).bound };
  if (point === null) return nothing;
  const { objective, violations } = evaluate(program, point);
  if (violations.length > 0) throw new InfeasiblePointError(violations);
  return { ...nothing, status: "feasible", value: objective };
}

/**
 * Checks that a program is unbounded: the point is feasible, and the ray (both one rational per column) improves for
 * ever. Throws {@link InfeasiblePointError} and `RangeError` where not.
 */
export function checkUnbounded(program: Program, point: readonly Rational[], ray: readonly Rational[]): CheckedOutcome {
  if (!isImprovingRay(program, ray)) throw new RangeError("the ray breaks a row or bound, or improves nothing");
  return { ...checkOutcome(program, null, point, Rational.zero), status: "unbounded" };
}

/** The objective of an outcome as numbers. */
export function objectiveOf({ value, bound, gap }: CheckedOutcome, { objective }: Program): ProgramObjective {
  return {
    value: value === null ? null : nearestNumber(value),
    bound: bound === null ? null : boundNumber(bound, value, objective.sense),
    gap: gap === null ? null : gapNumber(gap),
  };
}

/** Name, hash and place of a program; a program without a name is called after its file. */
export function referenceTo(program: Program, file: string, dialect?: string): ProgramReference {
  const base = file === "-" ? "model" : (file.split(/[\\/]/).at(-1) as string).replace(PROGRAM_ENDING, "");
  return {
    name: program.name === "" ? base : program.name,
    sha256: programHash(program),
    file,
    ...dialectField(dialect),
  };
}

/** The field of a dialect that is not the default. */
export function dialectField(dialect: string | undefined): Pick<ProgramReference, "dialect"> {
  return dialect === undefined || dialect === "cplex" ? {} : { dialect };
}
