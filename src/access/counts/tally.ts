import { type RowClasses, RowClassesBuilder } from "../row-classes.js";

/** Integer counts below this are tallied in arrays from the start: most rows of a long file are read a few times. */
const FIRST_LIMIT = 1 << 16;

/** The arrays grow up to this, when many counts are beyond them; the others are tallied in a map. */
const LAST_LIMIT = 1 << 22;

/**
 * Rows per count for the counts below `even.length`, in two arrays that a loop uses in turns: adding to one and the same
 * element twice in a row would wait for the first addition. A count's rows are the sum of both.
 */
export interface Lanes {
  readonly even: Uint32Array;
  readonly odd: Uint32Array;
}

/** A tally as plain arrays, which can be handed from thread to thread. */
export interface TallyParts {
  /** Rows with the count of the index. */
  readonly direct: Float64Array;
  readonly counts: Float64Array;
  /** Rows with each of `counts`. */
  readonly rows: Float64Array;
}

/** How many rows have each count: memory for the distinct counts alone. */
export class CountTally {
  #lanes: Lanes = lanesOf(FIRST_LIMIT);
  /** Elements in the lanes: one of 32 bits cannot overflow below 2^32. */
  #inLanes = 0;
  /** What the lanes held when they were full, and tallies of other threads. */
  #folded = new Float64Array(0);
  readonly #large = new Map<number, number>();
  #misses = 0;
  #rows = 0;

  /** Rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds `rows` rows with `count` accesses each, both not negative. */
  add(count: number, rows = 1): void {
    this.#rows += rows;
    const { even } = this.#lanes;
    if (rows === 1 && count < even.length && Number.isInteger(count) && this.#inLanes < 2 ** 32 - 1) {
      even[count] = (even[count] as number) + 1;
      this.#inLanes++;
    } else this.#large.set(count, (this.#large.get(count) ?? 0) + rows);
  }

  /**
   * For loops over many elements: the lanes, into which the caller tallies some of `elements` rows; it hands the others to
   * {@link addBeyond}. Good until the next call.
   */
  lanes(elements: number): Lanes {
    const { length } = this.#lanes.even;
    const isGrowing = this.#misses > length && length < LAST_LIMIT;
    if (isGrowing || this.#inLanes + elements >= 2 ** 32) this.#fold();
    if (isGrowing) {
      this.#lanes = lanesOf(length * 8);
      this.#misses = 0;
    }
    this.#inLanes += elements;
    this.#rows += elements;
    return this.#lanes;
  }

  /** A count that the lanes have no place for; its row is among the `elements` already. */
  addBeyond(count: number): void {
    this.#misses++;
    this.#large.set(count, (this.#large.get(count) ?? 0) + 1);
  }

  parts(): TallyParts {
    this.#fold();
    const counts = Float64Array.from(this.#large.keys());
    return { direct: this.#folded, counts, rows: Float64Array.from(this.#large.values()) };
  }

  addParts({ direct, counts, rows }: TallyParts): void {
    this.#growFolded(direct.length);
    for (let count = 0; count < direct.length; count++) {
      const more = direct[count] as number;
      this.#folded[count] = (this.#folded[count] as number) + more;
      this.#rows += more;
    }
    for (const [index, count] of counts.entries()) this.add(count, rows[index]);
  }

  /** The classes of a table with `tableRows` rows: those beyond the tally are never read. */
  classes(tableRows: number, samples: number): RowClasses {
    this.#fold();
    const folded = this.#folded;
    // A typed array sorts without a comparison function.
    const large = Float64Array.from(this.#large.keys()).sort();
    const classes = new RowClassesBuilder();
    let next = large.length - 1;
    const addLargeDownTo = (least: number) => {
      for (; next >= 0 && (large[next] as number) >= least; next--) {
        const count = large[next] as number;
        classes.add(this.#large.get(count) as number, count / samples);
      }
    };
    for (let count = folded.length - 1; count >= 0; count--) {
      const rows = folded[count] as number;
      if (rows === 0) continue;
      addLargeDownTo(count);
      classes.add(rows, count / samples);
    }
    addLargeDownTo(0);
    classes.add(tableRows - this.#rows, 0);
    return classes.build();
  }

  #fold(): void {
    const { even, odd } = this.#lanes;
    this.#growFolded(even.length);
    const folded = this.#folded;
    for (let count = 0; count < even.length; count++) {
      folded[count] = (folded[count] as number) + (even[count] as number) + (odd[count] as number);
    }
    even.fill(0);
    odd.fill(0);
    this.#inLanes = 0;
  }

  #growFolded(length: number): void {
    if (this.#folded.length >= length) return;
    const grown = new Float64Array(length);
    grown.set(this.#folded);
    this.#folded = grown;
  }
}

function lanesOf(length: number): Lanes {
  return { even: new Uint32Array(length), odd: new Uint32Array(length) };
}
