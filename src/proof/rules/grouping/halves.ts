import { CertificateError, record, within } from "../../grammar.js";
import { halvesBelow } from "../../kernel/grouping/halves.js";
import { rule } from "../rule.js";
import type { GroupingTree } from "./tree.js";
import { whole } from "./whole.js";

/** Closes the node, of two clusters: going through all halves finds none better than the claim. */
const halvesStep = record({ halves: record({}) });

/**
 * The smaller half says what the other one is, so that its cost and the other's are a reduced cost of the smaller one alone: the
 * walk through priced clusters goes through all of them (kernel/grouping/halves.ts).
 *
 * Side conditions: there are two clusters; sizes that a later window has too are left to that window's node.
 */
export const halves = rule(halvesStep, (tree: GroupingTree, _, step) => {
  const { grouping, node, claim, shouldStop } = tree;
  const found = whole(
    step,
    within(step, () => halvesBelow(grouping, node, claim, { shouldStop })),
  );
  if (found !== null) throw new CertificateError(step, "two groups make up something that is better than the claim");
  tree.close();
});
