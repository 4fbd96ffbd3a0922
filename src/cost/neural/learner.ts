import type { Random } from "../../exact/random.js";
import { Adam } from "./adam.js";
import type { MeasuredSet, Split } from "./cost-data.js";
import { type Feature, featuresOver, momentsOf, type NetworkKind, type NetworkTable } from "./features.js";
import { type Fit, fitOf } from "./fit.js";
import { CostNetwork, type SetBatch } from "./network.js";
import { inputsOf, type TrainedNetwork } from "./trained-network.js";

/** AutoShard's (appendix C.2), also PyTorch's default. */
export const LEARNING_RATE = 1e-3;
const GRADIENT_CLIP = 40;

/** Significant digits of weights. */
const DIGITS = 7;

/** The network of a round of learning, and its mean squared error on the sets that choose among rounds, in ms². */
export interface Chosen {
  /** From 1; 0 before the first. */
  readonly round: number;
  readonly error: number;
  readonly network: CostNetwork;
}

/** The fit on each part of the data. */
export type SplitFits = Readonly<Record<keyof Split, Fit>>;

/** What costs are brought to while learning: a mean of 0 and a deviation of 1, in milliseconds. */
export type CostScale = ReturnType<typeof momentsOf>;

/** The scale of some costs, of which there is at least one. */
export function scaleOf(costs: readonly number[]): CostScale {
  const { mean, deviation } = momentsOf(costs);
  return { mean, deviation: deviation === 0 ? 1 : deviation };
}

/**
 * A cost network while it learns measured sets of some tables, whatever order they come in (AutoShard, section 4.2): Adam
 * with the gradient clipped, on the mean squared error of a batch. Inside, costs are on a {@link CostScale}. With the kind
 * `neural-convex` the weights of the last layer are kept from being negative by projection: after each update, those below
 * 0 are set to 0.
 */
export class Learner {
  readonly kind: NetworkKind;
  readonly features: readonly Feature[];
  readonly #network: CostNetwork;
  readonly #adam: Adam;
  readonly #scale: CostScale;
  /** Of all tables, normalised, one table after the other. */
  readonly #inputs: Float64Array;

  /** `start`: {@link drawnStart}, or {@link startFrom}; it learns. */
  constructor(tables: readonly NetworkTable[], start: TrainedNetwork, scale: CostScale) {
    this.kind = start.kind;
    this.features = start.features;
    this.#network = start.network;
    this.#scale = scale;
    this.#adam = new Adam(this.#network.parameters(), GRADIENT_CLIP);
    this.#inputs = inputsOf(start, tables);
  }

  /** One step of Adam on these sets. */
  update(sets: readonly MeasuredSet[], learningRate: number): void {
    const batch = this.#batch(sets);
    const costs = this.#network.forward(batch);
    const gradients = Float64Array.from(
      sets,
      (set, i) => (2 / sets.length) * ((costs[i] as number) - this.#target(set)),
    );
    this.#network.backward(batch, gradients);
    this.#adam.step(learningRate);
    // What keeps the head convex: a sum of convex functions of the representations, none of them taken negatively.
    if (this.kind === "neural-convex") changeLast(this.#network, (weight) => (weight < 0 ? 0 : weight));
  }

  /** Mean squared error of sets, of which there is at least one, in ms². */
  squaredError(sets: readonly MeasuredSet[]): number {
    const costs = this.#network.forward(this.#batch(sets));
    const squares = sets.reduce((sum, set, i) => sum + ((costs[i] as number) - this.#target(set)) ** 2, 0);
    return (squares / sets.length) * this.#scale.deviation ** 2;
  }

  /** The network as it is, which later updates leave alone, with its error on sets; what was chosen `before` where that is no worse. */
  choose(
    round: number,
    sets: readonly MeasuredSet[],
    before?: Chosen,
  ): { readonly best: Chosen; readonly error: number } {
    const error = this.squaredError(sets);
    const isBetter = before === undefined || error < before.error;
    return { best: isBetter ? { round, error, network: this.#network.copy() } : before, error };
  }

  /** The network as it is, or one that was chosen, as it is written: in milliseconds, its weights rounded. */
  trained(chosen: CostNetwork = this.#network): TrainedNetwork {
    const network = chosen.copy();
    rescale(network, this.#scale);
    // As written weights are: short, and still far finer than what was learned.
    for (const { values } of network.parameters()) values.set(values.map((value) => Number(value.toPrecision(DIGITS))));
    return { kind: this.kind, features: this.features, network };
  }

  /** A network that was chosen, as {@link trained} has it, with its fit on each part of the data, none of which is empty. */
  fitted(chosen: Chosen, { train, validation, test }: Record<keyof Split, readonly MeasuredSet[]>) {
    const trained = this.trained(chosen.network);
    const of = (sets: readonly MeasuredSet[]): Fit =>
      fitOf(
        sets.map(({ cost }) => cost),
        sets.map((set) => trained.network.forward(this.#batch([set]))[0] as number),
      );
    const fits: SplitFits = { train: of(train), validation: of(validation), test: of(test) };
    return { ...trained, fits };
  }

  #batch(sets: readonly MeasuredSet[]): SetBatch {
    const width = this.features.length;
    const starts = new Int32Array(sets.length + 1);
    for (const [i, { tables }] of sets.entries()) starts[i + 1] = (starts[i] as number) + tables.length;
    const features = new Float64Array((starts[sets.length] as number) * width);
    let at = 0;
    for (const { tables } of sets) {
      for (const t of tables) {
        features.set(this.#inputs.subarray(t * width, (t + 1) * width), at);
        at += width;
      }
    }
    return { sets: sets.length, starts, features };
  }

  #target({ cost }: MeasuredSet): number {
    return (cost - this.#scale.mean) / this.#scale.deviation;
  }
}

/** Weights as the random numbers have them; features are normalised over the tables `seen`. */
export function drawnStart(seen: readonly NetworkTable[], kind: NetworkKind, random: Random): TrainedNetwork {
  const features = featuresOver(seen, kind);
  const network = CostNetwork.drawn(features.length, random);
  // Half of the weights as they are drawn are negative: at 0 they would leave their ReLUs without a gradient.
  if (kind === "neural-convex") changeLast(network, Math.abs);
  return { kind, features, network };
}

/** A network that predicts milliseconds, on a scale; the given one stays as it is. */
export function startFrom({ network, ...start }: TrainedNetwork, scale: CostScale): TrainedNetwork {
  const own = network.copy();
  rescale(own, { mean: -scale.mean / scale.deviation, deviation: 1 / scale.deviation });
  return { ...start, network: own };
}

/** The last layer is linear: what makes deviation · y + mean of its output y goes into its weights. */
function rescale(network: CostNetwork, { mean, deviation }: CostScale): void {
  const [, { biases }] = network.head;
  changeLast(network, (weight) => deviation * weight);
  biases.values[0] = deviation * (biases.values[0] as number) + mean;
}

/** Changes the weights of the last layer one by one. */
function changeLast({ head: [, { weights }] }: CostNetwork, changed: (weight: number) => number): void {
  weights.values.set(weights.values.map((weight) => changed(weight)));
}
