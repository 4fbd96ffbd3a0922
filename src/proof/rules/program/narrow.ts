import { CertificateError, fields, type NamedMultipliers, readMultipliers } from "../../grammar.js";
import { fixByReducedCost } from "../../kernel/fix.js";
import type { Rule } from "../rule.js";
import { apart, PARTS, type Parts, readParts, sumOfBlocks } from "./decompose.js";
import type { ProgramTree } from "./tree.js";

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
  read(json, step, readStep) {
    const { narrow: named, ...parts } = fields(json, ["narrow", ...PARTS], step);
    return { narrow: readMultipliers(named, step), ...readParts(parts, step, readStep) };
  },
  check(tree, step, number) {
    const { target } = tree;
    if (target === null) throw new CertificateError(number, "a proof of infeasibility has no cutoff to fix by");
    const { rest, blocks } = apart(tree, step, step.narrow, "bound", number);
    if (rest.infeasible) tree.isEmpty = true;
    if (tree.isEmpty) return;
    const bound = rest.bound?.add(sumOfBlocks(tree, step, blocks, number)) ?? null;
    if (bound !== null && bound.compare(target) >= 0) tree.isEmpty = true;
    const { outside } = tree.layout(step.links, step.blocks, number);
    fixByReducedCost(outside, tree.box, { ...rest, bound }, target, tree.record);
  },
};
