import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { ClustersCut, Step } from "../../../proof/certificate.js";
import type { ClusterDuals } from "../../../proof/kernel/grouping/dual-values.js";

/** The step that closes a node by dual values of elements and 3-subset rows, and what these leave. */
export function clustersStep({ elements }: Grouping, duals: ClusterDuals): Step {
  const prices: Record<string, string> = {};
  elements.forEach((element, i) => {
    const dual = duals.elements[i] as Rational;
    if (dual.sign() !== 0) prices[element] = dual.toString();
  });
  const cuts = duals.sets.map(({ elements: three, dual }): ClustersCut => {
    return { items: three.map((element) => elements[element] as string), price: dual.toString() };
  });
  return { groups: cuts.length === 0 ? { prices } : { prices, cuts } };
}
