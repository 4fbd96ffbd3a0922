import type { Asked } from "../../../search/exact-milp/claims.js";
import type { SolverWord } from "../answer/schema.js";

/** A solver's answer as plain data. */
export function wordOf(answer: Asked): SolverWord {
  const { solver } = answer;
  if ("failure" in answer) return { solver, status: "failed", value: null, bound: null, failure: answer.failure };
  const { status, primalBound = null, dualBound = null } = answer.claim;
  return { solver, status, value: finiteOrNull(primalBound), bound: finiteOrNull(dualBound), failure: null };
}

function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
