import { CertificateError, names, type Reader, record } from "../../grammar.js";
import { rule } from "../rule.js";
import type { GroupingTree } from "./tree.js";

/** The names of two elements. */
export const pairOfNames: Reader<readonly [string, string]> = (json, step, readStep) => {
  const [first, second, ...more] = names("items")(json, step, readStep);
  if (first === undefined || second === undefined || more.length > 0) {
    throw new CertificateError(step, "the names of two items were expected");
  }
  return [first, second];
};

/** Splits the node: first the labelings with both elements in one cluster, then those with them in different ones. */
const pairStep = record({ pair: pairOfNames });

/** Two elements are in one cluster or in two (Ryan and Foster 1981). Side condition: the elements are different. */
export const pair = rule(pairStep, (tree: GroupingTree, { pair: named }, step) => {
  const { window, together, apart } = tree.node;
  const both = tree.pairNamed(named, step);
  tree.close({ window, together: [...together, both], apart }, { window, together, apart: [...apart, both] });
});
