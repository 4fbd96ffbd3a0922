/** Hottest rows that are classes of their own: where appearances fall fastest from row to row. */
export const SINGLE_ROWS = 1000;

/** Growth of the classes after them, from one boundary to the next. */
export const CLASS_RATIO = 1.001;

/**
 * The class boundaries after `from`, up to and including `to`, as whole ranks: single rows up to {@link SINGLE_ROWS},
 * then a geometric grid. `from` itself is not yielded.
 */
export function* classBoundaries(from: number, to: number): Generator<number> {
  for (let rank = from; rank < to; ) {
    rank = rank < SINGLE_ROWS ? rank + 1 : Math.max(rank + 1, Math.floor(rank * CLASS_RATIO));
    yield Math.min(rank, to);
  }
}
