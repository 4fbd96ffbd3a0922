import { CertificateError, nothing, record } from "../../grammar.js";
import { excludeExchangeable } from "../../kernel/exchange.js";
import { propagate as propagateBounds } from "../../kernel/propagate.js";
import { rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Tightens the node's box by bound propagation. */
const propagateStep = record({ propagate: nothing });

/**
 * Every bound follows from one row and the bounds of the row's other columns: from Σ a·x ≤ b,
 *
 *   a_j·x_j ≤ b − Σ_{k ≠ j} min a_k·x_k
 *
 * (kernel/propagate.ts; Savelsbergh, ORSA Journal on Computing 6, 1994). Side conditions: all other columns have a bound on
 * the side that makes their part least; only integers are rounded.
 */
export const propagate = rule(propagateStep, (tree: ProgramTree) => {
  if (!propagateBounds(tree.view, tree.box)) tree.isEmpty = true;
  tree.reduce();
});

/** Leaves out what exchanging units between groups turns into something at least as good. */
const exchangeStep = record({ exchange: nothing });

/**
 * Two neighbouring groups may exchange a unit between two positions where that raises neither the objective nor any row's
 * violation. All exchanges raise one bounded number, so that exchanging ends: if a point is below the claim, one is that
 * allows no further exchange, and only such points are kept (kernel/exchange.ts). For row tiers: within tables of one width
 * the hottest rows are replicated, the next are flex, the coldest row-wise.
 *
 * Side conditions: groups of one size, members between 0 and at least the total, differences of
 * coefficients that rise along the chain in the objective and in every row that has a side to break.
 */
export const exchange = rule(exchangeStep, (tree: ProgramTree, _, step) => {
  const order = tree.exchanges();
  if (order === null) {
    // What is decided around this program may have left no two groups: then there is nothing to leave out.
    if (tree.around !== null) return;
    throw new CertificateError(step, "no two groups of the program may exchange units");
  }
  if (!excludeExchangeable(order, tree.view, tree.box, (column) => tree.valueOf(column))) tree.isEmpty = true;
  tree.reduce();
});
