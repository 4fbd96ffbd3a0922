/** The ids of some samples: sample after sample, `lengths` of each where they differ. */
export interface Bags {
  readonly ids: Int32Array;
  readonly lengths: Int32Array | null;
}

/** A rectangle of a table of `dim` columns, as `Shard` has it. */
export interface Rectangle {
  readonly firstRow: number;
  readonly firstColumn: number;
  readonly columns: number;
}

/**
 * The embedding bag with sum pooling: for each sample the sum over its ids of the table's rows, columns of the rectangle
 * only, added in single precision in the order of the ids. Samples × columns, sample after sample.
 */
export function lookUp(
  table: Float32Array,
  dim: number,
  { ids, lengths }: Bags,
  samples: number,
  { firstColumn, columns }: Rectangle,
): Float32Array {
  const pooled = new Float32Array(samples * columns);
  let next = 0;
  for (let sample = 0; sample < samples; sample++) {
    const end = next + (lengths === null ? ids.length / samples : (lengths[sample] as number));
    for (; next < end; next++) {
      const row = (ids[next] as number) * dim + firstColumn;
      for (let k = 0; k < columns; k++) {
        // A Float32Array rounds what it is given: every addition is one of single precision.
        pooled[sample * columns + k] = (pooled[sample * columns + k] as number) + (table[row + k] as number);
      }
    }
  }
  return pooled;
}

/** Of fixed bags, the ids whose rows are in [firstRow, firstRow + rows), and how many each sample has left. */
export function bagsWithin(ids: Int32Array, samples: number, firstRow: number, rows: number): Bags {
  const lengths = new Int32Array(samples);
  const hotness = ids.length / samples;
  const kept = ids.filter((id, k) => {
    const isKept = id >= firstRow && id < firstRow + rows;
    if (isKept) lengths[Math.floor(k / hotness)] = (lengths[Math.floor(k / hotness)] as number) + 1;
    return isKept;
  });
  return { ids: kept, lengths };
}
