import type { TorchrecTopology } from "../topology.js";

/**
 * Copies of the tables, one in each group of ranks that TorchRec's `DMPCollection` shards over. Its planner plans for one group
 * and knows nothing of the others: what copies cost beside that is this program's own, see `synchronisation.ts`.
 */
export interface TorchrecReplicas {
  readonly copies: number;
  /** Milliseconds in each iteration for every byte that a rank holds and synchronises. */
  readonly millisecondsPerByte: number;
  /** Beside the weights. */
  readonly syncsOptimizerState: boolean;
  /** Outside the look-ups a rank holds of each shard only a part for every copy. */
  readonly isFullySharded: boolean;
  /** All ranks, over which the gradients of data-parallel tables are added up. */
  readonly cluster: TorchrecTopology;
}

/** The ranks that hold a copy of one shard. */
export interface CopyRanks {
  readonly copies: number;
  /** Hosts that they are on, and how many are on each. */
  readonly copyHosts: number;
  readonly copiesPerHost: number;
}

/**
 * Milliseconds of an all-reduce over all copies for each byte of a copy, in bytes per millisecond: the ring's 2 · (n − 1) / n
 * passes of every byte over the slowest link (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, 2009; NCCL's bus
 * bandwidth). Between hosts every rank has a network card of its own, as TorchRec has it. A reduce-scatter and the all-gather
 * that undoes it take as long together.
 */
export function ringMilliseconds(
  { copies, copyHosts, copiesPerHost }: CopyRanks,
  { intraHost, interHost }: { readonly intraHost: number; readonly interHost: number },
): number {
  if (copies === 1) return 0;
  const slowest = copyHosts === 1 ? intraHost : Math.min(intraHost, interHost * copiesPerHost);
  return (2 * (copies - 1)) / copies / slowest;
}
