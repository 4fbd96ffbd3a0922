import type { Random } from "../../exact/random.js";

/**
 * The newest items of a stream, at most `capacity` of them: AutoShard keeps 5,000 measured sets (algorithm 1, line 4, and
 * appendix C.2). One that comes when it is full takes the place of the oldest.
 */
export class RingBuffer<Item> {
  readonly capacity: number;
  readonly #items: Item[] = [];
  /** Where the next one goes once it is full: the oldest one's place. */
  #next = 0;

  /** Throws `RangeError` where the capacity is not an integer of at least 1. */
  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(`expected a capacity of at least 1, received ${capacity}`);
    }
    this.capacity = capacity;
  }

  get size(): number {
    return this.#items.length;
  }

  push(item: Item): void {
    if (this.#items.length < this.capacity) this.#items.push(item);
    else this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
  }

  /** From the oldest to the newest. */
  items(): readonly Item[] {
    if (this.#items.length < this.capacity) return [...this.#items];
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }

  /** So many items, each drawn evenly from all that are there (one may be drawn twice); none where there is none. */
  sample(count: number, random: Random): readonly Item[] {
    if (this.#items.length === 0) return [];
    return Array.from({ length: count }, () => this.#items[random.integer(this.#items.length)] as Item);
  }
}
