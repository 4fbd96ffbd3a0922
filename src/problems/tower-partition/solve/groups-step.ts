import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { GroupsCut, GroupsPrices, ListedGroups, Step } from "../../../proof/certificate.js";
import type { GroupPrices } from "../../../proof/kernel/grouping/dual-values.js";
import type { ListedTree } from "../../../proof/kernel/grouping/pool-tree.js";

/** The step that closes a node by prices, and by a tree over the groups that these leave. */
export function groupsStep(grouping: Grouping, prices: GroupPrices, tree: ListedTree | null): Step {
  const named = namedPrices(grouping, prices);
  return { groups: tree === null ? named : { ...named, listed: namedTree(grouping, tree) } };
}

function namedTree(grouping: Grouping, { narrow, split }: ListedTree): ListedGroups {
  const prices = narrow.map((one) => namedPrices(grouping, one));
  if (split === undefined) return { narrow: prices };
  const [i, j] = split.pair;
  return {
    narrow: prices,
    split: {
      pair: [grouping.items[i] as string, grouping.items[j] as string],
      together: namedTree(grouping, split.together),
      apart: namedTree(grouping, split.apart),
    },
  };
}

function namedPrices({ items }: Grouping, prices: GroupPrices): GroupsPrices {
  const named: Record<string, string> = {};
  items.forEach((item, i) => {
    const price = prices.items[i] as Rational;
    if (price.sign() !== 0) named[item] = price.toString();
  });
  const cuts = [...prices.triples.map((triple) => ({ ...triple, divisor: 2 })), ...prices.sets].map(
    ({ items: set, divisor, price }): GroupsCut => {
      const cut = { items: set.map((item) => items[item] as string), price: price.toString() };
      return divisor === 2 ? cut : { ...cut, divisor };
    },
  );
  return cuts.length === 0 ? { prices: named } : { prices: named, cuts };
}
