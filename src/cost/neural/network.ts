import type { Random } from "../../exact/random.js";
import { Dense, type Parameters, rectify, rectifyBackward } from "./dense.js";

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
  #work = workspace(0, 0);

  constructor(table: readonly [Dense, Dense], head: readonly [Dense, Dense]) {
    this.table = table;
    this.head = head;
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
    const tables = starts[sets] as number;
    const work = this.#room(tables, sets);
    this.#represent(features, tables);
    work.sums.fill(0, 0, sets * REPRESENTATION);
    for (let s = 0; s < sets; s++) {
      for (let t = starts[s] as number; t < (starts[s + 1] as number); t++) {
        for (let i = 0; i < REPRESENTATION; i++) {
          const at = s * REPRESENTATION + i;
          work.sums[at] = (work.sums[at] as number) + (work.representations[t * REPRESENTATION + i] as number);
        }
      }
    }
    this.#evaluate(sets);
    return work.costs;
  }

  /** Adds the gradients of all parameters, given that of the costs; follows a {@link forward} of the same batch. */
  backward({ sets, starts, features }: SetBatch, costGradients: Float64Array): void {
    const tables = starts[sets] as number;
    const { hidden, representations, sums, headHidden, dHidden, dRepresentations, dSums, dHeadHidden } = this.#work;
    this.head[1].backward(headHidden, costGradients, dHeadHidden, sets);
    rectifyBackward(headHidden, dHeadHidden, sets * HEAD_HIDDEN);
    this.head[0].backward(sums, dHeadHidden, dSums, sets);
    for (let s = 0; s < sets; s++) {
      const ofSet = dSums.subarray(s * REPRESENTATION, (s + 1) * REPRESENTATION);
      for (let t = starts[s] as number; t < (starts[s + 1] as number); t++) {
        dRepresentations.set(ofSet, t * REPRESENTATION);
      }
    }
    rectifyBackward(representations, dRepresentations, tables * REPRESENTATION);
    this.table[1].backward(hidden, dRepresentations, dHidden, tables);
    rectifyBackward(hidden, dHidden, tables * TABLE_HIDDEN);
    this.table[0].backward(features, dHidden, null, tables);
  }

  /** The representations of tables, tables × 32, from their normalised features; a copy. */
  represent(features: Float64Array, tables: number): Float64Array {
    const work = this.#room(tables, 0);
    this.#represent(features, tables);
    return work.representations.slice(0, tables * REPRESENTATION);
  }

  /** The cost of a set whose representations add up to `sum`. */
  evaluate(sum: Float64Array): number {
    const work = this.#room(0, 1);
    work.sums.set(sum);
    this.#evaluate(1);
    return work.costs[0] as number;
  }

  #represent(features: Float64Array, tables: number): void {
    const { hidden, representations } = this.#work;
    this.table[0].forward(features, hidden, tables);
    rectify(hidden, tables * TABLE_HIDDEN);
    this.table[1].forward(hidden, representations, tables);
    rectify(representations, tables * REPRESENTATION);
  }

  #evaluate(sets: number): void {
    const { sums, headHidden, costs } = this.#work;
    this.head[0].forward(sums, headHidden, sets);
    rectify(headHidden, sets * HEAD_HIDDEN);
    this.head[1].forward(headHidden, costs, sets);
  }

  #room(tables: number, sets: number): ReturnType<typeof workspace> {
    const isEnough = tables <= this.#work.tables && sets <= this.#work.sets;
    if (!isEnough) this.#work = workspace(Math.max(tables, this.#work.tables), Math.max(sets, this.#work.sets));
    return this.#work;
  }
}

function ofPaper(features: number, layer: (inputs: number, outputs: number) => Dense): CostNetwork {
  return new CostNetwork(
    [layer(features, TABLE_HIDDEN), layer(TABLE_HIDDEN, REPRESENTATION)],
    [layer(REPRESENTATION, HEAD_HIDDEN), layer(HEAD_HIDDEN, 1)],
  );
}

/** What passes write to, for so many tables and sets; made anew only for more of them. */
function workspace(tables: number, sets: number) {
  const room = (length: number) => new Float64Array(length);
  return {
    tables,
    sets,
    hidden: room(tables * TABLE_HIDDEN),
    representations: room(tables * REPRESENTATION),
    sums: room(sets * REPRESENTATION),
    headHidden: room(sets * HEAD_HIDDEN),
    costs: room(sets),
    dHidden: room(tables * TABLE_HIDDEN),
    dRepresentations: room(tables * REPRESENTATION),
    dSums: room(sets * REPRESENTATION),
    dHeadHidden: room(sets * HEAD_HIDDEN),
  };
}
