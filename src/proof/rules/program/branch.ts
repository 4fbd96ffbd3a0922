import { CertificateError, name, number, type Read, readNumber, record } from "../../grammar.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Splits the node at an integer column: first the part with column ≤ at, then the part with column ≥ at + 1. */
const branchStep = record({ branch: name("a column"), at: number });
export type BranchStep = Read<typeof branchStep>;

/**
 * Every integer is at most `at` or at least `at` + 1, so that the halves hold all points of the node.
 *
 * Side conditions: the column is an integer, or implied to be (kernel/implied-integers.ts), and `at` is one. Fixing with
 * the final bound may have decided a column that was still open when the branching was recorded, and a ladder decides
 * columns before its rest is written out: then one half is empty, and whatever the certificate says of it holds.
 */
export const branch: Rule<ProgramTree, BranchStep> = {
  read: branchStep,
  check(tree, { branch: named, at: text }, step) {
    const at = readNumber(text, step);
    const index = tree.columnNamed(named);
    const outside = index === undefined ? tree.around?.valueOf(named) : undefined;
    if (index === undefined && outside === undefined) throw new CertificateError(step, `there is no column "${named}"`);
    if (index !== undefined && !tree.isInteger(index)) {
      throw new CertificateError(step, `column "${named}" is not an integer`);
    }
    if (!at.isInteger()) throw new CertificateError(step, `a branching needs an integer, ${at} is there`);
    const column = index === undefined ? -1 : tree.localOf(index);
    tree.split(column, column === -1 ? (outside ?? tree.valueOf(index as number)) : null, at);
  },
};
