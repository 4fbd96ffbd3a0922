import { type Random, seededRandom } from "../../exact/random.js";
import { Adam } from "./adam.js";
import type { CostData, MeasuredSet, Split } from "./cost-data.js";
import { type Feature, featuresOver, type NetworkKind, type NetworkTable, writeFeatures } from "./features.js";
import { type Fit, fitOf } from "./fit.js";
import { CostNetwork, type SetBatch } from "./network.js";
import type { TrainedNetwork } from "./trained-network.js";

/** AutoShard's (appendix C.2), also PyTorch's default. */
const LEARNING_RATE = 1e-3;
const GRADIENT_CLIP = 40;

/**
 * Sets per update. The papers have 512, with 100,000 sets or as many updates as it takes; with some thousands of sets
 * smaller batches mean more updates for the same work.
 */
const BATCH = 64;

/** Significant digits of weights. */
const DIGITS = 7;

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

/** The fit on each part of the data. */
export type SplitFits = Readonly<Record<keyof Split, Fit>>;

/**
 * Supervised training on measured sets (AutoShard, section 4.2; NeuroShard's code for the split): minibatches, Adam with
 * the gradient clipped, mean squared error. The learning rate falls to 0 along half a cosine. Costs are brought to a mean of 0
 * and a deviation of 1 while learning, and the last layer is brought back to milliseconds at the end. With the kind
 * `neural-convex` the weights of the last layer are kept from being negative by projection: after each update, those below
 * 0 are set to 0.
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
  readonly #features: readonly Feature[];
  /** Of all tables, normalised, one table after the other. */
  readonly #inputs: Float64Array;
  readonly #network: CostNetwork;
  readonly #adam: Adam;
  readonly #scale: { readonly mean: number; readonly deviation: number };
  readonly split: Split;
  #epochs = 0;
  #best: { readonly epoch: number; readonly error: number; readonly network: CostNetwork };

  constructor(data: CostData, options: TrainingOptions) {
    this.#data = data;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.split = splitOf(data.sets.length, this.#random);
    const seen = new Set(this.split.train.flatMap((s) => this.#set(s).tables));
    this.#features = featuresOver(
      [...seen].map((t) => data.tables[t] as NetworkTable),
      options.kind,
    );
    this.#inputs = new Float64Array(data.tables.length * this.#features.length);
    for (const [t, table] of data.tables.entries()) {
      writeFeatures(table, options.kind, this.#features, this.#inputs, t * this.#features.length);
    }
    this.#scale = scaleOf(this.split.train.map((s) => this.#set(s).cost));
    this.#network = CostNetwork.drawn(this.#features.length, this.#random);
    if (options.kind === "neural-convex") this.#network.head[1].weights.values.forEach(toAbsolute);
    this.#adam = new Adam(this.#network.parameters(), GRADIENT_CLIP);
    this.#best = { epoch: 0, error: this.#validationError(), network: this.#network.copy() };
  }

  /** The epochs that are over. */
  get epochs(): number {
    return this.#epochs;
  }

  /** One pass over the training sets, in a new order. */
  epoch(): Epoch {
    const { train } = this.split;
    const order = shuffled(train, this.#random);
    const updates = Math.ceil(train.length / BATCH);
    for (let update = 0; update < updates; update++) {
      const progress = (this.#epochs + update / updates) / this.#options.epochs;
      this.#update(order.slice(update * BATCH, (update + 1) * BATCH), Math.min(progress, 1));
    }
    this.#epochs++;
    const error = this.#validationError();
    if (error < this.#best.error) this.#best = { epoch: this.#epochs, error, network: this.#network.copy() };
    return { epoch: this.#epochs, validationError: error, bestError: this.#best.error };
  }

  /** The network of the epoch with the smallest error on the validation sets, in milliseconds, and its fit. */
  best(): TrainedNetwork & { readonly epoch: number; readonly fits: SplitFits } {
    const network = this.#best.network.copy();
    toMilliseconds(network, this.#scale);
    for (const { values } of network.parameters()) values.forEach(rounded);
    const fitted = (sets: readonly number[]) =>
      fitOf(
        sets.map((s) => this.#set(s).cost),
        sets.map((s) => network.forward(this.#batch([s]))[0] as number),
      );
    const { train, validation, test } = this.split;
    return {
      kind: this.#options.kind,
      features: this.#features,
      network,
      epoch: this.#best.epoch,
      fits: { train: fitted(train), validation: fitted(validation), test: fitted(test) },
    };
  }

  #update(sets: readonly number[], progress: number): void {
    const batch = this.#batch(sets);
    const costs = this.#network.forward(batch);
    const gradients = Float64Array.from(sets, (s, i) => (2 / sets.length) * ((costs[i] as number) - this.#target(s)));
    this.#network.backward(batch, gradients);
    this.#adam.step((LEARNING_RATE * (1 + Math.cos(Math.PI * progress))) / 2);
    this.#project();
  }

  /** What keeps the head convex: a sum of convex functions of the representations, none of them taken negatively. */
  #project(): void {
    if (this.#options.kind === "neural-convex") this.#network.head[1].weights.values.forEach(atLeastZero);
  }

  #validationError(): number {
    const { validation } = this.split;
    const costs = this.#network.forward(this.#batch(validation));
    const squares = validation.reduce((sum, s, i) => sum + ((costs[i] as number) - this.#target(s)) ** 2, 0);
    return (squares / validation.length) * this.#scale.deviation ** 2;
  }

  #batch(sets: readonly number[]): SetBatch {
    const width = this.#features.length;
    const starts = new Int32Array(sets.length + 1);
    for (const [i, s] of sets.entries()) starts[i + 1] = (starts[i] as number) + this.#set(s).tables.length;
    const features = new Float64Array((starts[sets.length] as number) * width);
    let at = 0;
    for (const s of sets) {
      for (const t of this.#set(s).tables) {
        features.set(this.#inputs.subarray(t * width, (t + 1) * width), at);
        at += width;
      }
    }
    return { sets: sets.length, starts, features };
  }

  #set(s: number): MeasuredSet {
    return this.#data.sets[s] as MeasuredSet;
  }

  #target(s: number): number {
    return (this.#set(s).cost - this.#scale.mean) / this.#scale.deviation;
  }
}

function splitOf(sets: number, random: Random): Split {
  const order = shuffled([...Array(sets).keys()], random);
  const [train, validation] = [Math.floor(0.8 * sets), Math.floor(0.9 * sets)];
  return { train: order.slice(0, train), validation: order.slice(train, validation), test: order.slice(validation) };
}

/** Fisher and Yates. */
function shuffled(items: readonly number[], random: Random): number[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

function scaleOf(costs: readonly number[]): { mean: number; deviation: number } {
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const variance = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / costs.length;
  return { mean, deviation: variance === 0 ? 1 : Math.sqrt(variance) };
}

/** The last layer is linear: what brings its output back to milliseconds goes into its weights. */
function toMilliseconds({ head }: CostNetwork, { mean, deviation }: { mean: number; deviation: number }): void {
  const [, { weights, biases }] = head;
  for (const [i, weight] of weights.values.entries()) weights.values[i] = deviation * weight;
  biases.values[0] = deviation * (biases.values[0] as number) + mean;
}

/** As written weights are: short, and still far finer than what was learned. */
function rounded(value: number, index: number, values: Float64Array): void {
  values[index] = Number(value.toPrecision(DIGITS));
}

/** Half of the weights as they are drawn are negative: at 0 they would leave their ReLUs without a gradient. */
function toAbsolute(value: number, index: number, values: Float64Array): void {
  values[index] = Math.abs(value);
}

function atLeastZero(value: number, index: number, values: Float64Array): void {
  if (value < 0) values[index] = 0;
}
