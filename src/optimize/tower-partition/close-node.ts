import { performance } from "node:perf_hooks";
import { Rational } from "../../exact/rational.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import type { GroupsCut, Step } from "../../proof/certificate.js";
import { betterPartition } from "../../proof/grouping/better-partition.js";
import { type GroupsBound, groupsLeft } from "../../proof/grouping/bound.js";
import { type GroupList, listBelow, priceList } from "../../proof/grouping/group-list.js";
import type { GroupPrices } from "../../proof/grouping/group-prices.js";
import type { GroupingNode } from "../../proof/grouping/node.js";
import { PricedGroups } from "../../proof/grouping/priced-groups.js";
import type { GroupingIncumbent } from "./incumbent.js";
import type { Group } from "./numbers.js";

/** Sets of items and partial partitions that a try may look at. */
export interface ClosingLimits {
  readonly maxNodes?: number;
  readonly maxLooks?: number;
}

export interface CloseOptions {
  readonly limits: ClosingLimits;
  /** What a bound must reach; see {@link cutoffOf}. */
  readonly gap: Rational;
  /** Asked with the milliseconds that the try in hand has taken. */
  readonly shouldStop: (spent: number) => boolean;
}

/** What closing a node ends with. */
export interface ClosedNode {
  /** The greatest claim proved; `null` where the node has no numbering. */
  readonly claim: Rational | null;
  /** Milliseconds that going through what the prices leave below it took. */
  readonly walking: number;
}

/** From the bound to the best value known: how far each try aims. Groups left, and the walk through them, grow fast. */
const REACHES = [Rational.parse("0.1"), Rational.parse("0.3"), Rational.parse("0.6"), Rational.one];

/** The same where known groups are put together, and what each try may look at. */
const RECOMBINED = [Rational.parse("0.3"), Rational.parse("0.6"), Rational.one];
const LOOKS = 3_000_000;

/** What a try may look at that only makes a bound that is good enough equal to the value. */
const LITTLE = 200_000;

/** The bound that closes the gap to a value. */
export function cutoffOf(value: Rational, gap: Rational): Rational {
  return value.subtract(value.absolute().multiply(gap));
}

/**
 * Raises what prices prove of a node from their bound towards the best value known, in steps: lists the groups that may be
 * part of something below a claim, and goes through their partitions. What is found on the way is the new best value.
 */
export function closeNode(
  grouping: Grouping,
  priced: GroupsBound,
  incumbent: GroupingIncumbent,
  { limits: most, gap, shouldStop }: CloseOptions,
): ClosedNode {
  const { bound } = priced;
  if (bound === null) return { claim: null, walking: 0 };
  let [proved, walking] = [bound, 0];
  for (let reach = 0; reach < REACHES.length; ) {
    const value = incumbent.value as Rational;
    if (proved.compare(value) >= 0) break;
    const isEnough = proved.compare(cutoffOf(value, gap)) >= 0;
    const part = isEnough ? Rational.one : (REACHES[reach] as Rational);
    const claim = bound.add(value.subtract(bound).multiply(part));
    if (claim.compare(proved) <= 0) {
      reach++;
      continue;
    }
    const started = performance.now();
    const isLate = () => shouldStop(performance.now() - started);
    const limits = { ...(isEnough ? { maxNodes: LITTLE, maxLooks: LITTLE } : most), shouldStop: isLate };
    const found = searchBelow(grouping, () => priced, claim, limits);
    if (found === "too-many") break;
    if (found === "none") {
      [proved, walking] = [claim, performance.now() - started];
      reach++;
    } else incumbent.offerGroups(found);
  }
  return { claim: proved, walking };
}

/**
 * Looks for partitions better than the best known among known groups of a node alone. That proves nothing, but what it
 * finds leaves fewer groups to go through.
 */
export function recombine(
  grouping: Grouping,
  node: GroupingNode,
  { prices, bound }: GroupsBound,
  groups: readonly Group[],
  incumbent: GroupingIncumbent,
  shouldStop: () => boolean,
): void {
  if (bound === null) return;
  const whole = { window: node.window, together: [], apart: [] };
  const known = priceList(grouping, new PricedGroups(grouping, whole, "bound"), listOf(groups), prices);
  for (;;) {
    const value = incumbent.value as Rational;
    // A walk that ends at its limit has still seen the groups of least reduced cost first.
    for (let part = 1; ; part++) {
      if (part > RECOMBINED.length) return;
      const claim = bound.add(value.subtract(bound).multiply(RECOMBINED[part - 1] as Rational));
      const below = listBelow(grouping, known, claim);
      const found = betterPartition(grouping, below, claim, { maxLooks: LOOKS, shouldStop });
      if (found.kind !== "found") continue;
      if (!incumbent.offerGroups(found.groups)) return;
      break;
    }
  }
}

/** Groups written out by size, each once. */
function listOf(groups: readonly Group[]): GroupList {
  const distinct = new Map(groups.map(({ items }) => [items.join(), items]));
  const bySize = new Map<number, number[]>();
  for (const items of distinct.values()) {
    const known = bySize.get(items.length);
    if (known === undefined) bySize.set(items.length, [...items]);
    else known.push(...items);
  }
  return [...bySize].sort(([a], [b]) => a - b).map(([size, items]) => ({ size, items: Uint16Array.from(items) }));
}

/** The step that closes a node by prices. */
export function groupsStep({ items }: Grouping, prices: GroupPrices): Step {
  const named: Record<string, string> = {};
  items.forEach((item, i) => {
    const price = prices.items[i] as Rational;
    if (price.sign() !== 0) named[item] = price.toString();
  });
  if (prices.triples.length === 0) return { groups: { prices: named } };
  const nameOf = (item: number) => items[item] as string;
  const cuts = prices.triples.map(({ items: [a, b, c], price }): GroupsCut => {
    return { items: [nameOf(a), nameOf(b), nameOf(c)], price: price.toString() };
  });
  return { groups: { prices: named, cuts } };
}

/**
 * A partition of a node whose value is below a claim (`null`: any), as its groups. `"none"`: all that prices leave was
 * gone through; `"too-many"`: a limit ended that.
 */
export function searchBelow(
  grouping: Grouping,
  priced: () => GroupsBound,
  claim: Rational | null,
  limits: ClosingLimits & { readonly shouldStop: () => boolean },
): "none" | "too-many" | readonly (readonly number[])[] {
  try {
    const bound = priced();
    const result = betterPartition(grouping, groupsLeft(grouping, bound, claim, limits), claim, limits);
    return result.kind === "found" ? result.groups : result.kind;
  } catch (error) {
    // Too many groups to go through or to list.
    if (error instanceof RangeError) return "too-many";
    throw error;
  }
}
