/**
 * How TorchRec's row-wise sharding cuts the rows of a table: blocks of ⌈rows/ranks⌉, the last ones shorter or empty
 * (10 rows on 4 ranks are 3, 3, 3, 1; 5 on 4 are 2, 2, 1, 0). Rank k holds the rows from k·block on.
 *
 * Source: `_calculate_rw_shard_sizes_and_offsets` of torchrec/distributed/sharding_plan.py (TorchRec 1.9).
 */
export interface RowBlocks {
  readonly block: number;
  /** Ranks with a full block: 0 … full − 1. */
  readonly full: number;
  /** Rows of rank `full`; the ranks after it have none. */
  readonly rest: number;
}

/** `rows` and `ranks` are integers of at least 1. */
export function rowBlocks(rows: number, ranks: number): RowBlocks {
  const block = Math.ceil(rows / ranks);
  const full = Math.floor(rows / block);
  return { block, full, rest: rows - block * full };
}

/** Rows of each rank. */
export function blockSizes(rows: number, ranks: number): readonly number[] {
  const { block, full, rest } = rowBlocks(rows, ranks);
  return Array.from({ length: ranks }, (_, rank) => (rank < full ? block : rank === full ? rest : 0));
}

/**
 * The row of a row-wise table at which the row of rank `position` in the order of falling access should be, so that
 * every GPU gets its share of the hot rows: positions are dealt to the ranks in turn, each rank filling its block from
 * the front. A permutation of 0 … rows − 1.
 */
export function dealt(position: number, { block, full, rest }: RowBlocks): number {
  const together = rest * (full + 1);
  if (position < together) return (position % (full + 1)) * block + Math.floor(position / (full + 1));
  const after = position - together;
  return (after % full) * block + rest + Math.floor(after / full);
}
