import type { NetworkTable } from "./features.js";
import { REPRESENTATION } from "./network.js";
import { representationsOf, type TrainedNetwork } from "./trained-network.js";

/** Representations are whole multiples of this. */
const GRAIN = 2 ** -24;

/**
 * The costs that a network predicts for sets of some tables (or parts of tables). The representation of each is computed
 * once, and rounded to a multiple of 2⁻²⁴: sums of such numbers are exact in doubles (below 2²⁹), so that a set's cost is the
 * same to the last bit in whatever order its tables come.
 */
export class Predictor {
  readonly #network: TrainedNetwork["network"];
  readonly #representations: Float64Array;
  readonly #sum = new Float64Array(REPRESENTATION);

  constructor(trained: TrainedNetwork, tables: readonly NetworkTable[]) {
    this.#network = trained.network;
    this.#representations = representationsOf(trained, tables).map((value) => Math.round(value / GRAIN) * GRAIN);
  }

  /** Milliseconds of a set of tables, by index; 0 for none. */
  cost(tables: readonly number[]): number {
    if (tables.length === 0) return 0;
    const sum = this.#sum.fill(0);
    const representations = this.#representations;
    for (const t of tables) {
      const at = t * REPRESENTATION;
      for (let i = 0; i < REPRESENTATION; i++) sum[i] = (sum[i] as number) + (representations[at + i] as number);
    }
    return this.#network.evaluate(sum);
  }
}

/** Milliseconds of a device with these tables; 0 for none. A {@link Predictor} is quicker for many sets of some tables. */
export function predictSet(network: TrainedNetwork, tables: readonly NetworkTable[]): number {
  return new Predictor(network, tables).cost([...tables.keys()]);
}
