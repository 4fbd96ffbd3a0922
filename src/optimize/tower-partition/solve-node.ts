import { performance } from "node:perf_hooks";
import type { Rational } from "../../exact/rational.js";
import type { DescentProblem } from "../../heuristics/tower-partitioner/descent/numbers.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Step } from "../../proof/certificate.js";
import { halvesBelow } from "../../proof/grouping/halves.js";
import type { GroupingNode, ItemPair } from "../../proof/grouping/node.js";
import { closeNode, cutoffOf, groupsStep, recombine } from "./close-node.js";
import { ExactPricing } from "./exact-pricing.js";
import { generatePrices } from "./generate-prices.js";
import type { GroupingIncumbent } from "./incumbent.js";
import type { GroupUse } from "./master.js";
import { type Group, groupsOf, marginalPrices } from "./numbers.js";

/** What is proved of a node. */
export interface NodeProof {
  /** Nothing in the node is better; `null`: there is nothing in it. */
  readonly claim: Rational | null;
  readonly step: Step;
}

/** What solving a node ends with. */
export interface SolvedNode {
  readonly proof: NodeProof | null;
  /** Prices that its children begin with. */
  readonly prices: Float64Array | null;
  /** The pair of items that the fractional partition is least sure about; `null` where it is not fractional. */
  readonly pair: ItemPair | null;
}

export interface SolveNodeOptions {
  readonly incumbent: GroupingIncumbent;
  /** Groups to begin with, of any node. What is found is added. */
  readonly pool: Group[];
  readonly center: Float64Array | null;
  readonly gap: Rational;
  readonly shouldStop: () => boolean;
  /** When all ends, as of `performance.now()`. */
  readonly deadline: number;
}

/** The share of the time left that going through what prices leave may take; the checker takes the same once more. */
const CLOSING_SHARE = 0.3;

/** Halves looked at before a node of two groups is priced instead. */
const MOST_HALVES = 3_000_000;

/** Proves what it can of one node without branching. There is a numbering to begin with. */
export function solveNode(
  grouping: Grouping,
  numbers: DescentProblem,
  node: GroupingNode,
  options: SolveNodeOptions,
): SolvedNode {
  const { incumbent, pool, center, gap, shouldStop, deadline } = options;
  if (grouping.groups === 2) {
    const claim = goThroughHalves(grouping, node, incumbent, shouldStop);
    if (claim !== null) return { proof: { claim, step: { halves: {} } }, prices: null, pair: null };
  }
  const pricing = new ExactPricing(grouping, numbers, node);
  const known = groupsOf(numbers, incumbent.numbering as readonly number[]);
  const cutoff = cutoffOf(incumbent.value as Rational, gap).toNumber();
  const isInside = insideOf(node);
  const { best, usage, groups } = generatePrices(numbers, node, pricing, {
    groups: [...known, ...pool].filter(isInside),
    ...{ center: center ?? marginalPrices(numbers, known), cutoff, shouldStop },
  });
  pool.splice(0, pool.length, ...pool.filter((group) => !isInside(group)), ...groups);
  if (best === null) return { proof: null, prices: null, pair: null };
  const priced = { prices: best.prices, bound: pricing.exactBound(best) };
  recombine(grouping, priced, groups, incumbent, shouldStop);
  const until = performance.now() + CLOSING_SHARE * (deadline - performance.now());
  const claim = closeNode(grouping, priced, incumbent, {
    gap,
    shouldStop: () => performance.now() > until || shouldStop(),
  });
  return {
    proof: { claim, step: groupsStep(grouping, best.prices) },
    prices: Float64Array.from(best.prices, (price) => price.toNumber()),
    pair: leastSurePair(usage),
  };
}

/** The value that nothing in a node of two groups is below, by going through all of it; `null` where that is too much. */
function goThroughHalves(
  grouping: Grouping,
  node: GroupingNode,
  incumbent: GroupingIncumbent,
  shouldStop: () => boolean,
): Rational | null {
  try {
    const limits = { maxNodes: MOST_HALVES, shouldStop };
    for (;;) {
      const found = halvesBelow(grouping, node, incumbent.value, limits);
      if (found === null) return incumbent.value;
      incumbent.offer(found);
    }
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function insideOf({ window, together, apart }: GroupingNode): (group: Group) => boolean {
  return ({ items }) =>
    items.length >= window.least &&
    items.length <= window.most &&
    together.every(([i, j]) => items.includes(i) === items.includes(j)) &&
    apart.every(([i, j]) => !(items.includes(i) && items.includes(j)));
}

/** The pair whose share of being together is nearest to one half. */
function leastSurePair(usage: readonly GroupUse[]): ItemPair | null {
  const shares = new Map<string, { readonly pair: ItemPair; share: number }>();
  for (const { group, times } of usage) {
    if (times > 1 - 1e-6) continue;
    group.items.forEach((j, b) => {
      for (let a = 0; a < b; a++) {
        const i = group.items[a] as number;
        const known = shares.get(`${i},${j}`);
        if (known === undefined) shares.set(`${i},${j}`, { pair: [i, j], share: times });
        else known.share += times;
      }
    });
  }
  let best: ItemPair | null = null;
  let nearest = 0.5 - 1e-6;
  for (const { pair, share } of shares.values()) {
    if (Math.abs(share - 0.5) >= nearest) continue;
    nearest = Math.abs(share - 0.5);
    best = pair;
  }
  return best;
}
