import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";
import { type FloatType, floatsOf } from "../npy/floats.js";
import type { NpyLayout } from "../npy/layout.js";

/** Of a file in C order: whole samples, so that progress can be told. */
const BLOCK_BYTES = 1 << 21;

/** Of a file in Fortran order, where every element of a vector is a read of its own: the more samples, the longer each. */
const FORTRAN_BLOCK_BYTES = 1 << 26;

/**
 * The samples of an array of shape (samples, features, elements), in their order: blocks of whole samples in doubles, each a
 * vector for each feature. A block is the caller's only until it asks for another. Throws `InputError` when the file ends
 * too early.
 */
export async function* sampleBlocks(path: string, layout: NpyLayout<FloatType>): AsyncGenerator<Float64Array> {
  const [samples, features, elements] = layout.shape as [number, number, number];
  const size = features * elements;
  const bytes = layout.isFortran ? FORTRAN_BLOCK_BYTES : BLOCK_BYTES;
  const most = Math.min(samples, Math.max(1, Math.floor(bytes / (size * 8))));
  const block = new Float64Array(most * size);
  const file = await open(path, "r");
  try {
    for (let first = 0; first < samples; first += most) {
      const count = Math.min(most, samples - first);
      const read = (element: number, length: number) => readFloats(file, path, layout, element, length);
      if (layout.isFortran) {
        // The samples run fastest, then the features, then the elements.
        for (let feature = 0; feature < features; feature++) {
          for (let element = 0; element < elements; element++) {
            const values = await read(first + samples * (feature + features * element), count);
            const at = feature * elements + element;
            for (let k = 0; k < count; k++) block[k * size + at] = values[k] as number;
          }
        }
      } else block.set(await read(first * size, count * size));
      yield block.subarray(0, count * size);
    }
  } finally {
    await file.close();
  }
}

async function readFloats(
  file: FileHandle,
  path: string,
  { type, bytesPerElement, offset }: NpyLayout<FloatType>,
  element: number,
  length: number,
): Promise<Float32Array | Float64Array> {
  const chunk = new Uint8Array(new ArrayBuffer(length * bytesPerElement));
  for (let done = 0; done < chunk.length; ) {
    const position = offset + element * bytesPerElement + done;
    const { bytesRead } = await file.read(chunk, done, chunk.length - done, position);
    if (bytesRead === 0) throw new InputError("the file ends too early; write it again", path);
    done += bytesRead;
  }
  return floatsOf(type, chunk);
}
