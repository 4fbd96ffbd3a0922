import { readEmpty } from "../../grammar.js";
import { propagate as propagateBounds } from "../../kernel/propagate.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Tightens the node's box by bound propagation. */
export interface PropagateStep {
  readonly propagate: Readonly<Record<string, never>>;
}

/**
 * Every bound follows from one row and the bounds of the row's other columns: from Σ a·x ≤ b,
 *
 *   a_j·x_j ≤ b − Σ_{k ≠ j} min a_k·x_k
 *
 * (kernel/propagate.ts; Savelsbergh, ORSA Journal on Computing 6, 1994). Side conditions: all other columns have a bound on
 * the side that makes their part least; only integers are rounded.
 */
export const propagate: Rule<ProgramTree, PropagateStep> = {
  read: (json, step) => ({ propagate: readEmpty(json, "propagate", step) }),
  check(tree) {
    if (!propagateBounds(tree.view, tree.box, tree.record)) tree.isEmpty = true;
    tree.reduce();
  },
};
