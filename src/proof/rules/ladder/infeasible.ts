import { type InfeasibleStep, requireInfeasible } from "../program/infeasible.js";
import type { LadderRule } from "./tree.js";

/** The bound of the ladder (bound.ts) with an objective of zero; above zero it is a Farkas proof. */
export const infeasibleLadder: LadderRule<InfeasibleStep> = {
  check(tree, { infeasible: named }, step) {
    if (!tree.hasRows(named)) return false;
    const result = tree.bound(named, "infeasibility", step);
    if (result !== null && !result.infeasible) requireInfeasible(result.bound, step);
    tree.close();
    return true;
  },
};
