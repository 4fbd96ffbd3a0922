import { CertificateError, multipliers, type NamedMultipliers, number, type Read, record } from "../../grammar.js";
import type { BoundResult } from "../../kernel/bound.js";
import { fixByReducedCost } from "../../kernel/fix.js";
import type { View } from "../../kernel/view.js";
import type { Rule } from "../rule.js";
import { boundOfBlocks, type Parts, parts } from "./blocks.js";
import type { ProgramTree } from "./tree.js";

/**
 * Tightens the node's box by reduced costs, with the claimed bound as the cutoff. A `cutoff` of its own, above the
 * claimed bound, is for ladders (../ladder/fix.ts) and says nothing of a program.
 */
const fixStep = record({ fix: multipliers }, { cutoff: number });
export type FixStep = Read<typeof fixStep>;

/**
 * If moving a column k units away from where the inner minimum of the Lagrangian bound has it costs at least the room
 * between that bound and the claim, no point there is below the claim (kernel/fix.ts; a textbook step of branch and bound).
 *
 * Side conditions: there is a claim to fix by; a continuous column is cut at the next double beyond the room, an integer at the
 * last integer below it. The cutoff is the final claim, and the incumbents that the search fixed with are no better than that: so
 * the nodes here are never larger than the search's were.
 */
export const fix: Rule<ProgramTree, FixStep> = {
  read: fixStep,
  check(tree, { fix: named }, step) {
    tighten(tree, step, () => ({ ...tree.bound(named, "bound", step), outside: tree.view }));
    tree.reduce();
  },
};

/** Tightens the node's box by reduced costs, with the minima of independent blocks as the bound. */
export interface NarrowStep<Step = unknown> extends Parts<Step> {
  /** Multipliers of any rows; only rows of blocks are kept as well. */
  readonly narrow: NamedMultipliers;
}

/**
 * What `decompose` shows of a node is a sum, of which the part of each column outside the blocks, or of each group there, is at its
 * least. Where moving one away from there costs at least the room between the sum and the claim, no point there is below the claim: as
 * `fix` does, with the better bound. A column that links blocks is outside of them, and their rows are at their weakest wherever it is.
 *
 * Side conditions: those of `decompose` and of `fix`; no column of a block, nor of a group that has one in a block, is tightened.
 * Nothing is substituted: nodes of a tree are taken apart alike.
 */
export const narrow: Rule<ProgramTree, NarrowStep> = {
  read: record({ narrow: multipliers, ...parts }),
  check(tree, step, number) {
    tighten(tree, number, () => boundOfBlocks(tree, step, step.narrow, "bound", number));
  },
};

/** `outside`: the columns and groups that may be tightened. */
function tighten(tree: ProgramTree, step: number, bounded: () => BoundResult & { readonly outside: View }): void {
  const { target } = tree;
  if (target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
  const { outside, ...result } = bounded();
  // A node whose bound reaches the claim already holds nothing of interest, whatever is said of it from here on.
  if (result.infeasible || (result.bound !== null && result.bound.compare(target) >= 0)) tree.isEmpty = true;
  fixByReducedCost(outside, tree.box, result, target);
}
