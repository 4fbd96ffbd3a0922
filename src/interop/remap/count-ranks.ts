import { InputError } from "../../errors/input-error.js";
import { ranksFrom } from "./row-ranks.js";

/** Counts below this have their class in an array, the others in a map. */
const SMALL = 1 << 16;

/**
 * Ranks from counts of accesses: by falling appearances (count / samples, as doubles, as the classes of src/access have
 * them), then by rising row id; rows after the counts' end are never read and come last.
 *
 * Reads the counts twice, with memory for the distinct counts alone: first the size of every class, then each row takes
 * the next rank of its class. `openCounts` gives the counts in the order of row ids, `rows` is the table's number.
 * Throws `InputError` when the two readings differ, and what `openCounts` does.
 */
export async function* countRanks(
  openCounts: () => AsyncIterable<Float64Array>,
  samples: number,
  rows: number,
  file: string,
): AsyncGenerator<Float64Array> {
  const classes = new RankClasses();
  for await (const counts of openCounts()) for (const count of counts) classes.add(count);
  const listed = classes.order(samples);
  let done = 0;
  let ranks = new Float64Array(0);
  for await (const counts of openCounts()) {
    if (ranks.length < counts.length) ranks = new Float64Array(counts.length);
    for (let k = 0; k < counts.length; k++) {
      const rank = classes.next(counts[k] as number);
      if (rank === undefined) throw changed(file);
      ranks[k] = rank;
    }
    done += counts.length;
    yield ranks.subarray(0, counts.length);
  }
  if (done !== listed) throw changed(file);
  // Never read, as the rows of count 0 are, and with higher row ids than theirs.
  yield* ranksFrom(listed, rows);
}

function changed(file: string): InputError {
  return new InputError("expected the same counts at each reading, received others; keep the file as it is", file);
}

/** Rows of equal appearances: how many there are, then the ranks that are left for them. */
class RankClasses {
  /** Index of the class of each count; −1 where there is none. */
  readonly #small = new Int32Array(SMALL).fill(-1);
  readonly #large = new Map<number, number>();
  readonly #counts: number[] = [];
  readonly #rows: number[] = [];
  #next = new Float64Array(0);
  #ends = new Float64Array(0);

  add(count: number): void {
    let index = this.#indexOf(count);
    if (index === -1) {
      index = this.#counts.length;
      this.#counts.push(count);
      this.#rows.push(0);
      if (isSmall(count)) this.#small[count] = index;
      else this.#large.set(count, index);
    }
    this.#rows[index] = (this.#rows[index] as number) + 1;
  }

  /** Gives every class its ranks; classes whose appearances are the same double share theirs. Returns all rows. */
  order(samples: number): number {
    const falling = this.#counts.map((count, index) => ({ appearances: count / samples, index }));
    falling.sort((a, b) => b.appearances - a.appearances);
    const merged = new Int32Array(this.#counts.length);
    const starts: number[] = [];
    const ends: number[] = [];
    let rank = 0;
    falling.forEach(({ appearances, index }, k) => {
      if (k === 0 || appearances !== falling[k - 1]?.appearances) {
        starts.push(rank);
        ends.push(rank);
      }
      rank += this.#rows[index] as number;
      ends[ends.length - 1] = rank;
      merged[index] = ends.length - 1;
    });
    for (const [count, index] of this.#large) this.#large.set(count, merged[index] as number);
    this.#small.forEach((index, count) => {
      if (index !== -1) this.#small[count] = merged[index] as number;
    });
    this.#next = Float64Array.from(starts);
    this.#ends = Float64Array.from(ends);
    return rank;
  }

  /** The next rank of a count's class; undefined where all are taken. */
  next(count: number): number | undefined {
    const index = this.#indexOf(count);
    const rank = this.#next[index];
    if (rank === undefined || rank >= (this.#ends[index] as number)) return undefined;
    this.#next[index] = rank + 1;
    return rank;
  }

  #indexOf(count: number): number {
    return (isSmall(count) ? this.#small[count] : this.#large.get(count)) ?? -1;
  }
}

function isSmall(count: number): boolean {
  return count < SMALL && Number.isInteger(count);
}
