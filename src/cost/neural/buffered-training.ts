import { type Random, seededRandom } from "../../exact/random.js";
import type { MeasuredSet } from "./cost-data.js";
import type { NetworkKind, NetworkTable } from "./features.js";
import { drawnStart, LEARNING_RATE, Learner, scaleOf, startFrom } from "./learner.js";
import type { TrainedNetwork } from "./trained-network.js";

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

/** AutoShard's (appendix C.2): measured sets that are kept, sets per update, updates per round. */
export const BUFFER = 5000;
const BATCH = 512;
const UPDATES = 20;

export interface BufferedTrainingOptions {
  readonly kind: NetworkKind;
  /** Of the first weights and the batches: the same sets and seed give the same weights. */
  readonly seed: number;
  /** Measured sets that are kept; default {@link BUFFER}. */
  readonly buffer?: number;
  /** Learns on from these weights, of the same kind, instead of random ones. */
  readonly start?: TrainedNetwork;
}

/**
 * Training on sets that arrive while it learns (AutoShard, algorithm 1, lines 4 to 8): those of a round go into a ring buffer,
 * and 20 updates follow, each on up to 512 sets drawn from the buffer. Features are normalised over all tables, costs by the
 * sets that it begins with.
 */
export class BufferedTraining extends Learner {
  readonly #random: Random;
  readonly #buffer: RingBuffer<MeasuredSet>;

  /** `first`: measured sets, at least one. */
  constructor(tables: readonly NetworkTable[], first: readonly MeasuredSet[], options: BufferedTrainingOptions) {
    const { kind, seed, buffer = BUFFER, start } = options;
    const random = seededRandom(seed);
    const scale = scaleOf(first.map(({ cost }) => cost));
    super(tables, start === undefined ? drawnStart(tables, kind, random) : startFrom(start, scale), scale);
    this.#random = random;
    this.#buffer = new RingBuffer(buffer);
    for (const set of first) this.#buffer.push(set);
  }

  /** The newest sets, at most as many as the buffer holds. */
  get kept(): readonly MeasuredSet[] {
    return this.#buffer.items();
  }

  /** Takes newly measured sets, if any, and learns. */
  round(sets: readonly MeasuredSet[], learningRate = LEARNING_RATE): void {
    for (const set of sets) this.#buffer.push(set);
    for (let update = 0; update < UPDATES; update++) {
      this.update(this.#buffer.sample(Math.min(BATCH, this.#buffer.size), this.#random), learningRate);
    }
  }
}
