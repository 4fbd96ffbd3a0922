import type { CostData } from "../../cost/neural/cost-data.js";
import type { NetworkKind } from "../../cost/neural/features.js";
import type { TrainedNetwork } from "../../cost/neural/trained-network.js";
import type { WeightsOrigin } from "../../cost/neural/weights.js";
import type { LearnedCost } from "../show/learned-cost.js";

export interface LearnCostOptions {
  readonly out: string;
  readonly kind?: NetworkKind;
  readonly epochs?: number;
  readonly seed?: number;
  /** The sets arrive one by one, line by line. */
  readonly stream?: boolean;
  readonly buffer?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What was learned, and from what. */
export interface Learned {
  readonly data: Pick<CostData, "file" | "sha256" | "source" | "tables">;
  readonly trained: TrainedNetwork;
  readonly origin: Omit<WeightsOrigin, "data" | "sha256" | "source" | "seed">;
  /** What the result has beside the origin. */
  readonly asked: Pick<LearnedCost, "askedEpochs" | "stream">;
  /** Sets that were there, for learning, choosing and testing. */
  readonly sets: number;
  readonly isWhole: boolean;
}
