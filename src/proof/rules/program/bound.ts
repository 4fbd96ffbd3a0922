import type { Rational } from "../../../exact/rational.js";
import { CertificateError, fields, type NamedMultipliers, readMultipliers } from "../../grammar.js";
import { type Lattice, roundUp } from "../../kernel/lattice.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Closes the node: the multipliers prove that nothing in it is better than the claimed bound. */
export interface BoundStep {
  readonly bound: NamedMultipliers;
}

/**
 * For any multipliers y every point x of the node has c·x ≥ Σ y·side + (c − Aᵀy)·x, and the last term is minimised exactly
 * over the box (kernel/bound.ts; Neumaier and Shcherbina 2004). Rows "integers add up to a fixed integer" that share no
 * column are kept, not priced: so one multiplier per budget is a whole proof. What objectives of the node can be is a
 * lattice, to which the bound is rounded up (kernel/lattice.ts).
 *
 * Side conditions: a multiplier above zero prices a lower side, one below zero an upper side, and the row has it; a column
 * with a reduced cost has a bound on the side that the cost prefers.
 */
export const bound: Rule<ProgramTree, BoundStep> = {
  read: (json, step) => ({ bound: readMultipliers(fields(json, ["bound"], step).bound, step) }),
  check(tree, { bound: named }, step) {
    const { bound, infeasible } = tree.bound(tree.multipliers(named, step), "bound", step);
    if (!infeasible && !tree.isEmpty) requireBound(bound, tree.target, step, () => tree.lattice());
    tree.close();
  },
};

/** Throws unless a bound (`null`: nothing is proved), rounded up to what objectives can be, reaches the claim. */
export function requireBound(
  bound: Rational | null,
  target: Rational | null,
  step: number,
  latticeOf: () => Lattice | null,
): void {
  if (target === null) throw new CertificateError(step, "the node was claimed infeasible, a bound does not show it");
  if (bound === null) throw new CertificateError(step, "the multipliers leave a free column with a cost: no bound");
  const lattice = latticeOf();
  const reached = lattice === null ? bound : roundUp(bound, lattice);
  // `null`: the objective has one value left, and it is below the bound, so that no point is.
  if (reached !== null && reached.compare(target) < 0) {
    const proved = `the multipliers prove ${reached.toNumber()}, below the claim of ${target.toNumber()}`;
    throw new CertificateError(step, proved);
  }
}
