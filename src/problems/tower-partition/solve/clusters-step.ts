import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { ClustersCut, ClustersDuals, ListedClusters, Step } from "../../../proof/certificate.js";
import type { ClusterDuals } from "../../../proof/kernel/grouping/dual-values.js";
import type { ListedTree } from "../../../proof/kernel/grouping/pool-tree.js";

/** The step that closes a node by dual values, and by a tree over the clusters that these leave. */
export function clustersStep(grouping: Grouping, duals: ClusterDuals, tree: ListedTree | null): Step {
  const named = namedDuals(grouping, duals);
  return { groups: tree === null ? named : { ...named, listed: namedTree(grouping, tree) } };
}

function namedTree(grouping: Grouping, { narrow, split }: ListedTree): ListedClusters {
  const duals = narrow.map((one) => namedDuals(grouping, one));
  if (split === undefined) return { narrow: duals };
  const [i, j] = split.pair;
  return {
    narrow: duals,
    split: {
      pair: [grouping.elements[i] as string, grouping.elements[j] as string],
      together: namedTree(grouping, split.together),
      apart: namedTree(grouping, split.apart),
    },
  };
}

function namedDuals({ elements }: Grouping, duals: ClusterDuals): ClustersDuals {
  const named: Record<string, string> = {};
  elements.forEach((element, i) => {
    const dual = duals.elements[i] as Rational;
    if (dual.sign() !== 0) named[element] = dual.toString();
  });
  const cuts = duals.sets.map(({ elements: set, divisor, dual }): ClustersCut => {
    const cut = { items: set.map((element) => elements[element] as string), price: dual.toString() };
    return divisor === 2 ? cut : { ...cut, divisor };
  });
  return cuts.length === 0 ? { prices: named } : { prices: named, cuts };
}
