import { type Random, seededRandom } from "../../exact/random.js";
import { BUFFER, BufferedTraining, RingBuffer } from "./buffered-training.js";
import { FEWEST_SETS, type MeasuredSet } from "./cost-data.js";
import type { NetworkKind, NetworkTable } from "./features.js";
import { type Chosen, LEARNING_RATE, type SplitFits } from "./learner.js";
import type { TrainedNetwork } from "./trained-network.js";

/** Sets to learn from that make a round: those of AutoShard's batch of eight plans on eight devices. */
const ROUND = 64;

/** Rounds once the stream is over, with a learning rate that falls to 0, per round before. */
const COOLING = 0.25;

export interface StreamTrainingOptions {
  readonly kind: NetworkKind;
  /** The same sets and seed give the same weights. */
  readonly seed: number;
  /** The newest sets that are learned from; default 5,000. */
  readonly buffer?: number;
}

/** A round of learning. */
export interface StreamRound {
  /** From 1. */
  readonly round: number;
  /**
   * Mean squared error in ms²: of the sets that the round brought before they were learned from, or once the stream is over of
   * those kept for choosing. `null` in the first round, which has nothing to go by.
   */
  readonly error: number | null;
}

/**
 * Learns measured sets while they arrive, one by one, as from a micro-benchmark that is running: of every ten, drawn at
 * random, eight go into a ring buffer that training draws from ({@link BufferedTraining}), one chooses and one tests. Once the
 * stream is over the learning rate falls to 0, and the round with the smallest error on the sets for choosing wins. Of those,
 * as of the sets for testing, the newest are kept, as many as the buffer holds.
 *
 * ```ts
 * const training = new StreamTraining(tables, { kind: "neural", seed: 0 });
 * for await (const set of sets) training.take(set);
 * for (const _ of training.cool());
 * const { network, fits } = training.best();
 * ```
 */
export class StreamTraining {
  readonly #tables: readonly NetworkTable[];
  readonly #options: StreamTrainingOptions;
  readonly #random: Random;
  readonly #validation: RingBuffer<MeasuredSet>;
  readonly #test: RingBuffer<MeasuredSet>;
  #training: BufferedTraining | null = null;
  /** To learn from, until they make a round. */
  #pending: MeasuredSet[] = [];
  #sets = 0;
  #rounds = 0;
  /** Where among ten sets those for choosing and testing are. */
  #places = { validation: 0, test: 0 };
  #best: Chosen | null = null;

  constructor(tables: readonly NetworkTable[], options: StreamTrainingOptions) {
    this.#tables = tables;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    const { buffer = BUFFER } = options;
    this.#validation = new RingBuffer(buffer);
    this.#test = new RingBuffer(buffer);
  }

  /** All sets that came. */
  get sets(): number {
    return this.#sets;
  }

  get rounds(): number {
    return this.#rounds;
  }

  /** Takes a set; the round that it completed, if any. */
  take(set: MeasuredSet): StreamRound | null {
    const place = this.#sets++ % FEWEST_SETS;
    if (place === 0) {
      const validation = this.#random.integer(FEWEST_SETS);
      const test = (validation + 1 + this.#random.integer(FEWEST_SETS - 1)) % FEWEST_SETS;
      this.#places = { validation, test };
    }
    if (place === this.#places.validation) this.#validation.push(set);
    else if (place === this.#places.test) this.#test.push(set);
    else this.#pending.push(set);
    return this.#pending.length < ROUND ? null : this.#round();
  }

  /** What is left to learn once the stream is over, round by round. It has to have brought {@link FEWEST_SETS} sets. */
  *cool(): Generator<StreamRound & { readonly of: number }> {
    if (this.#pending.length > 0) this.#round();
    const training = this.#training as BufferedTraining;
    const validation = this.#validation.items();
    this.#best = training.choose(this.#rounds, validation).best;
    const cooling = Math.ceil(COOLING * this.#rounds);
    const of = this.#rounds + cooling;
    for (let left = cooling; left > 0; left--) {
      training.round([], (LEARNING_RATE * left) / cooling);
      const round = ++this.#rounds;
      const { best, error } = training.choose(round, validation, this.#best);
      this.#best = best;
      yield { round, error, of };
    }
  }

  /** After {@link cool}: the network of the best round since, in milliseconds, and its fit. */
  best(): TrainedNetwork & { readonly round: number; readonly fits: SplitFits } {
    const training = this.#training as BufferedTraining;
    const chosen = this.#best as Chosen;
    const parts = { train: training.kept, validation: this.#validation.items(), test: this.#test.items() };
    return { ...training.fitted(chosen, parts), round: chosen.round };
  }

  #round(): StreamRound {
    const sets = this.#pending;
    this.#pending = [];
    const round = ++this.#rounds;
    if (this.#training === null) {
      this.#training = new BufferedTraining(this.#tables, sets, this.#options);
      this.#training.round([]);
      return { round, error: null };
    }
    const error = this.#training.squaredError(sets);
    this.#training.round(sets);
    return { round, error };
  }
}
