import type { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { halvesBelow } from "../../../proof/kernel/grouping/halves.js";
import type { ElementPair, GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import type { Without } from "../../../search/strategies.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type ClosingLimits, closeNode, POOL_STRATEGIES } from "./close-node.js";
import { type Cluster, clustersOf, marginalDuals, numbersWithin } from "./clusters.js";
import { clustersStep } from "./clusters-step.js";
import { generateDuals } from "./column-generation.js";
import { ExactPricing, searchDuals } from "./exact-pricing.js";
import type { GroupingIncumbent } from "./incumbent.js";
import { mostFractionalPairs } from "./most-fractional-pairs.js";
import { isMore, type NodeProof, type Tightening } from "./ryan-foster-tree.js";
import { type Continuation, semidefiniteProof } from "./semidefinite/semidefinite-proof.js";

/** What solving a node ends with. */
export interface SolvedNode {
  /** What a semidefinite bound takes from the node, where that is of use. */
  readonly tightening: Tightening | null;
  /** What is proved of what is left of it. */
  readonly proof: NodeProof | null;
  /** Dual values that its children begin with. */
  readonly duals: Float64Array | null;
  /** The pair of elements that the fractional partition is least sure about; `null` where it is not fractional. */
  readonly pair: ElementPair | null;
}

/** What dual values prove of a node. */
type PricedNode = Omit<SolvedNode, "tightening">;

export interface SolveNodeOptions {
  readonly incumbent: GroupingIncumbent;
  /** Clusters to begin with, of any node. What is found is added. */
  readonly pool: Cluster[];
  readonly center: Float64Array | null;
  readonly gap: Rational;
  readonly seed: number;
  readonly work: Work;
  /** Asked with the units of work that a checker takes for what is in hand. */
  readonly shouldStop: (checking?: number) => boolean;
  /** When all ends, as of the work done. */
  readonly deadline: number;
  /** Whether dual values are to show soon that they are the way: if not there is another. */
  readonly isTrial?: boolean;
  /** Names of {@link NODE_STRATEGIES} to leave out. */
  readonly without: Without;
}

/** What closing a node can do without, by name. */
export const NODE_STRATEGIES: readonly string[] = [
  ...["bipartition enumeration", "subset-row cuts"],
  ...POOL_STRATEGIES,
];

/**
 * The share of the time left that going through what dual values leave may take; the checker takes the same once more.
 */
const CLOSING_SHARE = 0.6;

/** The share of the time left that column generation may take. */
const PRICING_SHARE = 0.4;

/** The same in a trial, as long as the bound lacks more than such a part of what is wanted. */
const TRIAL_CLOSING_SHARE = 0.1;
const TRIAL_PRICING_SHARE = 0.2;
const PROMISING = 0.015;

/**
 * The share of the time left that checking may take in a trial that goes on with 3-subset rows, which take dozens of
 * walks.
 */
const TRIAL_CHECKING_SHARE = 0.06;

/** What the checker takes for a walk through clusters, beside the search, which begins with good clusters. */
const CHECKING = 1.2;

/** What closing by dual values of elements alone may look at, before 3-subset rows are taken into account. */
const FIRST_TRY: ClosingLimits = { maxNodes: 100_000_000 };

/**
 * Elements by cluster from which on the semidefinite relaxation is asked too, and from which on it is asked first (such
 * nodes come here where they have two clusters, or after a relaxation that came to nothing: see solve.ts); its shares
 * of the time left then.
 */
const LARGE = 6;
const LARGEST = 10;
const SEMIDEFINITE_SHARE = 0.6;
const FIRST_SHARE = 0.8;

/** Halves looked at before a node of two clusters is priced instead. */
const MAX_HALVES = 3_000_000;

/** Proves what it can of one node without branching. There is a labeling to begin with. */
export async function solveNode(
  grouping: Grouping,
  numbers: DescentProblem,
  node: GroupingNode,
  options: SolveNodeOptions,
): Promise<SolvedNode> {
  const { without } = options;
  if (grouping.clusters === 2 && !without.has("bipartition enumeration")) {
    const { work } = options;
    const started = work.done;
    const claim = goThroughHalves(grouping, node, options);
    const proof = { claim, step: { halves: {} }, checking: work.done - started };
    if (claim !== null) return { tightening: null, proof: { ...proof, claim }, duals: null, pair: null };
  }
  const elements = grouping.elements.length / grouping.clusters;
  const byClusters = (open: GroupingNode) => proveByClusters(grouping, numbers, open, options);
  const isRelaxed = isRoot(node) && elements >= LARGE && options.isTrial !== true && !without.has("semidefinite bound");
  if (!isRelaxed) return { tightening: null, ...(await byClusters(node)) };
  const first = elements < LARGEST ? await byClusters(node) : null;
  if (first !== null && options.incumbent.isReached(first.proof?.claim, options.gap)) {
    return { tightening: null, ...first };
  }
  const { work, deadline } = options;
  const share = first === null ? FIRST_SHARE : SEMIDEFINITE_SHARE;
  const tightening = tighten(grouping, node, options, work.done + share * (deadline - work.done), null);
  if (tightening === null) return { tightening, ...(first ?? (await byClusters(node))) };
  const { left } = tightening;
  if (left === null) return { tightening, proof: null, duals: null, pair: null };
  if (first !== null && left === node) return { tightening, ...first };
  const rest = await proveByClusters(grouping, numbers, left, { ...options, center: first?.duals ?? null });
  if (rest.proof === null || isMore(first?.proof?.claim, rest.proof.claim)) {
    // What is proved of the whole node holds of what is left of it.
    return { tightening, ...(first ?? rest) };
  }
  return { tightening, ...rest };
}

/**
 * What a semidefinite bound takes from a node, with so much work done by its end. `parent`: where that of the parent
 * has ended.
 */
export function tighten(
  grouping: Grouping,
  node: GroupingNode,
  {
    incumbent,
    gap,
    seed,
    work,
    shouldStop,
  }: Pick<SolveNodeOptions, "incumbent" | "gap" | "seed" | "work" | "shouldStop">,
  until: number,
  parent: Continuation | null,
): Tightening | null {
  const relaxed = semidefiniteProof(grouping, node, {
    work,
    seed,
    incumbent: () => incumbent.value,
    onLabels: (labels) => incumbent.offer(labels),
    target: incumbent.cutoff(gap) as Rational,
    ...(parent === null ? {} : { parent }),
    shouldStop: (checking) => work.done + checking > until || shouldStop(checking),
  });
  return relaxed && { ...relaxed, whole: node, claim: incumbent.value as Rational };
}

/** By dual values of elements alone, then by those of 3-subset rows too. */
async function proveByClusters(
  grouping: Grouping,
  free: DescentProblem,
  node: GroupingNode,
  options: SolveNodeOptions,
): Promise<PricedNode> {
  const { incumbent, pool, gap, work, shouldStop, deadline, isTrial = false, without } = options;
  const numbers = numbersWithin(free, node);
  const pricing = new ExactPricing(grouping, numbers, node);
  const isInside = insideOf(node);
  const attempt = async (
    center: Float64Array | null,
    subsetRows: number,
    limits: ClosingLimits,
  ): Promise<PricedNode> => {
    const started = work.done;
    const cutoff = (incumbent.cutoff(gap) as Rational).toNumber();
    let reached = Number.NEGATIVE_INFINITY;
    const isPromising = () => !isTrial || cutoff - reached < PROMISING * Math.abs(cutoff);
    // The checker repeats the last walk.
    const isLate = (walking = 0) => {
      const now = work.done;
      const checking = CHECKING * walking;
      const share = isPromising() ? PRICING_SHARE : TRIAL_PRICING_SHARE;
      return now - started > share * (deadline - started) || now + checking > deadline || shouldStop(checking);
    };
    const known = clustersOf(free, incumbent.labels as readonly number[]);
    const { best, usage, clusters } = await generateDuals(numbers, node, pricing, {
      clusters: [...known, ...pool].filter(isInside),
      ...{ center: center ?? marginalDuals(free, known), cutoff, subsetRows, work, shouldStop: isLate },
      onBound: (bound) => {
        reached = bound;
      },
    });
    pool.splice(0, pool.length, ...pool.filter((cluster) => !isInside(cluster)), ...clusters);
    if (best === null) return { proof: null, duals: null, pair: null };
    const duals = searchDuals(best.duals).elements;
    const found = pricing.exactBound(best);
    const checked = CHECKING * best.walking;
    const share = isPromising() ? CLOSING_SHARE : TRIAL_CLOSING_SHARE;
    const end = work.done + share * (deadline - work.done);
    const { claim, tree, checking } = await closeNode(grouping, found, incumbent, {
      ...{ window: node.window, numbers: free, clusters: clusters.filter(isInside), gap, work, limits, without },
      shouldStop: (spent, isLast = false) => {
        const checking = checked + CHECKING * spent;
        return (work.done > end && !isLast) || work.done + checking > deadline || shouldStop(checking);
      },
    });
    const step = clustersStep(grouping, best.duals, tree);
    const proof = { claim, step, checking: checked + CHECKING * checking };
    return { proof, duals, pair: mostFractionalPairs(usage, 1)[0] ?? null };
  };
  const first = await attempt(options.center, 0, FIRST_TRY);
  if (first.proof === null || incumbent.isReached(first.proof.claim, gap) || without.has("subset-row cuts"))
    return first;
  if (isTrial && first.proof.checking > TRIAL_CHECKING_SHARE * (deadline - work.done)) return first;
  const second = await attempt(first.duals, numbers.elements, {});
  return second.proof === null || isMore(first.proof.claim, second.proof.claim) ? first : second;
}

function isRoot({ together, apart }: GroupingNode): boolean {
  return together.length + apart.length === 0;
}

/**
 * The value that nothing in a node of two clusters is below, by going through all of it; `null` where that is too much.
 */
function goThroughHalves(
  grouping: Grouping,
  node: GroupingNode,
  { incumbent, work, shouldStop }: SolveNodeOptions,
): Rational | null {
  const counted = (nodes: number) => {
    work.spend(nodes * UNITS.set);
    return shouldStop();
  };
  const limits = { maxNodes: MAX_HALVES, shouldStop: counted };
  for (;;) {
    const found = halvesBelow(grouping, node, incumbent.value, limits);
    if (found instanceof TooMany) return null;
    if (found === null) return incumbent.value;
    incumbent.offer(found);
  }
}

function insideOf({ window, together, apart }: GroupingNode): (cluster: Cluster) => boolean {
  return ({ elements }) =>
    elements.length >= window.least &&
    elements.length <= window.most &&
    together.every(([i, j]) => elements.includes(i) === elements.includes(j)) &&
    apart.every(([i, j]) => !(elements.includes(i) && elements.includes(j)));
}
