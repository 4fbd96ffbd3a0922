import { InputError } from "../../errors/input-error.js";
import { fileChunks } from "../../instance/file-chunks.js";
import { FLOAT_BYTES, floatsOf } from "../npy/floats.js";
import { readNpyLayout } from "../npy/layout.js";

/**
 * An F × F matrix of float16, float32 or float64 in a NumPy array file, by rows; a file in Fortran order is transposed. Throws
 * `InputError` for any other file or shape.
 */
export async function readNpyMatrix(path: string, features: number): Promise<Float64Array> {
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
