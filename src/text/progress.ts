import { gapText } from "./optimality.js";
import { count, some } from "./units.js";

/** How far a search has come; in the objective's unit. */
export interface SolveProgress {
  readonly nodes: number;
  readonly openNodes: number;
  readonly incumbent: number | null;
  readonly bound: number | null;
  /** Of what, where there are several searches or phases: `point 3 of 21`, `local search`. */
  readonly part?: string;
  /** Incumbent and bound are plain numbers, not seconds. */
  readonly plain?: boolean;
}

/** How far a search has come, as parts of a status line; `amount` writes a value of the objective. */
export function searchProgress(
  { nodes, openNodes, incumbent, bound, part }: SolveProgress,
  amount: (value: number) => string,
): readonly string[] {
  // A search that counts none has no tree of its own.
  const parts = nodes === 0 ? [] : [`${some(nodes, "node")} (${count(openNodes)} open)`];
  if (part !== undefined) parts.unshift(part);
  if (incumbent !== null) parts.push(`best ${amount(incumbent)}`);
  if (bound !== null) parts.push(`bound ${amount(bound)}`);
  if (incumbent !== null && bound !== null && incumbent !== 0) {
    const gap = Math.abs(incumbent - bound) / Math.abs(incumbent);
    parts.push(`gap ${gapText({ value: incumbent, bound, gap })}`);
  }
  return parts;
}
