import { CertificateError, fields, readNames } from "../../grammar.js";
import type { Rule } from "../rule.js";
import type { GroupingTree } from "./tree.js";

/** Splits the node: first the labelings with both elements in one cluster, then those with them in different ones. */
export interface PairStep {
  readonly pair: readonly [string, string];
}

/** Two elements are in one cluster or in two (Ryan and Foster 1981). Side condition: the elements are different. */
export const pair: Rule<GroupingTree, PairStep> = {
  read: (json, step) => ({ pair: readPair(fields(json, ["pair"], step).pair, step) }),
  check(tree, { pair: names }, step) {
    const { window, together, apart } = tree.node;
    const both = tree.pairNamed(names, step);
    tree.close({ window, together: [...together, both], apart }, { window, together, apart: [...apart, both] });
  },
};

/** The names of two elements. */
export function readPair(json: unknown, step: number): readonly [string, string] {
  const [first, second, ...more] = readNames(json, "items", step);
  if (first === undefined || second === undefined || more.length > 0) {
    throw new CertificateError(step, "the names of two items were expected");
  }
  return [first, second];
}
