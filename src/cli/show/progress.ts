import type { SolveProgress } from "../worker/protocol.js";
import { some } from "./proof.js";
import { count } from "./units.js";

/** How far a search has come, as parts of a status line; `amount` writes a value of the objective. */
export function searchProgress(
  { nodes, openNodes, incumbent, bound, part }: SolveProgress,
  amount: (value: number) => string,
): readonly string[] {
  // A search that counts none has no tree of its own.
  const parts = nodes === 0 ? [] : [`${some(nodes, "node", "nodes")} (${count(openNodes)} open)`];
  if (part !== undefined) parts.unshift(part);
  if (incumbent !== null) parts.push(`best ${amount(incumbent)}`);
  if (bound !== null) parts.push(`bound ${amount(bound)}`);
  if (incumbent !== null && bound !== null && incumbent !== 0) {
    parts.push(`gap ${(Math.abs(incumbent - bound) / Math.abs(incumbent)).toExponential(1)}`);
  }
  return parts;
}
