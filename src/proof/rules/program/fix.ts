import { CertificateError, fields, type NamedMultipliers, readMultipliers, readNumber } from "../../grammar.js";
import { fixByReducedCost } from "../../kernel/fix.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/**
 * Tightens the node's box by reduced costs, with the claimed bound as the cutoff. A `cutoff` of its own, above the
 * claimed bound, is for ladders (../ladder/fix.ts) and says nothing of a program.
 */
export interface FixStep {
  readonly fix: NamedMultipliers;
  readonly cutoff?: string;
}

/**
 * If moving a column k units away from where the inner minimum of the Lagrangian bound has it costs at least the room
 * between that bound and the claim, no point there is below the claim (kernel/fix.ts; a textbook step of branch and bound).
 *
 * Side conditions: there is a claim to fix by; a continuous column is cut at the next double beyond the room, an integer at the
 * last integer below it. The cutoff is the final claim, and the incumbents that the search fixed with are no better than that: so
 * the nodes here are never larger than the search's were.
 */
export const fix: Rule<ProgramTree, FixStep> = {
  read(json, step) {
    const { fix: named, cutoff } = fields(json, ["fix"], step, ["cutoff"]);
    const multipliers = readMultipliers(named, step);
    return cutoff === undefined
      ? { fix: multipliers }
      : { fix: multipliers, cutoff: readNumber(cutoff, step).toString() };
  },
  check(tree, { fix: named }, step) {
    const multipliers = tree.multipliers(named, step);
    const { target } = tree;
    if (target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
    const result = tree.bound(multipliers, "bound", step);
    // A node whose bound reaches the claim already holds nothing of interest, whatever is said of it from here on.
    if (result.infeasible || (result.bound !== null && result.bound.compare(target) >= 0)) tree.isEmpty = true;
    fixByReducedCost(tree.view, tree.box, result, target, tree.record);
    tree.reduce();
  },
};
