import { Rational } from "../../../exact/rational.js";
import type { Column } from "../../../program/program.js";
import { CertificateError, readNumber } from "../../grammar.js";
import { withAuxiliary } from "../../kernel/ladder/node.js";
import type { BranchStep } from "../program/branch.js";
import type { LadderRule } from "./tree.js";

/**
 * A branching on an auxiliary column (the binaries of latency), as of a program: every integer is at most `at` or at
 * least
 * `at` + 1. Side conditions: the column and `at` are integers. A class's column is branched on in the node written out.
 */
export const branchOnAuxiliary: LadderRule<BranchStep> = {
  check(tree, { branch, at: text }, step) {
    const index = tree.auxiliaries.get(branch);
    if (index === undefined) return false;
    const at = readNumber(text, step);
    const { integer } = tree.ladder.auxiliaries[index] as Column;
    if (!integer) throw new CertificateError(step, `column "${branch}" is not an integer`);
    if (!at.isInteger()) throw new CertificateError(step, `a branching needs an integer, ${at} is there`);
    tree.isBranched = true;
    const { node } = tree;
    if (node === null) {
      tree.split(null, null);
      return true;
    }
    const { lower, upper } = node.auxiliaries[index] as Column;
    const above = at.add(Rational.one);
    tree.split(
      withAuxiliary(node, index, lower, upper === null || at.compare(upper) < 0 ? at : upper),
      withAuxiliary(node, index, lower === null || above.compare(lower) > 0 ? above : lower, upper),
    );
    return true;
  },
};
