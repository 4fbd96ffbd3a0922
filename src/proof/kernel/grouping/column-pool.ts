import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { SharedSets } from "./chvatal-gomory-cuts.js";
import { type GroupPrices, worthOf } from "./dual-values.js";
import type { ItemPair } from "./node.js";
import type { PricedGroups, PricedSize } from "./priced-groups.js";
import { leastSums } from "./size-vectors.js";
import { SharedTriples } from "./subset-row-cuts.js";

/** Groups of one size, written out. */
export interface GroupBlock {
  readonly size: number;
  /** The items of one group after those of the other, `size` of each, rising. */
  readonly items: Uint16Array;
}

/** Groups written out, by size. */
export type GroupList = readonly GroupBlock[];

/** Groups of one size with their reduced costs. */
export interface PricedBlock extends GroupBlock {
  /** Of each group, in the walk's integers: never more than it is. */
  readonly sums: Float64Array;
  /** What these integers stand for. */
  readonly priced: PricedSize;
  /** No group of this size that counts has a reduced cost below this; `null` where there is none. */
  readonly least: Rational | null;
}

/** Groups written out, under prices. */
export interface PricedList {
  readonly prices: GroupPrices;
  /** No partition into these groups, or into those of the whole node, has a value below this; `null`: there is none. */
  readonly bound: Rational | null;
  readonly blocks: readonly PricedBlock[];
}

/** How many groups there are. */
export function groupCount(list: GroupList): number {
  return list.reduce((count, { size, items }) => count + items.length / size, 0);
}

/** The reduced costs of listed groups under other prices, and what these prove of the partitions that can be made of them. */
export function priceList(grouping: Grouping, groups: PricedGroups, list: GroupList, prices: GroupPrices): PricedList {
  const blocks = list.map((block): PricedBlock => {
    const priced = groups.ofSize(block.size, prices);
    const sums = sumsOf(block, priced);
    let least = Number.POSITIVE_INFINITY;
    for (const sum of sums) least = Math.min(least, sum);
    return { ...block, sums, priced, least: least === Number.POSITIVE_INFINITY ? null : priced.reducedOf(least) };
  });
  const { least } = leastSums(grouping, new Map(blocks.map((block) => [block.size, block.least])));
  return { prices, bound: least === null ? null : worthOf(prices).add(least), blocks };
}

/**
 * The groups of a partition whose value is below the claim (`null`: any partition): those with
 *
 *   Σ π − Σ μ + reduced(S) + min { Σ λ(n_t) over the other groups, one of them having |S| items }  <  claim.
 */
export function listBelow(
  grouping: Grouping,
  { prices, bound, blocks }: PricedList,
  claim: Rational | null,
): PricedList {
  if (isClosed(bound, claim)) return { prices, bound, blocks: [] };
  const kept = cutoffs(grouping, prices, blocks, claim).map((cutoff, b) => {
    const block = blocks[b] as PricedBlock;
    return picked(block, (g) => (block.sums[g] as number) < cutoff);
  });
  return { prices, bound, blocks: kept.filter(({ items }) => items.length > 0) };
}

/** Whether a bound closes a node: it reaches the claim, or with costs of zero it is above what every numbering costs. */
export function isClosed(bound: Rational | null, claim: Rational | null): boolean {
  return bound === null || (claim === null ? bound.sign() > 0 : bound.compare(claim) >= 0);
}

/** For each size: the walk's integers below this are of groups that a partition below the claim can have. */
export function cutoffs(
  grouping: Grouping,
  prices: GroupPrices,
  sizes: readonly { readonly size: number; readonly priced: PricedSize; readonly least: Rational | null }[],
  claim: Rational | null,
): readonly number[] {
  const { beside } = leastSums(grouping, new Map(sizes.map(({ size, least }) => [size, least])));
  const total = worthOf(prices);
  return sizes.map(({ size, priced }) => {
    const others = beside.get(size) ?? null;
    if (others === null) return Number.NEGATIVE_INFINITY;
    // With costs of zero a numbering's value is zero: its groups leave nothing above that.
    return priced.cutoffOf((claim ?? Rational.zero).subtract(total).subtract(others), claim === null);
  });
}

/** The groups with both items or neither, and those without both. */
export function splitList<Block extends GroupBlock>(
  blocks: readonly Block[],
  [i, j]: ItemPair,
): { readonly together: readonly Block[]; readonly apart: readonly Block[] } {
  const having = (keep: (hasFirst: boolean, hasSecond: boolean) => boolean) =>
    blocks
      .map((block) => {
        const { size, items } = block;
        return picked(block, (g) => {
          let count = 0;
          let first = 0;
          for (let at = g * size; at < (g + 1) * size; at++) {
            if (items[at] === i) first = 1;
            if (items[at] === i || items[at] === j) count++;
          }
          return keep(first === 1, count > first);
        });
      })
      .filter(({ items }) => items.length > 0);
  return {
    together: having((first, second) => first === second),
    apart: having((first, second) => !(first && second)),
  };
}

/** The groups of a block that a test holds for; whatever else is known of each goes with it. */
function picked<Block extends GroupBlock>(block: Block, test: (group: number) => boolean): Block {
  const { size, items } = block;
  const all = new Uint32Array(items.length / size);
  for (let g = 0; g < all.length; g++) all[g] = g;
  const kept = all.filter(test);
  const own = new Uint16Array(kept.length * size);
  kept.forEach((g, k) => {
    own.set(items.subarray(g * size, (g + 1) * size), k * size);
  });
  const { sums } = block as Partial<PricedBlock>;
  if (sums === undefined) return { ...block, items: own };
  const ownSums = new Float64Array(kept.length);
  kept.forEach((g, k) => {
    ownSums[k] = sums[g] as number;
  });
  return { ...block, items: own, sums: ownSums };
}

/** Of each group: what the walk through all groups would add up, and what the group pays for sets. */
function sumsOf({ size, items }: GroupBlock, { units: { own, between, triples }, sets }: PricedSize): Float64Array {
  const all = own.length;
  const sharedTriples = new SharedTriples(all, triples);
  const sharedSets = new SharedSets(all, sets);
  return new Float64Array(items.length / size).map((_, g) => {
    let sum = 0;
    for (let b = g * size; b < (g + 1) * size; b++) {
      const j = items[b] as number;
      sum += own[j] as number;
      for (let a = g * size; a < b; a++) sum += between[(items[a] as number) * all + j] as number;
    }
    const [from, to] = [g * size, (g + 1) * size];
    return sum + sharedTriples.paidBy(items, from, to) + sharedSets.paidBy(items, from, to);
  });
}
