/** Most rows of a cache whose evictions are followed. */
const MAX_FOLLOWED = 2 ** 20;

/**
 * The distinct rows that an iteration reads, and how many of them miss a cache: one that holds the hottest rows and keeps them, as the
 * cost model has it; and beside it one of as many rows that takes in every row that is read, and lets go of the one that was read
 * longest ago. That one starts with the hottest rows.
 */
export class CacheCounts {
  readonly #cached: number;
  readonly #seen: Uint32Array;
  #read: number[] = [];
  readonly #recent: Map<number, true> | null;
  /** Of all iterations. */
  misses = 0;
  distinct = 0;
  #recentMisses = 0;

  constructor(rows: number, cached: number) {
    this.#cached = cached;
    this.#seen = new Uint32Array(Math.ceil(rows / 32));
    this.#recent = cached > MAX_FOLLOWED ? null : new Map();
    for (let row = Math.min(cached, rows) - 1; row >= 0 && this.#recent !== null; row--) this.#recent.set(row, true);
  }

  /** Misses of the cache that evicts; `null` where it is too large to follow. */
  get recentMisses(): number | null {
    return this.#recent === null ? null : this.#recentMisses;
  }

  /** `row`: its rank among the rows that the cache is of. */
  read(row: number): void {
    const word = Math.floor(row / 32);
    const bit = 1 << (row % 32);
    const before = this.#seen[word] as number;
    if ((before & bit) !== 0) return;
    this.#seen[word] = before | bit;
    this.#read.push(row);
  }

  endIteration(): void {
    for (const row of this.#read) {
      this.#seen[Math.floor(row / 32)] = 0;
      if (row >= this.#cached) this.misses++;
      if (this.#recent !== null) this.#touch(row, this.#recent);
    }
    this.distinct += this.#read.length;
    this.#read = [];
  }

  #touch(row: number, recent: Map<number, true>): void {
    if (!recent.delete(row)) {
      this.#recentMisses++;
      if (recent.size >= this.#cached) recent.delete(recent.keys().next().value as number);
    }
    if (this.#cached > 0) recent.set(row, true);
  }
}
