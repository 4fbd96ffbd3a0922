import { type Feature, type NetworkKind, type NetworkTable, writeFeatures } from "./features.js";
import type { CostNetwork } from "./network.js";

/** A network with how its inputs are made: all that predictions need. Its costs are in milliseconds. */
export interface TrainedNetwork {
  readonly kind: NetworkKind;
  /** In the order of the network's inputs. */
  readonly features: readonly Feature[];
  readonly network: CostNetwork;
}

/** The network's inputs for tables, one table after the other. */
export function inputsOf(
  { kind, features }: Pick<TrainedNetwork, "kind" | "features">,
  tables: readonly NetworkTable[],
): Float64Array {
  const inputs = new Float64Array(tables.length * features.length);
  for (const [t, table] of tables.entries()) writeFeatures(table, kind, features, inputs, t * features.length);
  return inputs;
}

/** The representations of tables, tables × 32; a copy. */
export function representationsOf(trained: TrainedNetwork, tables: readonly NetworkTable[]): Float64Array {
  return trained.network.represent(inputsOf(trained, tables), tables.length);
}
