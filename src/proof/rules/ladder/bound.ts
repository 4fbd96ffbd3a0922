import { type BoundStep, requireBound } from "../program/bound.js";
import type { LadderRule } from "./tree.js";

/**
 * The Lagrangian bound, computed interval by interval: a unit's cost in a tier is affine in its rate, so that where one
 * tier is cheapest at both ends of an interval it is cheapest in between (kernel/ladder/bound.ts).
 *
 * Side conditions: the multipliers are of the ladder's own rows, and none is above zero, as these have upper sides
 * only; an auxiliary with a cost has a bound. Multipliers of a class's own row are for the node written out.
 */
export const boundOfLadder: LadderRule<BoundStep> = {
  check(tree, { bound: named }, step) {
    if (!tree.hasRows(named)) return false;
    const result = tree.bound(named, "bound", step);
    if (result !== null && !result.infeasible) requireBound(result.bound, tree.target, step, () => null);
    tree.close();
    return true;
  },
};
