import { fields, type NamedMultipliers, readMultipliers, within } from "../../grammar.js";
import { roundRows } from "../../kernel/round.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Replaces rows by Chvátal–Gomory roundings of their upper sides, each times a positive factor. */
export interface RoundStep {
  readonly round: NamedMultipliers;
}

/**
 * With f > 0 and integers x ≥ l, a row Σ a·x ≤ b implies Σ ⌊f·a⌋·(x − l) ≤ ⌊f·(b − Σ a·l)⌋: the left side is an integer and at
 * most f·Σ a·(x − l) (kernel/round.ts; Chvátal 1973). The row's lower side is given up.
 *
 * Side conditions: the factor is above zero, the row has an upper side, and all its columns are integers bounded below.
 */
export const round: Rule<ProgramTree, RoundStep> = {
  read: (json, step) => ({ round: readMultipliers(fields(json, ["round"], step).round, step) }),
  check(tree, { round: named }, step) {
    const factors = tree.multipliers(named, step);
    tree.view = within(step, () => roundRows(tree.view, tree.box, factors));
    tree.reduce();
  },
};
