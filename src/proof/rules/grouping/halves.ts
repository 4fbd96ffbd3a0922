import { CertificateError, fields, within } from "../../grammar.js";
import { halvesBelow } from "../../kernel/grouping/halves.js";
import type { Rule } from "../rule.js";
import type { GroupingTree } from "./tree.js";
import { whole } from "./whole.js";

/** Closes the node, of two clusters: going through all halves finds none better than the claim. */
export interface HalvesStep {
  readonly halves: Readonly<Record<string, never>>;
}

/**
 * The smaller half says what the other one is, so that its cost and the other's are a reduced cost of the smaller one alone: the
 * walk through priced clusters goes through all of them (kernel/grouping/halves.ts).
 *
 * Side conditions: there are two clusters; sizes that a later window has too are left to that window's node.
 */
export const halves: Rule<GroupingTree, HalvesStep> = {
  read(json, step) {
    fields(fields(json, ["halves"], step).halves, [], step);
    return { halves: {} };
  },
  check(tree, _, step) {
    const { grouping, node, claim, shouldStop } = tree;
    const halves = within(step, () => halvesBelow(grouping, node, claim, { shouldStop }));
    const found = whole(step, halves);
    if (found !== null) throw new CertificateError(step, "two groups make up something that is better than the claim");
    tree.close();
  },
};
