import { type Random, seededRandom } from "../../exact/random.js";
import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";

/** The arrays of a model and of one iteration, as a single machine would hold them. */
export interface ModelData {
  /** By feature: rows × dim, row after row. */
  readonly tables: readonly Float32Array[];
  /** By rank and feature: localBatch × hotness ids, sample after sample. */
  readonly ids: readonly (readonly Int32Array[])[];
  /** By tower: outputDim × (elements of its embeddings), entries −1, 0 and 1; `null` where it has no module. */
  readonly modules: readonly (Float32Array | null)[];
  /** By rank and tower: localBatch × (elements that the tower puts out). */
  readonly gradients: readonly (readonly Float32Array[])[];
}

/** Features of all towers, tower after tower. */
export function allFeatures({ towers }: Pick<ExchangeProblem, "towers">): readonly ExchangeFeature[] {
  return towers.flatMap(({ features }) => features);
}

/** Elements per sample of a tower's embeddings. */
export function embeddingWidth(features: readonly ExchangeFeature[]): number {
  return features.reduce((sum, { dim }) => sum + dim, 0);
}

/**
 * Seeded tables, ids and gradients. The ids of a rank and feature are dealt from shuffled decks of all rows, so that in
 * localBatch·hotness reads every row comes equally often, within one: loads of row-wise shards do not hang on luck.
 */
export function modelData(problem: ExchangeProblem): ModelData {
  const { seed, ranks, towers, localBatch, values = "integers" } = problem;
  const random = seededRandom(seed);
  const value = values === "integers" ? () => random.integer(17) - 8 : () => 2 * random.next() - 1;
  const filled = (length: number) => Float32Array.from({ length }, value);
  const features = allFeatures(problem);
  const tables = features.map(({ rows, dim }) => filled(rows * dim));
  const ids = Array.from({ length: ranks }, () =>
    features.map(({ rows, hotness }) => dealt(localBatch * hotness, rows, random)),
  );
  const modules = towers.map(({ features: ofTower, outputDim }) =>
    outputDim === undefined
      ? null
      : Float32Array.from({ length: outputDim * embeddingWidth(ofTower) }, () => random.integer(3) - 1),
  );
  const widths = towers.map(({ features: ofTower, outputDim }) => outputDim ?? embeddingWidth(ofTower));
  const gradients = ids.map(() => widths.map((width) => filled(localBatch * width)));
  return { tables, ids, modules, gradients };
}

function dealt(length: number, rows: number, random: Random): Int32Array {
  const ids = new Int32Array(length);
  const deck = Int32Array.from({ length: rows }, (_, row) => row);
  for (let k = 0; k < length; k++) {
    const place = k % rows;
    // Fisher and Yates's shuffle, card by card.
    const other = place + random.integer(rows - place);
    const card = deck[other] as number;
    deck[other] = deck[place] as number;
    deck[place] = card;
    ids[k] = card;
  }
  return ids;
}
