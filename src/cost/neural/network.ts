import type { Random } from "../../exact/random.js";
import { Dense, type Parameters } from "./dense.js";
import { Mlp } from "./mlp.js";

/** Widths of the layers (AutoShard, appendix C.1): of a table 128 and 32, of a set 64 and 1. */
export const TABLE_HIDDEN = 128;
export const REPRESENTATION = 32;
export const HEAD_HIDDEN = 64;

/** Sets of tables in one batch: the features of all tables, one table after the other, set by set. */
export interface SetBatch {
  readonly sets: number;
  /** Set s has the tables `starts[s]` … `starts[s + 1] − 1`. */
  readonly starts: Int32Array;
  /** tables × features, normalised. */
  readonly features: Float64Array;
}

/**
 * The cost network of AutoShard (Zha et al., KDD 2022, section 4.2 and appendix C.1), which NeuroShard shares: a table's features
 * pass two layers with ReLU (features → 128 → 32); the representations of the tables of a set are added up; two more layers
 * (32 → 64 with ReLU → 1) make the cost of the set. Adding up makes it indifferent to the order of the tables.
 */
export class CostNetwork {
  readonly table: readonly [Dense, Dense];
  readonly head: readonly [Dense, Dense];
  readonly #ofTable: Mlp;
  readonly #ofSet: Mlp;

  constructor(table: readonly [Dense, Dense], head: readonly [Dense, Dense]) {
    this.table = table;
    this.head = head;
    this.#ofTable = new Mlp(table, false);
    this.#ofSet = new Mlp(head, true);
  }

  /** A network of the paper's widths before training, as the random numbers have it. */
  static drawn(features: number, random: Random): CostNetwork {
    return ofPaper(features, (inputs, outputs) => Dense.drawn(inputs, outputs, random));
  }

  /** A network of its own with the same parameters. */
  copy(): CostNetwork {
    const copied = ofPaper(this.table[0].inputs, (inputs, outputs) => new Dense(inputs, outputs));
    const own = this.parameters();
    for (const [p, { values }] of copied.parameters().entries()) values.set((own[p] as Parameters).values);
    return copied;
  }

  layers(): readonly [Dense, Dense, Dense, Dense] {
    return [...this.table, ...this.head];
  }

  parameters(): readonly Parameters[] {
    return this.layers().flatMap((layer) => layer.parameters());
  }

  /** The costs of the sets of a batch, one number each; the array is the network's and lives until the next pass. */
  forward({ sets, starts, features }: SetBatch): Float64Array {
    const representations = this.#represent(features, starts[sets] as number);
    this.#ofSet.reserve(sets);
    const sums = this.#ofSet.input.fill(0, 0, sets * REPRESENTATION);
    for (let s = 0; s < sets; s++) {
      for (let t = starts[s] as number; t < (starts[s + 1] as number); t++) {
        for (let i = 0; i < REPRESENTATION; i++) {
          const at = s * REPRESENTATION + i;
          sums[at] = (sums[at] as number) + (representations[t * REPRESENTATION + i] as number);
        }
      }
    }
    this.#ofSet.forward(0, sets);
    return this.#ofSet.output;
  }

  /** Adds the gradients of all parameters, given that of the costs; follows a {@link forward} of the same batch. */
  backward({ sets, starts }: SetBatch, costGradients: Float64Array): void {
    this.#ofSet.backward(costGradients, sets, true);
    const dSums = this.#ofSet.inputGradient;
    const dRepresentations = new Float64Array((starts[sets] as number) * REPRESENTATION);
    for (let s = 0; s < sets; s++) {
      const ofSet = dSums.subarray(s * REPRESENTATION, (s + 1) * REPRESENTATION);
      for (let t = starts[s] as number; t < (starts[s + 1] as number); t++) {
        dRepresentations.set(ofSet, t * REPRESENTATION);
      }
    }
    this.#ofTable.backward(dRepresentations, starts[sets] as number, false);
  }

  /** The representations of tables, tables × 32, from their normalised features; a copy. */
  represent(features: Float64Array, tables: number): Float64Array {
    return this.#represent(features, tables).slice(0, tables * REPRESENTATION);
  }

  /** The cost of a set whose representations add up to `sum`. */
  evaluate(sum: Float64Array): number {
    this.#ofSet.reserve(1);
    this.#ofSet.input.set(sum);
    this.#ofSet.forward(0, 1);
    return this.#ofSet.output[0] as number;
  }

  #represent(features: Float64Array, tables: number): Float64Array {
    this.#ofTable.reserve(tables);
    this.#ofTable.input.set(features);
    this.#ofTable.forward(0, tables);
    return this.#ofTable.output;
  }
}

function ofPaper(features: number, layer: (inputs: number, outputs: number) => Dense): CostNetwork {
  return new CostNetwork(
    [layer(features, TABLE_HIDDEN), layer(TABLE_HIDDEN, REPRESENTATION)],
    [layer(REPRESENTATION, HEAD_HIDDEN), layer(HEAD_HIDDEN, 1)],
  );
}
