import { type Random, seededRandom } from "../../exact/random.js";
import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";
import { type Layout, layoutOf, type Shard, shardsByFeature, shardsByRank, Wires } from "./layout.js";

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

/** What every step of a simulated exchange needs. */
export interface Run {
  readonly problem: ExchangeProblem;
  readonly layout: Layout;
  readonly data: ModelData;
  readonly features: readonly ExchangeFeature[];
  /** By tower, the first of its features among all; one more at the end. */
  readonly firstFeature: readonly number[];
  readonly byFeature: readonly (readonly Shard[])[];
  readonly byRank: readonly (readonly Shard[])[];
  readonly wires: Wires;
  readonly elementBytes: number;
  readonly idBytes: number;
  readonly lengthBytes: number;
}

/** Throws `RangeError` where the problem does not fit together. */
export function newRun(problem: ExchangeProblem): Run {
  const layout = layoutOf(problem);
  const { elementBytes = 4, idBytes = 8, lengthBytes = 4 } = problem;
  const byFeature = shardsByFeature(problem, layout);
  const firstFeature = [0];
  for (const { features } of problem.towers) firstFeature.push((firstFeature.at(-1) as number) + features.length);
  return {
    problem,
    layout,
    data: modelData(problem),
    features: allFeatures(problem),
    firstFeature,
    byFeature,
    byRank: shardsByRank(byFeature, layout),
    wires: new Wires(layout),
    elementBytes,
    idBytes,
    lengthBytes,
  };
}

/** All ranks. */
export function everyRank({ layout }: Run): readonly number[] {
  return Array.from({ length: layout.ranks }, (_, rank) => rank);
}

/** The features of a tower, among all. */
export function featuresOf({ firstFeature }: Run, tower: number): readonly number[] {
  const first = firstFeature[tower] as number;
  return Array.from({ length: (firstFeature[tower + 1] as number) - first }, (_, k) => first + k);
}

/** The dims of a tower's features. */
export function dimsOf(run: Run, tower: number): readonly number[] {
  return featuresOf(run, tower).map((feature) => (run.features[feature] as ExchangeFeature).dim);
}
