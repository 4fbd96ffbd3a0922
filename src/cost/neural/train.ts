import { type Random, seededRandom } from "../../exact/random.js";
import type { CostData, MeasuredSet, Split } from "./cost-data.js";
import type { NetworkKind, NetworkTable } from "./features.js";
import { type Chosen, drawnStart, LEARNING_RATE, Learner, type SplitFits, scaleOf } from "./learner.js";
import type { TrainedNetwork } from "./trained-network.js";

/**
 * Sets per update. The papers have 512, with 100,000 sets or as many updates as it takes; with some thousands of sets
 * smaller batches mean more updates for the same work.
 */
const BATCH = 64;

export interface TrainingOptions {
  readonly kind: NetworkKind;
  readonly epochs: number;
  /** Of the split, the first weights and the order of the sets: the same seed gives the same weights. */
  readonly seed: number;
}

export interface Epoch {
  /** From 1. */
  readonly epoch: number;
  /** Mean squared error of the validation sets, in ms². */
  readonly validationError: number;
  /** Of the best epoch so far. */
  readonly bestError: number;
}

/**
 * Supervised training on measured sets that are all there (AutoShard, section 4.2; NeuroShard's code for the split):
 * minibatches in passes over the sets, see {@link Learner}. The learning rate falls to 0 along half a cosine.
 *
 * ```ts
 * const training = new Training(data, { kind: "neural", epochs: 100, seed: 0 });
 * for (let e = 0; e < 100; e++) training.epoch();
 * const { network } = training.best();
 * ```
 */
export class Training {
  readonly #data: CostData;
  readonly #options: TrainingOptions;
  readonly #random: Random;
  readonly #learner: Learner;
  readonly split: Split;
  #epochs = 0;
  #best: Chosen;

  constructor(data: CostData, options: TrainingOptions) {
    this.#data = data;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.split = splitOf(data.sets.length, this.#random);
    const train = this.#sets("train");
    const seen = new Set(train.flatMap(({ tables }) => tables));
    const seenTables = [...seen].map((t) => data.tables[t] as NetworkTable);
    const start = drawnStart(seenTables, options.kind, this.#random);
    this.#learner = new Learner(data.tables, start, scaleOf(train.map(({ cost }) => cost)));
    this.#best = this.#learner.choose(0, this.#sets("validation")).best;
  }

  /** The epochs that are over. */
  get epochs(): number {
    return this.#epochs;
  }

  /** One pass over the training sets, in a new order. */
  epoch(): Epoch {
    const order = shuffled(this.#sets("train"), this.#random);
    const updates = Math.ceil(order.length / BATCH);
    for (let update = 0; update < updates; update++) {
      const progress = Math.min((this.#epochs + update / updates) / this.#options.epochs, 1);
      const rate = (LEARNING_RATE * (1 + Math.cos(Math.PI * progress))) / 2;
      this.#learner.update(order.slice(update * BATCH, (update + 1) * BATCH), rate);
    }
    this.#epochs++;
    const { best, error } = this.#learner.choose(this.#epochs, this.#sets("validation"), this.#best);
    this.#best = best;
    return { epoch: this.#epochs, validationError: error, bestError: best.error };
  }

  /** The network of the epoch with the smallest error on the validation sets, in milliseconds, and its fit. */
  best(): TrainedNetwork & { readonly epoch: number; readonly fits: SplitFits } {
    const parts = { train: this.#sets("train"), validation: this.#sets("validation"), test: this.#sets("test") };
    return { ...this.#learner.fitted(this.#best, parts), epoch: this.#best.round };
  }

  #sets(part: keyof Split): readonly MeasuredSet[] {
    return this.split[part].map((s) => this.#data.sets[s] as MeasuredSet);
  }
}

function splitOf(sets: number, random: Random): Split {
  const order = shuffled([...Array(sets).keys()], random);
  const [train, validation] = [Math.floor(0.8 * sets), Math.floor(0.9 * sets)];
  return { train: order.slice(0, train), validation: order.slice(train, validation), test: order.slice(validation) };
}

/** Fisher and Yates. */
function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j] as Item, order[i] as Item];
  }
  return order;
}
