import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { betterPartition } from "../../../proof/kernel/grouping/better-partition.js";
import { clusterCount, listBelow, type PricedList } from "../../../proof/kernel/grouping/column-pool.js";
import { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { PricedNode } from "./exact-pricing.js";
import type { GroupingIncumbent } from "./incumbent.js";

export interface CloseOptions {
  /** What a bound must reach. */
  readonly gap: Rational;
  /** Sets of elements that a walk through clusters may look at. */
  readonly maxNodes: number;
  readonly work: Work;
  /** Asked with the units of work that a checker takes for what is in hand. */
  readonly shouldStop: (checking: number) => boolean;
}

/** What closing a node ends with. */
export interface ClosedNode {
  /** The greatest claim proved; `null` where the node has no labeling. */
  readonly claim: Rational | null;
  /** All clusters that something better than the best value can have, where these were too many partitions. */
  readonly open: PricedList | null;
  /** Units of work that a checker takes for it, about, beside the bound. */
  readonly checking: number;
}

/**
 * From the bound to the best value known: how far each list of clusters reaches. The walks that make them grow fast.
 */
const REACHES = [Rational.parse("0.1"), Rational.parse("0.3"), Rational.parse("0.6"), Rational.one];

/** Where so few clusters are left, the next list goes up to the best value. */
const FEW = 500;

/** Partial partitions of a list that are looked at. */
const MAX_LOOKS = 2_000_000;

/** What a try may look at that only makes a bound that is good enough equal to the value. */
const LITTLE = 200_000;

/**
 * Raises what dual values prove of a node from their bound towards the best value known: lists the clusters that may be
 * part of something below a claim, further and further up, and goes through their partitions. What is found on the way
 * is the new best value.
 */
export function closeNode(
  grouping: Grouping,
  priced: PricedNode,
  incumbent: GroupingIncumbent,
  { gap, maxNodes, work, shouldStop }: CloseOptions,
): ClosedNode {
  const { bound } = priced;
  let closed: ClosedNode = { claim: bound, open: null, checking: 0 };
  if (bound === null) return closed;
  for (let reach = 0; reach < REACHES.length; ) {
    const value = incumbent.value as Rational;
    const proved = closed.claim as Rational;
    if (proved.compare(value) >= 0) break;
    const isEnough = incumbent.isReached(proved, gap);
    const part = isEnough ? Rational.one : (REACHES[reach] as Rational);
    const claim = bound.add(value.subtract(bound).multiply(part));
    if (claim.compare(proved) <= 0) {
      reach++;
      continue;
    }
    const started = work.done;
    const inUnits = (each: number) => (nodes: number) => {
      work.spend(nodes * each);
      return shouldStop(work.done - started);
    };
    const listing = { maxNodes: isEnough ? LITTLE : maxNodes, shouldStop: inUnits(UNITS.set) };
    const left = priced.left(claim, listing);
    if (left instanceof TooMany) break;
    let list = left;
    work.spend(clusterCount(list.blocks) * grouping.elements.length * UNITS.pair);
    const looking = { maxLooks: isEnough ? LITTLE : MAX_LOOKS, shouldStop: inUnits(UNITS.partition) };
    let reached = claim;
    let found = betterPartition(grouping, list, reached, looking);
    while (found.kind === "found" && incumbent.offerClusters(found.clusters)) {
      // What is left below a lesser claim is among these.
      const better = incumbent.value as Rational;
      reached = better.compare(reached) < 0 ? better : reached;
      list = listBelow(grouping, list, reached);
      found = betterPartition(grouping, list, reached, looking);
    }
    if (found.kind !== "none") {
      if (isEnough) break;
      if (reach < REACHES.length - 1) {
        reach = REACHES.length - 1;
        continue;
      }
      return { claim: proved, open: list, checking: work.done - started };
    }
    closed = { claim: reached, open: null, checking: work.done - started };
    reach = clusterCount(list.blocks) < FEW ? Math.max(REACHES.length - 1, reach + 1) : reach + 1;
  }
  return closed;
}
