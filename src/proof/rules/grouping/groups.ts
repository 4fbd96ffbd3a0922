import { Rational } from "../../../exact/rational.js";
import {
  CertificateError,
  list,
  multipliers,
  names,
  number,
  type Read,
  type Reader,
  readNumber,
  record,
  within,
} from "../../grammar.js";
import { clustersBound, clustersLeft } from "../../kernel/grouping/bound.js";
import type { ClusterDuals, SetDual } from "../../kernel/grouping/dual-values.js";
import { type ListedTree, searchListed } from "../../kernel/grouping/pool-tree.js";
import { PricedClusters } from "../../kernel/grouping/priced-clusters.js";
import type { Rule } from "../rule.js";
import { pairOfNames } from "./pair.js";
import type { GroupingTree } from "./tree.js";
import { whole } from "./whole.js";

/** A set of elements and the price ≥ 0 that a cluster pays for every `divisor` of them that it has. */
const clustersCut = record(
  {
    /** More than the divisor. */
    items: names("items"),
    price: number,
  },
  {
    /** 2 where left out. */
    divisor: ((json, step) => {
      if (Number.isInteger(json) && (json as number) >= 2) return json as number;
      throw new CertificateError(step, "a divisor is an integer from 2 on");
    }) satisfies Reader<number>,
  },
);
export type ClustersCut = Read<typeof clustersCut>;

const largeCut: Reader<ClustersCut> = (json, step, readStep) => {
  const cut = clustersCut(json, step, readStep);
  if (cut.items.length > (cut.divisor ?? 2)) return cut;
  throw new CertificateError(step, "a cut has more items than its divisor");
};

/** By element, those left out have price zero; and cuts, none where left out. */
const ofDuals = [{ prices: multipliers }, { cuts: list("cuts", largeCut) }] as const;
const clustersDuals = record(...ofDuals);
/** Dual values of elements and of sets of elements. */
export type ClustersDuals = Read<typeof clustersDuals>;

/** What is done with listed clusters. */
export interface ListedClusters {
  /**
   * In turn: of the clusters left, those stay that may be part of something below the claim under these dual values
   * too.
   */
  readonly narrow: readonly ClustersDuals[];
  /**
   * Splits what is then left: partitions with both elements in one cluster, and those with them in different ones.
   * Where left out, the checker goes through the partitions of the clusters left.
   */
  readonly split?: {
    readonly pair: readonly [string, string];
    readonly together: ListedClusters;
    readonly apart: ListedClusters;
  };
}

const listedClusters: Reader<ListedClusters> = (json, step, readStep) => {
  const split = record({ pair: pairOfNames, together: listedClusters, apart: listedClusters });
  return record({ narrow: list("prices", clustersDuals) }, { split })(json, step, readStep);
};

/** Closes the node by the reduced costs of all its clusters. */
const clustersStep = record({
  /** What is done with the clusters that are left below the claim; where left out, the checker goes through their partitions. */
  groups: record(ofDuals[0], { ...ofDuals[1], listed: listedClusters }),
});
export type ClustersStep = Read<typeof clustersStep>;

/** Of one search through clusters: some twenty minutes. Dual values that need more are refused. */
const MAX_NODES = 1_000_000_000;

/**
 * With dual values π of elements and μ ≥ 0 of cuts (sets C with divisors d), every labeling is worth
 *
 *   Σ cost(S)  ≥  Σ π − Σ μ·⌊|C| / d⌋ + Σ reduced(S),   reduced(S) = cost(S) − π(S) + Σ μ·⌊|S ∩ C| / d⌋,
 *
 * summed over its clusters S, as clusters share out the elements of C: Σ_S ⌊|S ∩ C| / d⌋ ≤ ⌊|C| / d⌋
 * (kernel/grouping/dual-values.ts; Jepsen, Petersen, Spoorendonk and Pisinger 2008). With λ_s the least reduced cost of
 * the node's clusters of s elements
 * (exact-pricing.ts), the least Σ λ over sizes that add up to all elements is a bound (bound.ts). Below the claim a
 * labeling has only clusters that leave room for the least λ of the others; these are enumerated, reduced by further
 * dual values and split by pairs as `listed` says (pool-tree.ts), and their partitions gone through
 * (better-partition.ts): one below the claim refuses the step. An empty list proves its node whatever is said beneath,
 * so that the tree of a claim proves every lesser one.
 *
 * Side conditions: cuts have a price not below zero, a divisor from 2 on and more different elements than that; pairs
 * and costs are rounded down to integers and dual values up, so that no cluster is missed; whether a partition is below
 * the claim is decided in rationals. For a claim of infeasibility costs count as zero.
 */
export const clusters: Rule<GroupingTree, ClustersStep> = {
  read: clustersStep,
  check(tree, { groups: { listed, ...duals } }, step) {
    const { grouping, node, claim, shouldStop } = tree;
    const purpose = claim === null ? "infeasible" : "bound";
    const limits = { maxNodes: MAX_NODES, shouldStop };
    const { kind } = within(step, () => {
      const bound = whole(step, clustersBound(grouping, node, dualsOf(tree, duals, step), purpose, limits));
      const left = whole(step, clustersLeft(grouping, bound, claim, limits));
      const pool = listed === undefined ? { narrow: [] } : poolOf(tree, listed, step);
      const all = new PricedClusters(grouping, { window: node.window, together: [], apart: [] }, purpose);
      return searchListed(grouping, all, left, pool, { claim, shouldStop });
    });
    if (kind === "too-many") {
      throw new CertificateError(step, "too many partitions can be made of the groups that are left");
    }
    if (kind === "found") throw new CertificateError(step, "groups make up a partition that is better than the claim");
    tree.close();
  },
};

function poolOf(tree: GroupingTree, { narrow, split }: ListedClusters, step: number): ListedTree {
  const duals = narrow.map((one) => dualsOf(tree, one, step));
  if (split === undefined) return { narrow: duals };
  const { pair, together, apart } = split;
  return {
    narrow: duals,
    split: {
      pair: tree.pairNamed(pair, step),
      together: poolOf(tree, together, step),
      apart: poolOf(tree, apart, step),
    },
  };
}

function dualsOf(tree: GroupingTree, { prices, cuts = [] }: ClustersDuals, step: number): ClusterDuals {
  const elements = tree.grouping.elements.map(() => Rational.zero);
  for (const [name, value] of Object.entries(prices)) elements[tree.elementNamed(name, step)] = readNumber(value, step);
  return { elements, sets: cuts.map((cut) => setOf(tree, cut, step)) };
}

function setOf(tree: GroupingTree, { items, divisor = 2, price }: ClustersCut, step: number): SetDual {
  const elements = items.map((item) => tree.elementNamed(item, step));
  if (new Set(elements).size < elements.length)
    throw new CertificateError(step, "the items of a cut are all different");
  const dual = readNumber(price, step);
  if (dual.sign() < 0) throw new CertificateError(step, "the price of a cut is not negative");
  return { elements, divisor, dual };
}
