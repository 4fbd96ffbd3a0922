import { Rational } from "../../../exact/rational.js";
import {
  CertificateError,
  fields,
  type NamedMultipliers,
  readList,
  readMultipliers,
  readNames,
  readNumber,
  within,
} from "../../grammar.js";
import { groupsBound, groupsLeft } from "../../kernel/grouping/bound.js";
import type { GroupPrices, SetPrice, TriplePrice } from "../../kernel/grouping/dual-values.js";
import { type ListedTree, searchListed } from "../../kernel/grouping/pool-tree.js";
import { PricedGroups } from "../../kernel/grouping/priced-groups.js";
import type { Rule } from "../rule.js";
import { readPair } from "./pair.js";
import type { GroupingTree } from "./tree.js";
import { whole } from "./whole.js";

/** Closes the node by the reduced costs of all its groups. */
export interface GroupsStep {
  readonly groups: GroupsPrices & {
    /** What is done with the groups that are left below the claim; where left out, the checker goes through their partitions. */
    readonly listed?: ListedGroups;
  };
}

/** Dual values of items and of sets of items. */
export interface GroupsPrices {
  /** By item; items left out have price zero. */
  readonly prices: NamedMultipliers;
  /** None where left out. */
  readonly cuts?: readonly GroupsCut[];
}

/** A set of items and the price ≥ 0 that a group pays for every `divisor` of them that it has. */
export interface GroupsCut {
  /** More than the divisor. */
  readonly items: readonly string[];
  /** 2 where left out. */
  readonly divisor?: number;
  readonly price: string;
}

/** What is done with listed groups. */
export interface ListedGroups {
  /** In turn: of the groups left, those stay that may be part of something below the claim under these prices too. */
  readonly narrow: readonly GroupsPrices[];
  /**
   * Splits what is then left: partitions with both items in one group, and those with them in different ones. Where left
   * out, the checker goes through the partitions of the groups left.
   */
  readonly split?: {
    readonly pair: readonly [string, string];
    readonly together: ListedGroups;
    readonly apart: ListedGroups;
  };
}

/** Of one search through groups: some twenty minutes. Prices that need more are refused. */
const MAX_NODES = 1_000_000_000;

/**
 * With prices π of items and μ ≥ 0 of cuts (sets C with divisors d), every numbering is worth
 *
 *   Σ cost(S)  ≥  Σ π − Σ μ·⌊|C| / d⌋ + Σ reduced(S),   reduced(S) = cost(S) − π(S) + Σ μ·⌊|S ∩ C| / d⌋,
 *
 * summed over its groups S, as groups share out the items of C: Σ_S ⌊|S ∩ C| / d⌋ ≤ ⌊|C| / d⌋ (kernel/grouping/dual-values.ts;
 * Jepsen, Petersen, Spoorendonk and Pisinger 2008). With λ_s the least reduced cost of the node's groups of s items
 * (exact-pricing.ts), the least Σ λ over sizes that add up to all items is a bound (bound.ts). Below the claim a numbering has
 * only groups that leave room for the least λ of the others; these are enumerated, reduced by further prices and split by
 * pairs as `listed` says (pool-tree.ts), and their partitions gone through (better-partition.ts): one below the claim refuses
 * the step. An empty list proves its node whatever is said beneath, so that the tree of a claim proves every lesser one.
 *
 * Side conditions: cuts have a price not below zero, a divisor from 2 on and more different items than that; pairs and costs
 * are rounded down to integers and prices up, so that no group is missed; whether a partition is below the claim is decided
 * in rationals. For a claim of infeasibility costs count as zero.
 */
export const groups: Rule<GroupingTree, GroupsStep> = {
  read(json, step) {
    const { listed, ...own } = fields(fields(json, ["groups"], step).groups, ["prices"], step, ["cuts", "listed"]);
    const prices = readPrices(own, step);
    return { groups: listed === undefined ? prices : { ...prices, listed: readListed(listed, step) } };
  },
  check(tree, { groups: { listed, ...prices } }, step) {
    const { grouping, node, claim, shouldStop } = tree;
    const purpose = claim === null ? "infeasible" : "bound";
    const limits = { maxNodes: MAX_NODES, shouldStop };
    const { kind } = within(step, () => {
      const bound = whole(step, groupsBound(grouping, node, pricesOf(tree, prices, step), purpose, limits));
      const left = whole(step, groupsLeft(grouping, bound, claim, limits));
      const pool = listed === undefined ? { narrow: [] } : poolOf(tree, listed, step);
      const all = new PricedGroups(grouping, { window: node.window, together: [], apart: [] }, purpose);
      return searchListed(grouping, all, left, pool, { claim, shouldStop });
    });
    if (kind === "too-many") {
      throw new CertificateError(step, "too many partitions can be made of the groups that are left");
    }
    if (kind === "found") throw new CertificateError(step, "groups make up a partition that is better than the claim");
    tree.close();
  },
};

function readPrices(json: unknown, step: number): GroupsPrices {
  const { prices: named, cuts } = fields(json, ["prices"], step, ["cuts"]);
  const prices = readMultipliers(named, step);
  return cuts === undefined
    ? { prices }
    : { prices, cuts: readList(cuts, "cuts", step).map((cut) => readCut(cut, step)) };
}

function readListed(json: unknown, step: number): ListedGroups {
  const { narrow: all, split } = fields(json, ["narrow"], step, ["split"]);
  const narrow = readList(all, "prices", step).map((one) => readPrices(one, step));
  if (split === undefined) return { narrow };
  const { pair, together, apart } = fields(split, ["pair", "together", "apart"], step);
  return {
    narrow,
    split: { pair: readPair(pair, step), together: readListed(together, step), apart: readListed(apart, step) },
  };
}

function readCut(json: unknown, step: number): GroupsCut {
  const { items: named, divisor, price } = fields(json, ["items", "price"], step, ["divisor"]);
  const items = readNames(named, "items", step);
  if (divisor !== undefined && (typeof divisor !== "number" || !Number.isInteger(divisor) || divisor < 2)) {
    throw new CertificateError(step, "a divisor is an integer from 2 on");
  }
  if (items.length <= (divisor ?? 2)) throw new CertificateError(step, "a cut has more items than its divisor");
  const cut = { items, price: readNumber(price, step).toString() };
  return divisor === undefined ? cut : { ...cut, divisor };
}

function poolOf(tree: GroupingTree, { narrow, split }: ListedGroups, step: number): ListedTree {
  const prices = narrow.map((one) => pricesOf(tree, one, step));
  if (split === undefined) return { narrow: prices };
  const { pair, together, apart } = split;
  return {
    narrow: prices,
    split: {
      pair: tree.pairNamed(pair, step),
      together: poolOf(tree, together, step),
      apart: poolOf(tree, apart, step),
    },
  };
}

function pricesOf(tree: GroupingTree, { prices, cuts = [] }: GroupsPrices, step: number): GroupPrices {
  const triples: TriplePrice[] = [];
  const sets: SetPrice[] = [];
  for (const cut of cuts) {
    const { items, divisor, price } = setOf(tree, cut, step);
    const [a, b, c, ...more] = items as [number, number, number, ...number[]];
    if (divisor === 2 && more.length === 0) triples.push({ items: [a, b, c], price });
    else sets.push({ items, divisor, price });
  }
  const items = tree.grouping.items.map(() => Rational.zero);
  for (const [name, value] of Object.entries(prices)) items[tree.itemNamed(name, step)] = readNumber(value, step);
  return { items, triples, sets };
}

function setOf(tree: GroupingTree, { items: names, divisor = 2, price: text }: GroupsCut, step: number): SetPrice {
  const items = names.map((name) => tree.itemNamed(name, step));
  if (new Set(items).size < items.length) throw new CertificateError(step, "the items of a cut are all different");
  const price = readNumber(text, step);
  if (price.sign() < 0) throw new CertificateError(step, "the price of a cut is not negative");
  return { items, divisor, price };
}
