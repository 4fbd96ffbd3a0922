import type { CostData, Split } from "../../cost/neural/cost-data.js";
import type { SplitFits } from "../../cost/neural/learner.js";
import { Training } from "../../cost/neural/train.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";

/** What all parts of a reproduction share: how far to go, when to stop, and whom to tell. */
export interface Work {
  /** Of a network that all sets train; those with fewer sets make more, so that all have as many updates. */
  readonly epochs: number;
  /** All measured sets. */
  readonly sets: number;
  /** Random plans per task that speed-ups are measured from: the paper's five runs. */
  readonly randomPlans: number;
  /** Tells what is being done; throws {@link Stopped} once time is up. */
  step(what: string): void;
}

/** Time is up: the part of the reproduction that is under way is left out. */
export class Stopped extends Error {}

/** Of trained networks; the shipped ones are of seed 0, and judge plans that these make. */
const SEED = 1;

/** A network with the parts that its data was parted into, and how well it fits each. */
export interface Trained extends TrainedNetwork {
  readonly split: Split;
  readonly fits: SplitFits;
}

/** A network of AutoShard's kind, trained on measured sets. */
export function trainNetwork(data: CostData, what: string, work: Work): Trained {
  const epochs = Math.round((work.epochs * work.sets) / data.sets.length);
  const training = new Training(data, { kind: "neural", epochs, seed: SEED });
  while (training.epochs < epochs) {
    work.step(`${what}, epoch ${training.epochs + 1} of ${epochs}`);
    training.epoch();
  }
  return { ...training.best(), split: training.split };
}
