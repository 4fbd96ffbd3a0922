import type { Feature, NetworkKind } from "./features.js";
import type { CostNetwork } from "./network.js";

/** A network with how its inputs are made: all that predictions need. Its costs are in milliseconds. */
export interface TrainedNetwork {
  readonly kind: NetworkKind;
  /** In the order of the network's inputs. */
  readonly features: readonly Feature[];
  readonly network: CostNetwork;
}
