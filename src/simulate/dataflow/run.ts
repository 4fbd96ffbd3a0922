import { type Random, seededRandom } from "../../exact/random.js";
import type { ExchangeFeature, ExchangeProblem } from "./exchange-problem.js";
import { type Layout, layoutOf, type Packet, type Shard, shardsByFeature, shardsByRank, Wires } from "./layout.js";

/** Vectors of some samples, one array per shard or feature: samples × columns, sample after sample. */
export type Block = readonly Float32Array[];

function blockElements(block: Block): number {
  return block.reduce((sum, array) => sum + array.length, 0);
}

/**
 * A feature's vectors (samples × dim) from what its shards made of them, each in its owner's block: columns beside one another, and
 * sums of row-wise shards added in the order of the shards.
 */
export function assemble(run: Run, feature: number, blockOf: (owner: number) => Block): Float32Array {
  const samples = run.problem.localBatch;
  const { dim } = run.features[feature] as ExchangeFeature;
  const whole = new Float32Array(samples * dim);
  for (const shard of run.byFeature[feature] as readonly Shard[]) {
    const { owner, firstColumn, columns } = shard;
    const part = blockOf(owner)[(run.byRank[owner] as readonly Shard[]).indexOf(shard)] as Float32Array;
    for (let sample = 0; sample < samples; sample++) {
      for (let column = 0; column < columns; column++) {
        const place = sample * dim + firstColumn + column;
        whole[place] = (whole[place] as number) + (part[sample * columns + column] as number);
      }
    }
  }
  return whole;
}

/** The columns of a feature's vectors (samples × dim) that a shard holds. */
export function sliced({ firstColumn, columns }: Shard, whole: Float32Array, samples: number): Float32Array {
  return columnsOf(whole, samples, firstColumn, columns);
}

/** Features' vectors beside one another: samples × Σ dims, from arrays of samples × dim each. */
export function besideOneAnother(block: Block, samples: number): Float32Array {
  const width = blockElements(block) / samples;
  const result = new Float32Array(samples * width);
  let first = 0;
  for (const array of block) {
    const dim = array.length / samples;
    for (let sample = 0; sample < samples; sample++) {
      result.set(array.subarray(sample * dim, (sample + 1) * dim), sample * width + first);
    }
    first += dim;
  }
  return result;
}

/** The opposite: one array per feature of the given dims. */
export function apart(vectors: Float32Array, samples: number, dims: readonly number[]): Block {
  let first = 0;
  return dims.map((dim) => {
    const array = columnsOf(vectors, samples, first, dim);
    first += dim;
    return array;
  });
}

function columnsOf(vectors: Float32Array, samples: number, first: number, columns: number): Float32Array {
  const width = vectors.length / samples;
  const result = new Float32Array(samples * columns);
  for (let sample = 0; sample < samples; sample++) {
    const start = sample * width + first;
    result.set(vectors.subarray(start, start + columns), sample * columns);
  }
  return result;
}

/** (rows, columns) to (columns, rows); said how many columns, since there may be no row. */
export function transposed<T>(grid: readonly (readonly T[])[], columns: number): T[][] {
  return Array.from({ length: columns }, (_, column) => grid.map((row) => row[column] as T));
}

/** Vectors on their way. */
export function packetOf({ elementBytes }: Run, block: Block): Packet<Block> {
  return { content: block, bytes: blockElements(block) * elementBytes };
}

/** Bytes of the vectors of some blocks. */
export function bytesOf(run: Run, blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + packetOf(run, block).bytes, 0);
}

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
  const features = towers.flatMap((tower) => tower.features);
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
    features: problem.towers.flatMap(({ features }) => features),
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
