import type { ExchangeFeature } from "./exchange-problem.js";
import type { Packet, Shard } from "./layout.js";
import type { Run } from "./run.js";

/** Vectors of some samples, one array per shard or feature: samples × columns, sample after sample. */
export type Block = readonly Float32Array[];

export function blockElements(block: Block): number {
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
