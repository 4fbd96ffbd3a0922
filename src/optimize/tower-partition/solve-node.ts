import { performance } from "node:perf_hooks";
import type { Rational } from "../../exact/rational.js";
import { descend } from "../../heuristics/tower-partitioner/descent/descend.js";
import type { DescentProblem } from "../../heuristics/tower-partitioner/descent/numbers.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { Step } from "../../proof/certificate.js";
import { halvesBelow } from "../../proof/grouping/halves.js";
import type { GroupingNode, ItemPair } from "../../proof/grouping/node.js";
import { closeNode, cutoffOf, groupsStep, recombine } from "./close-node.js";
import { dive } from "./dive.js";
import { ExactPricing } from "./exact-pricing.js";
import { generatePrices } from "./generate-prices.js";
import type { GroupingIncumbent } from "./incumbent.js";
import type { GroupUse } from "./master.js";
import { type Group, groupsOf, marginalPrices } from "./numbers.js";
import { semidefiniteProof } from "./semidefinite/semidefinite-proof.js";

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
  readonly seed: number;
  readonly shouldStop: () => boolean;
  /** When all ends, as of `performance.now()`. */
  readonly deadline: number;
}

/** The share of the time left that going through what prices leave may take; the checker takes the same once more. */
const CLOSING_SHARE = 0.3;

/** The share of the time left that column generation may take, with what is made of its groups. */
const PRICING_SHARE = 0.4;

/** Items by group from which on the semidefinite relaxation is asked too, and its share of the time left. */
const LARGE = 6;
const SEMIDEFINITE_SHARE = 0.4;

/** Halves looked at before a node of two groups is priced instead. */
const MOST_HALVES = 3_000_000;

/** Proves what it can of one node without branching. There is a numbering to begin with. */
export function solveNode(
  grouping: Grouping,
  numbers: DescentProblem,
  node: GroupingNode,
  options: SolveNodeOptions,
): SolvedNode {
  const { incumbent, gap, seed, shouldStop, deadline } = options;
  if (grouping.groups === 2) {
    const claim = goThroughHalves(grouping, node, incumbent, shouldStop);
    if (claim !== null) return { proof: { claim, step: { halves: {} } }, prices: null, pair: null };
  }
  const priced = proveByGroups(grouping, numbers, node, options);
  const isClosed = priced.proof !== null && isReached(priced.proof.claim, options);
  if (isClosed || !isRoot(node) || grouping.items.length < LARGE * grouping.groups) return priced;
  const relaxed = semidefiniteProof(grouping, node, {
    deadline: performance.now() + SEMIDEFINITE_SHARE * (deadline - performance.now()),
    seed,
    incumbent: () => incumbent.value,
    onNumbering: (numbering) => incumbent.offer(numbering),
    target: cutoffOf(incumbent.value as Rational, gap),
    shouldStop,
  });
  const isBetter = relaxed !== null && (priced.proof === null || isMore(relaxed.bound, priced.proof.claim));
  return isBetter ? { ...priced, proof: { claim: relaxed.bound, step: relaxed.step } } : priced;
}

function proveByGroups(
  grouping: Grouping,
  numbers: DescentProblem,
  node: GroupingNode,
  { incumbent, pool, center, gap, shouldStop, deadline }: SolveNodeOptions,
): SolvedNode {
  const now = performance.now();
  const isLate = () => performance.now() > now + PRICING_SHARE * (deadline - now) || shouldStop();
  const pricing = new ExactPricing(grouping, numbers, node);
  const known = groupsOf(numbers, incumbent.numbering as readonly number[]);
  const cutoff = cutoffOf(incumbent.value as Rational, gap).toNumber();
  const isInside = insideOf(node);
  const { best, usage, groups } = generatePrices(numbers, node, pricing, {
    groups: [...known, ...pool].filter(isInside),
    ...{ center: center ?? marginalPrices(numbers, known), cutoff, shouldStop: isLate },
  });
  pool.splice(0, pool.length, ...pool.filter((group) => !isInside(group)), ...groups);
  if (best === null) return { proof: null, prices: null, pair: null };
  const prices = Float64Array.from(best.prices, (price) => price.toNumber());
  const found = { prices: best.prices, bound: pricing.exactBound(best) };
  if (best.bound < cutoff) {
    const met: Group[] = [];
    if (isRoot(node)) {
      const dived = dive(numbers, node.window, groups, prices, isLate);
      if (dived.groups !== null) offerDescended(numbers, node, dived.groups, incumbent, isLate);
      met.push(...dived.met);
    }
    recombine(grouping, found, distinct([...groups, ...met]), incumbent, isLate);
  }
  const until = performance.now() + CLOSING_SHARE * (deadline - performance.now());
  const claim = closeNode(grouping, found, incumbent, {
    gap,
    shouldStop: () => performance.now() > until || shouldStop(),
  });
  return { proof: { claim, step: groupsStep(grouping, best.prices) }, prices, pair: leastSurePair(usage) };
}

/** Offers the partition, and where descent from it ends. */
function offerDescended(
  numbers: DescentProblem,
  { window }: GroupingNode,
  groups: readonly (readonly number[])[],
  incumbent: GroupingIncumbent,
  shouldStop: () => boolean,
): void {
  // What breaks the load is refused, and is no place to descend from.
  if (!incumbent.offerGroups(groups)) return;
  incumbent.offer(descend({ ...numbers, windows: [window] }, incumbent.numbering as readonly number[], shouldStop));
}

function distinct(groups: readonly Group[]): readonly Group[] {
  return [...new Map(groups.map((group) => [group.items.join(), group])).values()];
}

function isRoot({ together, apart }: GroupingNode): boolean {
  return together.length + apart.length === 0;
}

function isReached(claim: Rational | null, { incumbent, gap }: SolveNodeOptions): boolean {
  return claim === null || claim.compare(cutoffOf(incumbent.value as Rational, gap)) >= 0;
}

function isMore(bound: Rational, claim: Rational | null): boolean {
  return claim !== null && bound.compare(claim) > 0;
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
