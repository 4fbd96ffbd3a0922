import { InputError } from "../errors/input-error.js";
import { STOPPED } from "../plan-file/stopped.js";

/** What a published method gives that has no plan. */
type NoPlan = { readonly kind: "not-applicable" | "none"; readonly reason: string };

/**
 * A published method has no plan for an instance: it does not apply, found none, or found one that breaks a limit. A bad choice
 * of a method to its user; of many that are compared, one more result.
 */
export class NoPlanError extends InputError {
  readonly outcome: "not-applicable" | "none" | "breaks-limits";
  /** Why, without the advice to choose another. */
  readonly reason: string;

  constructor(outcome: NoPlanError["outcome"], reason: string, message: string, file: string) {
    super(message, file);
    this.outcome = outcome;
    this.reason = reason;
  }
}

const ADVICE =
  "that is not a proof that there is none; choose another method (--method optimal, the exact one, decides it)";

/** The result of a published method that was asked for. Throws `InputError` where it has no plan. */
export function requirePlan<Result extends { readonly kind: "plan" } | NoPlan>(
  method: string,
  result: Result,
  wasStopped: boolean,
  file: string,
): Extract<Result, { readonly kind: "plan" }> {
  if (result.kind === "plan") return result as Extract<Result, { readonly kind: "plan" }>;
  const { kind, reason } = result as NoPlan;
  if (kind === "not-applicable") {
    throw doesNotApply(method, reason, file);
  }
  const why = wasStopped ? STOPPED : reason;
  throw new NoPlanError("none", why, `the method ${method} found no plan: ${why}; ${ADVICE}`, file);
}

/** Of a method that says so itself. */
export function doesNotApply(method: string, reason: string, file: string): NoPlanError {
  const message = `the method ${method} does not apply to this instance: ${reason}`;
  return new NoPlanError("not-applicable", reason, message, file);
}
