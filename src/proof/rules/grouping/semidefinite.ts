import type { Rational } from "../../../exact/rational.js";
import { CertificateError, fields, readList, within } from "../../grammar.js";
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
  read: (json, step) => ({
    semidefinite: readSemidefinite(fields(json, ["semidefinite"], step).semidefinite, step),
  }),
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

/**
 * What stands under "semidefinite" in a step. Whether the numbers are for as many elements as the grouping has is seen
 * where it is checked. Throws {@link CertificateError} with what was expected.
 */
export function readSemidefinite(json: unknown, step: number): SemidefiniteStep["semidefinite"] {
  const fail = (message: string): never => {
    throw new CertificateError(step, message);
  };
  const integer = (value: unknown, least: number): number =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? (value as number)
      : fail(`an integer of at least ${least} was expected, ${JSON.stringify(value)} is there`);
  const integers = (value: unknown, what: string, least = Number.MIN_SAFE_INTEGER): readonly number[] =>
    readList(value, what, step).map((entry) => integer(entry, least));
  const cut = (value: unknown): SemidefiniteCut => {
    const { price, floor, plus, minus } = fields(value, ["price", "floor", "plus", "minus"], step);
    const read = {
      price: integer(price, 0),
      floor: integer(floor, Number.MIN_SAFE_INTEGER),
      plus: integers(plus, "items", 0),
      minus: integers(minus, "items", 0),
    };
    const elements = [...read.plus, ...read.minus];
    return new Set(elements).size === elements.length ? read : fail("the items of a cut must be different");
  };
  const { bits, rows, cuts, factor } = fields(json, ["bits", "rows", "cuts", "factor"], step);
  const read = {
    bits: integer(bits, 1),
    rows: integers(rows, "integers"),
    cuts: readList(cuts, "cuts", step).map(cut),
    factor: readList(factor, "rows", step).map((row) => integers(row, "integers")),
  };
  return read.bits <= MAX_BITS ? read : fail(`at most ${MAX_BITS} bits were expected, ${read.bits} are there`);
}
