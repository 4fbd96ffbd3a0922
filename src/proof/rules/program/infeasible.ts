import type { Rational } from "../../../exact/rational.js";
import { CertificateError, fields, type NamedMultipliers, readMultipliers } from "../../grammar.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Closes the node: the multipliers prove that nothing in it is feasible. */
export interface InfeasibleStep {
  readonly infeasible: NamedMultipliers;
}

/**
 * The bound of `bound` with an objective of zero: 0 ≥ Σ y·side − max (Aᵀy)·x over the box for every feasible x, so that a
 * right side above zero shows that there is none (Farkas). The side conditions are those of `bound`.
 */
export const infeasible: Rule<ProgramTree, InfeasibleStep> = {
  read: (json, step) => ({ infeasible: readMultipliers(fields(json, ["infeasible"], step).infeasible, step) }),
  check(tree, { infeasible: named }, step) {
    const { bound, infeasible: isBroken } = tree.bound(tree.multipliers(named, step), "infeasibility", step);
    if (!isBroken && !tree.isEmpty) requireInfeasible(bound, step);
    tree.close();
  },
};

/** Throws unless the bound of an objective of zero is above zero. */
export function requireInfeasible(bound: Rational | null, step: number): void {
  if (bound === null || bound.sign() <= 0) {
    throw new CertificateError(step, "the multipliers do not show that the node is infeasible");
  }
}
