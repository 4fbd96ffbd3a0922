import { Rational } from "../../../exact/rational.js";
import type { Grouping, SizeWindow } from "../../../program/grouping/grouping.js";
import { betterPartition } from "../../../proof/kernel/grouping/better-partition.js";
import { type ClustersBound, clustersLeft, MAX_LISTED } from "../../../proof/kernel/grouping/bound.js";
import { clusterCount, listBelow, type PricedList } from "../../../proof/kernel/grouping/column-pool.js";
import type { ListedTree } from "../../../proof/kernel/grouping/pool-tree.js";
import type { WalkLimits } from "../../../proof/kernel/grouping/priced-units.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import { cutoffOf } from "../../../search/exact-incumbent.js";
import type { Without } from "../../../search/strategies.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Cluster } from "./clusters.js";
import { ListTree } from "./enumerated/list-tree.js";
import { POOL_DUAL_STRATEGIES } from "./enumerated/pool-duals.js";
import { searchDuals } from "./exact-pricing.js";
import type { GroupingIncumbent } from "./incumbent.js";

/** Sets of elements that a walk through clusters may look at. */
export interface ClosingLimits {
  readonly maxNodes?: number;
}

export interface CloseOptions {
  readonly window: SizeWindow;
  readonly numbers: DescentProblem;
  /** Clusters of the node to begin with. */
  readonly clusters: readonly Cluster[];
  readonly limits: ClosingLimits;
  /** What a bound must reach: see {@link cutoffOf}. */
  readonly gap: Rational;
  readonly work: Work;
  /** Names of {@link POOL_STRATEGIES} to leave out. */
  readonly without: Without;
  /** Asked with the units of work that a checker takes for what is in hand, and whether it may take all there is. */
  readonly shouldStop: (checking: number, isLast?: boolean) => boolean;
}

/** What going through the clusters that dual values leave can do without, by name. */
export const POOL_STRATEGIES: readonly string[] = ["enumerated pool", ...POOL_DUAL_STRATEGIES];

/** What closing a node ends with. */
export interface ClosedNode {
  /** The greatest claim proved; `null` where the node has no labeling. */
  readonly claim: Rational | null;
  /** What proves it of the clusters that the dual values leave; `null` where going through their partitions does. */
  readonly tree: ListedTree | null;
  /** Units of work that a checker takes for it, about, beside the bound. */
  readonly checking: number;
}

/**
 * From the bound to the best value known: how far each list of clusters reaches. The walks that make them grow fast.
 */
const REACHES = [Rational.parse("0.1"), Rational.parse("0.3"), Rational.parse("0.6"), Rational.one];

/** Where so few clusters are left, the next list goes up to the best value. */
const FEW = 500;

/** Partial partitions that are looked at before a tree over the list is made. */
const FEW_LOOKS = 2_000_000;

/** Clusters listed, times their size, at most: memory. */
const MAX_ELEMENTS = 10_000_000;

/** What a try may look at that only makes a bound that is good enough equal to the value. */
const LITTLE = 200_000;

/**
 * Raises what dual values prove of a node from their bound towards the best value known: lists the clusters that may be
 * part of something below a claim, further and further up, and goes through their partitions; where these are too many,
 * a tree over the longest list raises the bound. What is found on the way is the new best value.
 */
export async function closeNode(
  grouping: Grouping,
  priced: ClustersBound,
  incumbent: GroupingIncumbent,
  { window, numbers, clusters, limits, gap, work, without, shouldStop }: CloseOptions,
): Promise<ClosedNode> {
  const { bound } = priced;
  if (bound === null) return { claim: null, tree: null, checking: 0 };
  let closed: ClosedNode = { claim: bound, tree: null, checking: 0 };
  let open: { readonly list: PricedList; readonly claim: Rational; readonly walking: number } | null = null;
  for (let reach = 0; reach < REACHES.length; ) {
    const value = incumbent.value as Rational;
    const proved = closed.claim as Rational;
    if (proved.compare(value) >= 0) break;
    const isEnough = proved.compare(cutoffOf(value, gap)) >= 0;
    const part = isEnough ? Rational.one : (REACHES[reach] as Rational);
    const claim = bound.add(value.subtract(bound).multiply(part));
    if (claim.compare(proved) <= 0) {
      reach++;
      continue;
    }
    const started = work.done;
    const spent = () => work.done - started;
    const isLate = (units: number) => {
      work.spend(units);
      return shouldStop(spent());
    };
    const listing = (nodes: number) => isLate(nodes * UNITS.set);
    const looking = (nodes: number) => isLate(nodes * UNITS.partition);
    const maxNodes = isEnough ? LITTLE : (limits.maxNodes ?? Number.POSITIVE_INFINITY);
    const left = listLeft(grouping, priced, claim, { maxNodes, shouldStop: listing });
    if (left instanceof TooMany) break;
    let list = left;
    work.spend(clusterCount(list.blocks) * numbers.elements * UNITS.pair);
    const walking = spent();
    const maxLooks = isEnough ? LITTLE : FEW_LOOKS;
    let reached = claim;
    let found = betterPartition(grouping, list, reached, { maxLooks, shouldStop: looking });
    while (found.kind === "found" && incumbent.offerClusters(found.clusters)) {
      // What is left below a lesser claim is among these.
      const value = incumbent.value as Rational;
      reached = value.compare(reached) < 0 ? value : reached;
      list = listBelow(grouping, list, reached);
      found = betterPartition(grouping, list, reached, { maxLooks, shouldStop: looking });
    }
    if (found.kind === "none") {
      closed = { claim: reached, tree: null, checking: spent() };
      open = null;
    } else {
      if (isEnough) break;
      open = { list, claim: reached, walking };
    }
    reach = clusterCount(list.blocks) < FEW ? Math.max(REACHES.length - 1, reach + 1) : reach + 1;
  }
  if (open === null || without.has("enumerated pool")) return closed;
  const { list, claim, walking } = open;
  const tree = await new ListTree(grouping, numbers, list, {
    ...{ window, incumbent, claim, clusters, work, without, start: searchDuals(priced.duals) },
    cutoffOf: (value) => cutoffOf(value, gap),
    // A list up to the best value has all that is needed: no other way of closing the node is worth waiting for.
    shouldStop: (checking) => shouldStop(walking + checking, claim.compare(incumbent.value as Rational) >= 0),
  }).run();
  if (tree.claim.compare(closed.claim as Rational) <= 0) return closed;
  return { claim: tree.claim, tree: tree.tree, checking: walking + tree.checking };
}

/** The clusters that are left below a claim. */
function listLeft(
  grouping: Grouping,
  priced: ClustersBound,
  claim: Rational,
  limits: WalkLimits,
): PricedList | TooMany {
  const largest = Math.max(...priced.sizes.keys());
  return clustersLeft(grouping, priced, claim, limits, Math.min(MAX_LISTED, MAX_ELEMENTS / largest));
}
