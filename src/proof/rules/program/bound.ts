import type { Rational } from "../../../exact/rational.js";
import { CertificateError, multipliers, type NamedMultipliers, type Reader, record } from "../../grammar.js";
import type { BoundResult } from "../../kernel/bound.js";
import { type Lattice, roundUp } from "../../kernel/lattice.js";
import { type Rule, rule } from "../rule.js";
import { boundOfBlocks, type Parts, parts } from "./blocks.js";
import type { ProgramTree } from "./tree.js";

/** A tree whose nodes have Lagrangian bounds: of a program, or of a ladder as it is. */
export interface BoundedTree {
  /** The claimed bound of the minimisation, `null` for a claim of infeasibility. */
  readonly target: Rational | null;
  /** The current node holds no point that matters. */
  readonly isEmpty: boolean;
  bound(
    named: NamedMultipliers,
    purpose: "bound" | "infeasibility",
    step: number,
  ): Pick<BoundResult, "bound" | "infeasible">;
  /** The values of the objective in the current node. */
  lattice(): Lattice | null;
  close(): void;
}

/** Closes the node: the multipliers prove that nothing in it is better than the claimed bound. */
const boundStep = record({ bound: multipliers });

/**
 * For any multipliers y every point x of the node has c·x ≥ Σ y·side + (c − Aᵀy)·x, and the last term is minimised exactly
 * over the box (kernel/bound.ts; Neumaier and Shcherbina 2004). Rows "integers add up to a fixed integer" that share no
 * column are kept, not priced: so one multiplier per budget is a whole proof. What objectives of the node can be is a
 * lattice, to which the bound is rounded up (kernel/lattice.ts).
 *
 * Side conditions: a multiplier above zero prices a lower side, one below zero an upper side, and the row has it; a column
 * with a reduced cost has a bound on the side that the cost prefers.
 */
export const bound = rule(boundStep, (tree: BoundedTree, { bound: named }, step) => {
  closeBy(tree, tree.bound(named, "bound", step), "bound", step);
});

/** Closes the node: the multipliers prove that nothing in it is feasible. */
const infeasibleStep = record({ infeasible: multipliers });

/**
 * The bound of `bound` with an objective of zero: 0 ≥ Σ y·side − max (Aᵀy)·x over the box for every feasible x, so that a
 * right side above zero shows that there is none (Farkas). The side conditions are those of `bound`.
 */
export const infeasible = rule(infeasibleStep, (tree: BoundedTree, { infeasible: named }, step) => {
  closeBy(tree, tree.bound(named, "infeasibility", step), "infeasibility", step);
});

const boundOrInfeasible: Reader<"bound" | "infeasible"> = (json, step) => {
  if (json === "bound" || json === "infeasible") return json;
  throw new CertificateError(step, `a purpose "bound" or "infeasible" was expected`);
};

/** Closes the node by the minima of independent blocks. */
export interface DecomposeStep<Step = unknown> extends Parts<Step> {
  /** Multipliers of any rows; only rows of blocks are kept as well. */
  readonly decompose: NamedMultipliers;
  /** `bound`: the sum reaches the claim; `infeasible`: with a zero objective, the sum is positive. */
  readonly purpose: "bound" | "infeasible";
}

/**
 * With any multipliers a node's bound is a minimum of reduced costs over its box. It stays one over fewer points where rows
 * are kept, and where these lie in blocks that share no column it is a sum: one minimum for each block, subject to its rows,
 * and that of the columns outside (blocks.ts, with the side conditions; Geoffrion 1974, Dantzig and Wolfe 1960).
 */
export const decompose: Rule<ProgramTree, DecomposeStep> = {
  read: record({ decompose: multipliers, purpose: boundOrInfeasible, ...parts }),
  check(tree, step, number) {
    const purpose = step.purpose === "bound" ? "bound" : "infeasibility";
    closeBy(tree, boundOfBlocks(tree, step, step.decompose, purpose, number), purpose, number);
  },
};

function closeBy(
  tree: BoundedTree,
  { bound, infeasible: isBroken }: Pick<BoundResult, "bound" | "infeasible">,
  purpose: "bound" | "infeasibility",
  step: number,
): void {
  if (!isBroken && !tree.isEmpty) {
    if (purpose === "bound") requireBound(bound, tree.target, step, () => tree.lattice());
    else if (bound === null || bound.sign() <= 0) {
      throw new CertificateError(step, "the multipliers do not show that the node is infeasible");
    }
  }
  tree.close();
}

/** Throws unless a bound (`null`: nothing is proved), rounded up to what objectives can be, reaches the claim. */
function requireBound(
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
