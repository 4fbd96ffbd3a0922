import type { Rational } from "../exact/rational.js";
import type { Certificate } from "../proof/certificate.js";
import { compareClaim } from "./claim.js";
import type { PlanClaim, PlanRequest, PlanValue } from "./envelope.js";
import { ObjectiveMismatchError } from "./objective-mismatch.js";
import { boundBelow, gapAbove, nearest } from "./rounding.js";
import { isOpen } from "./stopped.js";

/** What every plan file begins with, from the parts that it is computed from. */
export function planHead<Problem extends string, Status extends string>(
  problem: Problem,
  status: Status,
  parts: {
    readonly instance: { readonly name: string; readonly sha256: string; readonly file: string };
    readonly method: string;
    readonly request: PlanRequest;
    readonly isStopped?: boolean;
  },
) {
  const { name, sha256, file } = parts.instance;
  return {
    shardproof: 1,
    problem,
    instance: { name, sha256, file },
    method: parts.method,
    status,
    ...(parts.isStopped === true && isOpen(status) ? { stopped: true as const } : {}),
    request: parts.request,
  } as const;
}

/** A plan's value and its bound, rounded once: the bound downwards, the gap upwards. */
export function roundedValue(value: Rational | null, bound: Rational | null, gap: Rational | null): PlanValue {
  return {
    value: value === null ? null : nearest(value),
    bound: bound === null || value === null ? null : boundBelow(bound, value),
    gap: gap === null ? null : gapAbove(gap),
  };
}

/** The same of a bound that may stand without a value, and both in full. */
export function describeBounded(value: Rational | null, bound: Rational | null, gap: Rational | null) {
  return {
    ...roundedValue(value, bound, gap),
    ...(value === null && bound !== null ? { bound: bound.toNumberDown() } : {}),
    exact: { value: value?.toString() ?? null, bound: bound?.toString() ?? null },
  };
}

/** What a solver claimed, beside what was proved; `unit`: as its remark has it. */
export function describeClaim(
  claim: Omit<PlanClaim, "agrees" | "remark"> | null,
  objective: PlanValue,
  unit?: string,
): PlanClaim | null {
  return claim === null ? null : { ...claim, ...compareClaim(claim, objective, unit) };
}

/**
 * Holds what a plan was evaluated to against what the verdict says of it; `who` names the two sides in words. Throws
 * {@link ObjectiveMismatchError}.
 */
export function requireVerdictOf(
  value: Rational | null,
  outcome: { readonly verdict: { readonly value: Rational | null }; readonly certificate: Certificate } | null,
  plan: unknown,
  [ours, its]: readonly [string, string] = ["the plan's objective is", ", the program's"],
): void {
  const found = outcome?.verdict.value;
  if (found === undefined || (value === null ? found === null : found?.equals(value) === true)) return;
  throw new ObjectiveMismatchError(`${ours} ${value}${its} ${found}`, plan, outcome?.certificate);
}

/** An evaluation that breaks no limit of the instance. Throws `RangeError`. */
export function feasibleEvaluation<E extends { readonly violations: readonly string[] }>(evaluation: E): E {
  const [violation] = evaluation.violations;
  if (violation !== undefined) throw new RangeError(`the plan breaks the instance's limits: ${violation}`);
  return evaluation;
}
