import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { fileChunks } from "../../instance/file-chunks.js";
import { resolveBeside } from "../../instance/load.js";
import { type InteractionEntries, interactionFault, symmetricInteraction } from "../../instance/types/interaction.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { FLOAT_BYTES, floatsOf } from "../npy/floats.js";
import { readNpyLayout } from "../npy/layout.js";
import { readCsvMatrix } from "./csv.js";

/**
 * The interactions of an instance's features, F × F by rows, in [0, 1], symmetric, ones on the diagonal: as the instance
 * has them, or from the file that it names (.csv: see {@link readCsvMatrix}; .npy: float16, float32 or float64). Entries of a pair
 * that differ by the rounding of single precision are replaced by their mean (see `symmetricInteraction`).
 *
 * Throws `InputError` when the file cannot be read, is malformed, or is no interaction matrix.
 */
export async function towerInteraction(instance: TowerPartitionInstance): Promise<Float64Array> {
  const { interaction, features, file } = instance;
  if (interaction.kind === "given") {
    return symmetricInteraction(features.length, (row, column) => interaction.rows[row]?.[column] as number);
  }
  const path = resolveBeside(file, interaction.file);
  const { entry, fail } = await readMatrix(path, features).catch((error: unknown) => {
    if (error instanceof InputError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw fileError(error, path, "a matrix that can be read", { advice: "check the path" });
  });
  const fault = interactionFault(features, entry);
  if (fault !== null) fail(fault.row, fault.column, fault.message);
  return symmetricInteraction(features.length, entry);
}

interface ReadMatrix {
  readonly entry: InteractionEntries;
  readonly fail: (row: number, column: number, message: string) => never;
}

/** The instance's reader has made sure that the name ends in one of the two. */
async function readMatrix(path: string, features: readonly string[]): Promise<ReadMatrix> {
  if (/\.csv$/i.test(path)) return readCsvMatrix(path, features);
  const entries = await readNpyMatrix(path, features.length);
  return {
    entry: (row, column) => entries[row * features.length + column] as number,
    fail: (row, column, message) => {
      throw new InputError(`entry [${row}][${column}]: ${message}`, path);
    },
  };
}

/**
 * An F × F matrix of float16, float32 or float64 in a NumPy array file, by rows; a file in Fortran order is transposed. Throws
 * `InputError` for any other file or shape.
 */
async function readNpyMatrix(path: string, features: number): Promise<Float64Array> {
  const { type, bytesPerElement, offset, isFortran } = await readNpyLayout(path, {
    elementBytes: FLOAT_BYTES,
    takesFortran: true,
    checkShape: (shape, text) => {
      if (shape?.length === 2 && shape.every((length) => length === features)) return;
      const message = `expected the shape (${features}, ${features}), one row for each feature, received (${text}); correct features or the file`;
      throw new InputError(message, path);
    },
  });
  const entries = new Float64Array(features * features);
  let done = 0;
  for await (const chunk of fileChunks(path, offset, offset + entries.length * bytesPerElement)) {
    const values = floatsOf(type, chunk);
    entries.set(values, done);
    done += values.length;
  }
  return isFortran ? transposed(entries, features) : entries;
}

function transposed(columns: Float64Array, size: number): Float64Array {
  return columns.map((_, k) => columns[(k % size) * size + Math.floor(k / size)] as number);
}
