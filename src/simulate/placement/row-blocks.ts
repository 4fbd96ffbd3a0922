/** In which of its blocks a row is, by its rank among the rows that are cut. */
export type BlockOfRow = (rank: number) => number;

/**
 * - `spread`: rows are dealt to the blocks in turn, from the hottest on, each block until it is full;
 * - `falling`: the first block has the hottest rows.
 */
export type IndexOrder = "spread" | "falling";

export function blockOfRow(blocks: readonly number[], order: IndexOrder): BlockOfRow {
  if (blocks.length === 1) return () => 0;
  return order === "falling" ? inFallingOrder(blocks) : dealtInTurn(blocks);
}

function inFallingOrder(blocks: readonly number[]): BlockOfRow {
  const ends: number[] = [];
  for (const rows of blocks) ends.push((ends.at(-1) ?? 0) + rows);
  return (rank) => firstAbove(ends, rank);
}

function dealtInTurn(blocks: readonly number[]): BlockOfRow {
  // Between two sizes of blocks the same blocks take a row in each round.
  const sizes = [...new Set(blocks)].filter((rows) => rows > 0).sort((a, b) => a - b);
  const ends: number[] = [];
  const rounds = sizes.map((size, k) => {
    const open = blocks.flatMap((rows, block) => (rows >= size ? [block] : []));
    const start = ends.at(-1) ?? 0;
    ends.push(start + open.length * (size - (sizes[k - 1] ?? 0)));
    return { open, start };
  });
  return (rank) => {
    const { open, start } = rounds[firstAbove(ends, rank)] as (typeof rounds)[number];
    return open[(rank - start) % open.length] as number;
  };
}

/** The first entry of a rising list that is above a number. */
function firstAbove(ends: readonly number[], rank: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rank < (ends[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
