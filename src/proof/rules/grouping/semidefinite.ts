import type { Rational } from "../../../exact/rational.js";
import { CertificateError, list, type Reader, record, within } from "../../grammar.js";
import {
  leftBySemidefinite,
  type SemidefiniteCut,
  type SemidefiniteStep,
  semidefiniteBound,
} from "../../kernel/grouping/semidefinite.js";
import type { Rule } from "../rule.js";
import type { GroupingTree } from "./tree.js";

export type { SemidefiniteStep };

/**
 * Closes the node by the dual of a semidefinite relaxation, or leaves it with the pairs apart that no better labeling
 * has in one cluster: a pair in one cluster costs at least its reduced cost beside the bound. Any integers prove some
 * bound, computed exactly (kernel/grouping/semidefinite.ts has the inequalities).
 *
 * Side conditions: dual values of cuts are not below zero, the elements of a cut are different; numbers are those of as
 * many elements as the grouping has; there is a claim to reach, and the step says more than its node does.
 */
export const semidefinite: Rule<GroupingTree, SemidefiniteStep> = {
  read: (json, step, readStep) => record({ semidefinite: dualNumbers })(json, step, readStep),
  check(tree, dual, step) {
    const { grouping, node, claim } = tree;
    if (claim === null)
      throw new CertificateError(step, "a semidefinite bound does not show that there is no numbering");
    const proved = within(step, () => semidefiniteBound(grouping, node, dual));
    const left = leftBySemidefinite(grouping, node, proved, claim);
    if (left === node) {
      const bound = (proved.bound as Rational).toNumber();
      throw new CertificateError(step, `the multipliers prove ${bound}, below the claim of ${claim.toNumber()}`);
    }
    if (left === null) tree.close();
    else tree.close(left);
  },
};

/** More bits than doubles have would say nothing. */
const MAX_BITS = 1000;

function integer(least = Number.MIN_SAFE_INTEGER): Reader<number> {
  return (json, step) => {
    if (Number.isSafeInteger(json) && (json as number) >= least) return json as number;
    const given = JSON.stringify(json);
    throw new CertificateError(step, `an integer of at least ${least} was expected, ${given} is there`);
  };
}

const cut: Reader<SemidefiniteCut> = (json, step, readStep) => {
  const items = list("items", integer(0));
  const read = record({ price: integer(0), floor: integer(), plus: items, minus: items })(json, step, readStep);
  const elements = [...read.plus, ...read.minus];
  if (new Set(elements).size === elements.length) return read;
  throw new CertificateError(step, "the items of a cut must be different");
};

/** What stands under "semidefinite". Whether the numbers are for as many elements as the grouping has is seen where it is checked. */
const dualNumbers: Reader<SemidefiniteStep["semidefinite"]> = (json, step, readStep) => {
  const integers = list("integers", integer());
  const fields = { bits: integer(1), rows: integers, cuts: list("cuts", cut), factor: list("rows", integers) };
  const read = record(fields)(json, step, readStep);
  if (read.bits <= MAX_BITS) return read;
  throw new CertificateError(step, `at most ${MAX_BITS} bits were expected, ${read.bits} are there`);
};
