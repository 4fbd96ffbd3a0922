import { runOfRank } from "../../access/run-of-rank.js";
import { dealt, type RowBlocks, rowBlocks } from "../torchrec/blocks.js";

/**
 * How the index of a row inside its tier's table follows from the order of falling access. `falling`: the tier's hottest
 * row is its row 0. `spread`: rows of a tier that is cut into blocks over GPUs are dealt to the blocks in turn, so that
 * the hot rows are not all on the first GPU.
 */
export type IndexOrder = "falling" | "spread";

/** Neighbours by falling access that go to one tier, whose table is cut into so many blocks of rows. */
export interface PlacedRun {
  readonly rows: number;
  /** The tier's number. */
  readonly code: number;
  /** Into how many blocks the rows of the tier's table are cut: 1 where they are not. */
  readonly blocks: number;
}

/** Where the rows of one table go, by their rank in the order of falling access. */
export class RowPlacement {
  /** Ranks at which each run ends. */
  readonly #ends: Float64Array;
  readonly #codes: Uint8Array;
  /** Index inside the tier minus rank, for the rows of each run. */
  readonly #shifts: Float64Array;
  readonly #blocks: readonly (RowBlocks | null)[];

  /** `runs` are one table's, from its hottest row to its coldest. */
  constructor(runs: readonly PlacedRun[], order: IndexOrder) {
    this.#ends = new Float64Array(runs.length);
    this.#shifts = new Float64Array(runs.length);
    this.#codes = Uint8Array.from(runs, ({ code }) => code);
    const held = new Map<number, number>();
    let rank = 0;
    for (const [index, { rows, code }] of runs.entries()) {
      const before = held.get(code) ?? 0;
      this.#shifts[index] = before - rank;
      held.set(code, before + rows);
      rank += rows;
      this.#ends[index] = rank;
    }
    this.#blocks = runs.map(({ code, blocks }) =>
      order === "spread" ? rowBlocks(held.get(code) as number, blocks) : null,
    );
  }

  /** Writes the tier codes and the indices of the rows with the given ranks. */
  place(ranks: Float64Array, codes: Uint8Array, indices: Float64Array): void {
    const ends = this.#ends;
    let run = 0;
    for (let row = 0; row < ranks.length; row++) {
      const rank = ranks[row] as number;
      // Neighbouring rows are often in the same run.
      if (!(rank < (ends[run] as number) && (run === 0 || rank >= (ends[run - 1] as number))))
        run = runOfRank(ends, rank);
      const index = rank + (this.#shifts[run] as number);
      const blocks = this.#blocks[run] as RowBlocks | null;
      codes[row] = this.#codes[run] as number;
      indices[row] = blocks === null ? index : dealt(index, blocks);
    }
  }
}
