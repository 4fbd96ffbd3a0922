import { banTiers } from "../../kernel/ladder/node.js";
import type { PropagateStep } from "../program/propagate.js";
import type { LadderRule } from "./tree.js";

/**
 * Bound propagation right after a branching on an auxiliary: in a row without negative terms whose side is used up by the
 * least that its auxiliaries take, no unit can take a tier that counts in it (kernel/ladder/node.ts). A propagation
 * anywhere else is of the node written out, where it may find more.
 */
export const banTiersOfLadder: LadderRule<PropagateStep> = {
  check(tree) {
    if (!tree.isBranched) return false;
    if (tree.node !== null) tree.node = banTiers(tree.ladder, tree.node);
    return true;
  },
};
