import { InputError } from "../../errors/input-error.js";
import { ranksFrom } from "./row-ranks.js";

/** Counts below this have their class in an array, the others in a map. */
const SMALL = 1 << 16;

/** Counts in the order of row ids, in chunks; beside them, where it matters, a number of each row's group. */
export interface CountsChunk {
  readonly counts: Float64Array;
  readonly groups: Uint8Array | null;
}

/** Groups of rows: below this. */
const GROUPS = 8;

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
  async function* ungrouped(): AsyncGenerator<CountsChunk> {
    for await (const counts of openCounts()) yield { counts, groups: null };
  }
  yield* groupedRanks(ungrouped, samples, rows, file);
}

/** The same where of equal appearances rows of lower groups come first. */
export async function* groupedRanks(
  openCounts: () => AsyncIterable<CountsChunk>,
  samples: number,
  rows: number,
  file: string,
): AsyncGenerator<Float64Array> {
  const classes = new RankClasses();
  for await (const { counts, groups } of openCounts()) {
    for (let k = 0; k < counts.length; k++) classes.add(counts[k] as number, groups?.[k] ?? 0);
  }
  const listed = classes.order(samples);
  let done = 0;
  let ranks = new Float64Array(0);
  for await (const { counts, groups } of openCounts()) {
    if (ranks.length < counts.length) ranks = new Float64Array(counts.length);
    for (let k = 0; k < counts.length; k++) {
      const rank = classes.next(counts[k] as number, groups?.[k] ?? 0);
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
  readonly #small = Array.from({ length: GROUPS }, (_, group) => new Int32Array(group === 0 ? SMALL : 0).fill(-1));
  readonly #large = Array.from({ length: GROUPS }, () => new Map<number, number>());
  readonly #counts: number[] = [];
  readonly #groups: number[] = [];
  readonly #rows: number[] = [];
  #next = new Float64Array(0);
  #ends = new Float64Array(0);

  add(count: number, group: number): void {
    let index = this.#indexOf(count, group);
    if (index === -1) {
      index = this.#counts.length;
      this.#counts.push(count);
      this.#groups.push(group);
      this.#rows.push(0);
      if (!isSmall(count)) (this.#large[group] as Map<number, number>).set(count, index);
      else {
        if (this.#small[group]?.length === 0) this.#small[group] = new Int32Array(SMALL).fill(-1);
        (this.#small[group] as Int32Array)[count] = index;
      }
    }
    this.#rows[index] = (this.#rows[index] as number) + 1;
  }

  /** Gives every class its ranks; classes whose appearances are the same double share theirs. Returns all rows. */
  order(samples: number): number {
    const falling = this.#counts.map((count, index) => ({
      appearances: count / samples,
      group: this.#groups[index] as number,
      index,
    }));
    falling.sort((a, b) => b.appearances - a.appearances || a.group - b.group);
    const merged = new Int32Array(this.#counts.length);
    const starts: number[] = [];
    const ends: number[] = [];
    let rank = 0;
    falling.forEach(({ appearances, group, index }, k) => {
      const before = falling[k - 1];
      if (appearances !== before?.appearances || group !== before.group) {
        starts.push(rank);
        ends.push(rank);
      }
      rank += this.#rows[index] as number;
      ends[ends.length - 1] = rank;
      merged[index] = ends.length - 1;
    });
    for (const large of this.#large) {
      for (const [count, index] of large) large.set(count, merged[index] as number);
    }
    for (const small of this.#small) {
      small.forEach((index, count) => {
        if (index !== -1) small[count] = merged[index] as number;
      });
    }
    this.#next = Float64Array.from(starts);
    this.#ends = Float64Array.from(ends);
    return rank;
  }

  /** The next rank of a count's class; undefined where all are taken. */
  next(count: number, group: number): number | undefined {
    const index = this.#indexOf(count, group);
    const rank = this.#next[index];
    if (rank === undefined || rank >= (this.#ends[index] as number)) return undefined;
    this.#next[index] = rank + 1;
    return rank;
  }

  #indexOf(count: number, group: number): number {
    return (isSmall(count) ? this.#small[group]?.[count] : this.#large[group]?.get(count)) ?? -1;
  }
}

function isSmall(count: number): boolean {
  return count < SMALL && Number.isInteger(count);
}
