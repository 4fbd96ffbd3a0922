import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { type ClusterDuals, worthOf } from "./dual-values.js";
import type { ElementPair } from "./node.js";
import type { PricedClusters, PricedSize } from "./priced-clusters.js";
import { SharedSets } from "./shared-sets.js";
import { leastSums } from "./size-vectors.js";

/** Clusters of one size, written out. */
export interface ClusterBlock {
  readonly size: number;
  /** The elements of one cluster after those of the other, `size` of each, rising. */
  readonly elements: Uint16Array;
}

/** Clusters written out, by size. */
export type ClusterList = readonly ClusterBlock[];

/** Clusters of one size with their reduced costs. */
export interface PricedBlock extends ClusterBlock {
  /** Of each cluster, in the walk's integers: never more than it is. */
  readonly sums: Float64Array;
  /** What these integers stand for. */
  readonly priced: PricedSize;
  /** No cluster of this size that counts has a reduced cost below this; `null` where there is none. */
  readonly least: Rational | null;
}

/** Clusters written out, under dual values. */
export interface PricedList {
  readonly duals: ClusterDuals;
  /**
   * No partition into these clusters, or into those of the whole node, has a value below this; `null`: there is none.
   */
  readonly bound: Rational | null;
  readonly blocks: readonly PricedBlock[];
}

/** How many clusters there are. */
export function clusterCount(list: ClusterList): number {
  return list.reduce((count, { size, elements }) => count + elements.length / size, 0);
}

/**
 * The reduced costs of listed clusters under other dual values, and what these prove of the partitions that can be made
 * of them.
 */
export function dualList(
  grouping: Grouping,
  clusters: PricedClusters,
  list: ClusterList,
  duals: ClusterDuals,
): PricedList {
  const blocks = list.map((block): PricedBlock => {
    const priced = clusters.ofSize(block.size, duals);
    const sums = sumsOf(block, priced);
    let least = Number.POSITIVE_INFINITY;
    for (const sum of sums) least = Math.min(least, sum);
    return { ...block, sums, priced, least: least === Number.POSITIVE_INFINITY ? null : priced.reducedOf(least) };
  });
  const { least } = leastSums(grouping, new Map(blocks.map((block) => [block.size, block.least])));
  return { duals, bound: least === null ? null : worthOf(duals).add(least), blocks };
}

/**
 * The clusters of a partition whose value is below the claim (`null`: any partition): those with
 *
 *   Σ π − Σ μ + reduced(S) + min { Σ λ(n_t) over the other clusters, one of them having |S| elements }  <  claim.
 */
export function listBelow(
  grouping: Grouping,
  { duals, bound, blocks }: PricedList,
  claim: Rational | null,
): PricedList {
  if (isClosed(bound, claim)) return { duals, bound, blocks: [] };
  const kept = cutoffs(grouping, duals, blocks, claim).map((cutoff, b) => {
    const block = blocks[b] as PricedBlock;
    return picked(block, (g) => (block.sums[g] as number) < cutoff);
  });
  return { duals, bound, blocks: kept.filter(({ elements }) => elements.length > 0) };
}

/** Whether a bound closes a node: it reaches the claim, or with costs of zero it is above what every labeling costs. */
export function isClosed(bound: Rational | null, claim: Rational | null): boolean {
  return bound === null || (claim === null ? bound.sign() > 0 : bound.compare(claim) >= 0);
}

/** For each size: the walk's integers below this are of clusters that a partition below the claim can have. */
export function cutoffs(
  grouping: Grouping,
  duals: ClusterDuals,
  sizes: readonly { readonly size: number; readonly priced: PricedSize; readonly least: Rational | null }[],
  claim: Rational | null,
): readonly number[] {
  const { beside } = leastSums(grouping, new Map(sizes.map(({ size, least }) => [size, least])));
  const total = worthOf(duals);
  return sizes.map(({ size, priced }) => {
    const others = beside.get(size) ?? null;
    if (others === null) return Number.NEGATIVE_INFINITY;
    // With costs of zero a labeling's value is zero: its clusters leave nothing above that.
    return priced.cutoffOf((claim ?? Rational.zero).subtract(total).subtract(others), claim === null);
  });
}

/** The clusters with both elements or neither, and those without both. */
export function splitList<Block extends ClusterBlock>(
  blocks: readonly Block[],
  [i, j]: ElementPair,
): { readonly together: readonly Block[]; readonly apart: readonly Block[] } {
  const having = (keep: (hasFirst: boolean, hasSecond: boolean) => boolean) =>
    blocks
      .map((block) => {
        const { size, elements } = block;
        return picked(block, (g) => {
          let count = 0;
          let first = 0;
          for (let at = g * size; at < (g + 1) * size; at++) {
            if (elements[at] === i) first = 1;
            if (elements[at] === i || elements[at] === j) count++;
          }
          return keep(first === 1, count > first);
        });
      })
      .filter(({ elements }) => elements.length > 0);
  return {
    together: having((first, second) => first === second),
    apart: having((first, second) => !(first && second)),
  };
}

/** The clusters of a block that a test holds for; whatever else is known of each goes with it. */
function picked<Block extends ClusterBlock>(block: Block, test: (cluster: number) => boolean): Block {
  const { size, elements } = block;
  const all = new Uint32Array(elements.length / size);
  for (let g = 0; g < all.length; g++) all[g] = g;
  const kept = all.filter(test);
  const own = new Uint16Array(kept.length * size);
  kept.forEach((g, k) => {
    own.set(elements.subarray(g * size, (g + 1) * size), k * size);
  });
  const { sums } = block as Partial<PricedBlock>;
  if (sums === undefined) return { ...block, elements: own };
  const ownSums = new Float64Array(kept.length);
  kept.forEach((g, k) => {
    ownSums[k] = sums[g] as number;
  });
  return { ...block, elements: own, sums: ownSums };
}

/** Of each cluster: what the walk through all clusters would add up. */
function sumsOf({ size, elements }: ClusterBlock, { units: { own, between, sets } }: PricedSize): Float64Array {
  const all = own.length;
  const shared = new SharedSets(all, sets);
  return new Float64Array(elements.length / size).map((_, g) => {
    let sum = 0;
    for (let b = g * size; b < (g + 1) * size; b++) {
      const j = elements[b] as number;
      sum += own[j] as number;
      for (let a = g * size; a < b; a++) sum += between[(elements[a] as number) * all + j] as number;
    }
    return sum + shared.paidBy(elements, g * size, (g + 1) * size);
  });
}
