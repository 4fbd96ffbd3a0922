/**
 * How far an entry may be from what it should be: matrices that were computed or written in single precision (24 bits)
 * are symmetric, and have ones on the diagonal, only so far.
 */
export const INTERACTION_ROUNDING = 1e-6;

/** An F × F matrix as it was read: row i, column j. */
export type InteractionEntries = (row: number, column: number) => number;

/** What is wrong with an entry: what was expected, what was received, what to do. */
export interface InteractionFault {
  readonly row: number;
  readonly column: number;
  readonly message: string;
}

/**
 * The first thing that keeps a matrix from being an interaction matrix, `null` where nothing does: entries from 0 to 1, ones
 * on the diagonal (a feature is like itself), equal on both sides of it; each up to {@link INTERACTION_ROUNDING}.
 */
export function interactionFault(names: readonly string[], entries: InteractionEntries): InteractionFault | null {
  const named = (k: number) => JSON.stringify(names[k]);
  for (let row = 0; row < names.length; row++) {
    for (let column = 0; column < names.length; column++) {
      const value = entries(row, column);
      if (!(value >= -INTERACTION_ROUNDING && value <= 1 + INTERACTION_ROUNDING)) {
        const message = `expected an interaction from 0 to 1 (of ${named(row)} and ${named(column)}), received ${value}; correct it`;
        return { row, column, message };
      }
      if (row === column && Math.abs(value - 1) > INTERACTION_ROUNDING) {
        const message = `expected 1 on the diagonal (${named(row)} with itself), received ${value}; interactions, not distances, are wanted`;
        return { row, column, message };
      }
      if (column >= row) continue;
      const mirrored = entries(column, row);
      if (Math.abs(value - mirrored) <= INTERACTION_ROUNDING) continue;
      const message = `expected ${mirrored}, as entry [${column}][${row}] (${named(column)} and ${named(row)}) has it, because interactions are symmetric, received ${value}; correct one of the two`;
      return { row, column, message };
    }
  }
  return null;
}

/**
 * The matrix that is computed with, F × F by rows: the mean of the two entries of a pair, brought into [0, 1], and ones
 * on the diagonal. Of a matrix that is exactly symmetric, every entry is as it was.
 */
export function symmetricInteraction(features: number, entries: InteractionEntries): Float64Array {
  const matrix = new Float64Array(features * features);
  for (let row = 0; row < features; row++) {
    matrix[row * features + row] = 1;
    for (let column = 0; column < row; column++) {
      const mean = (entries(row, column) + entries(column, row)) / 2;
      // Adding 0 turns −0 into 0.
      const value = Math.min(1, Math.max(0, mean)) + 0;
      matrix[row * features + column] = value;
      matrix[column * features + row] = value;
    }
  }
  return matrix;
}
