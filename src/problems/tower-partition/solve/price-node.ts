import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { PricedList } from "../../../proof/kernel/grouping/column-pool.js";
import type { ElementPair, GroupingNode } from "../../../proof/kernel/grouping/node.js";
import type { Without } from "../../../search/strategies.js";
import type { Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { closeNode } from "./close-node.js";
import { type Cluster, clustersOf, marginalDuals, numbersWithin } from "./clusters.js";
import { clustersStep } from "./clusters-step.js";
import { generateDuals } from "./column-generation.js";
import { ExactPricing } from "./exact-pricing.js";
import type { GroupingIncumbent } from "./incumbent.js";
import { ListPricing } from "./list-pricing.js";
import type { ClusterUse } from "./master.js";
import { isMore, type NodeProof } from "./ryan-foster-tree.js";

/** What dual values prove of a node. */
export interface PricedProof {
  /** `null` where time was up before anything was proved. */
  readonly proof: NodeProof | null;
  /** The pair of elements that the fractional partition is least sure about; `null` where it is not fractional. */
  readonly pair: ElementPair | null;
  /** The clusters of anything better than the best value; `null` where they are not listed. */
  readonly list: PricedList | null;
}

export interface PriceNodeOptions {
  /** All clusters of the node that matter; `null` where they are not listed. */
  readonly list: PricedList | null;
  /** There is a labeling to begin with. */
  readonly incumbent: GroupingIncumbent;
  /** Clusters to begin with, of any node. What is found is added. */
  readonly pool: Cluster[];
  readonly gap: Rational;
  readonly work: Work;
  /** Asked with the units of work that a checker takes for what is in hand. */
  readonly shouldStop: (checking?: number) => boolean;
  /** When all ends, as of the work done. */
  readonly deadline: number;
  /** Whether dual values are to show soon that they are the way: if not there is another. */
  readonly isTrial: boolean;
  /** May have "subset-row cuts" and "listed clusters". */
  readonly without: Without;
}

/**
 * Shares of the time left that column generation may take, and going through what its dual values leave, which the
 * checker repeats; and those of a trial, as long as the bound lacks more than such a part of what is wanted.
 */
const SHARES = { pricing: 0.4, closing: 0.6 };
const TRIAL_SHARES = { pricing: 0.2, closing: 0.1 };
const PROMISING = 0.015;

/**
 * The share of the time left that checking may take in a trial that goes on with 3-subset rows, which take dozens of
 * walks.
 */
const TRIAL_CHECKING_SHARE = 0.06;

/** What the checker takes for a walk through clusters, beside the search, which begins with good clusters. */
const CHECKING = 1.2;

/** Sets that closing by dual values of elements alone may look at, before 3-subset rows are taken into account. */
const FIRST_NODES = 100_000_000;

/** Proves what it can of one node without branching: by dual values of elements alone, then of 3-subset rows too. */
export async function priceNode(
  grouping: Grouping,
  free: DescentProblem,
  node: GroupingNode,
  options: PriceNodeOptions,
): Promise<PricedProof> {
  const { list, incumbent, pool, gap, work, shouldStop, deadline, isTrial, without } = options;
  const numbers = numbersWithin(free, node);
  const pricing =
    list === null ? new ExactPricing(grouping, numbers, node) : new ListPricing(grouping, free, node, list, work);
  const isInside = insideOf(node);
  const attempt = async (subsetRows: number, maxNodes: number): Promise<PricedProof> => {
    const started = work.done;
    const cutoff = (incumbent.cutoff(gap) as Rational).toNumber();
    let reached = Number.NEGATIVE_INFINITY;
    const shares = () => (isTrial && cutoff - reached >= PROMISING * Math.abs(cutoff) ? TRIAL_SHARES : SHARES);
    // The checker repeats the last walk.
    const isLate = (walking = 0) => {
      const now = work.done;
      const checking = CHECKING * walking;
      const end = started + shares().pricing * (deadline - started);
      return now > end || now + checking > deadline || shouldStop(checking);
    };
    const known = clustersOf(free, incumbent.labels as readonly number[]);
    const { best, usage, clusters } = await generateDuals(numbers, node, pricing, {
      clusters: [...known, ...pool].filter(isInside),
      ...{ prices: marginalDuals(free, known), cutoff, subsetRows, work, shouldStop: isLate },
      onBound: (bound) => {
        reached = bound;
      },
    });
    pool.splice(0, pool.length, ...pool.filter((cluster) => !isInside(cluster)), ...clusters);
    if (best === null) return { proof: null, pair: null, list };
    const checked = CHECKING * best.walking;
    const end = work.done + shares().closing * (deadline - work.done);
    const { claim, open, checking } = closeNode(grouping, best, incumbent, {
      ...{ gap, maxNodes, work },
      shouldStop: (spent) => {
        const checking = checked + CHECKING * spent;
        return work.done > end || work.done + checking > deadline || shouldStop(checking);
      },
    });
    const { value } = incumbent;
    // A list has nothing that is not better than the best value when it was made: it proves no more than that.
    const isCapped = list !== null && isMore(claim, value);
    return {
      proof: {
        claim: isCapped ? value : claim,
        step: clustersStep(grouping, best.duals),
        checking: checked + CHECKING * checking,
      },
      pair: mostFractionalPair(usage),
      list: without.has("listed clusters") ? null : (open ?? list),
    };
  };
  const first = await attempt(0, FIRST_NODES);
  if (first.proof === null || incumbent.isReached(first.proof.claim, gap)) return first;
  // Of listed clusters branching proves more.
  if (list !== null || without.has("subset-row cuts")) return first;
  if (isTrial && first.proof.checking > TRIAL_CHECKING_SHARE * (deadline - work.done)) return first;
  const second = await attempt(numbers.elements, Number.POSITIVE_INFINITY);
  return second.proof === null || isMore(first.proof.claim, second.proof.claim) ? first : second;
}

function insideOf({ window, together, apart }: GroupingNode): (cluster: Cluster) => boolean {
  return ({ elements }) =>
    elements.length >= window.least &&
    elements.length <= window.most &&
    together.every(([i, j]) => elements.includes(i) === elements.includes(j)) &&
    apart.every(([i, j]) => !(elements.includes(i) && elements.includes(j)));
}

/** Shares so near to 0, or uses so near to 1, are no fractions. */
const TOLERANCE = 1e-6;

/**
 * The pair of elements that a fractional partition is least sure about: the one whose share of being together is
 * nearest to one half. `null` where every pair is together, or apart, for sure.
 */
function mostFractionalPair(usage: readonly ClusterUse[]): ElementPair | null {
  const shares = new Map<string, { readonly pair: ElementPair; share: number }>();
  for (const { cluster, times } of usage) {
    if (times > 1 - TOLERANCE) continue;
    cluster.elements.forEach((j, b) => {
      for (const i of cluster.elements.slice(0, b)) {
        const known = shares.get(`${i},${j}`);
        if (known === undefined) shares.set(`${i},${j}`, { pair: [i, j], share: times });
        else known.share += times;
      }
    });
  }
  let best: ElementPair | null = null;
  let least = 0.5 - TOLERANCE;
  for (const { pair, share } of shares.values()) {
    const distance = Math.abs(share - 0.5);
    if (distance < least) [best, least] = [pair, distance];
  }
  return best;
}
