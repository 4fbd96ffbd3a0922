import { Refusal } from "./refusal.js";
import type { VerificationDraft } from "./verification.js";

/**
 * Whether a plan claims no bound, which its status says: `heuristic` of every method but `optimal`, and of no other, and
 * `unknown`. Such a plan has no certificate. Throws {@link Refusal} where status, method and certificate do not go together.
 */
export function checkProofless(
  draft: VerificationDraft,
  { status, method, certificate }: { readonly status: string; readonly method: string; readonly certificate?: unknown },
): boolean {
  if ((status === "heuristic") === (method === "optimal")) {
    throw new Refusal("certificate", `a plan of the method ${method} cannot have the status ${status}`);
  }
  if (status !== "heuristic" && status !== "unknown") return false;
  if (certificate !== null) throw new Refusal("certificate", `the status ${status} has none, and one is there`);
  draft.check("certificate", true, `none: the status ${status} claims no bound`);
  return true;
}
