import { InputError } from "../errors/input-error.js";
import { STOPPED } from "./plan-file/stopped.js";

/** What a published method gives that has no plan. */
type NoPlan = { readonly kind: "not-applicable" | "none"; readonly reason: string };

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
    throw new InputError(`the method ${method} does not apply to this instance: ${reason}`, file);
  }
  throw new InputError(`the method ${method} found no plan: ${wasStopped ? STOPPED : reason}; ${ADVICE}`, file);
}
