import { endianness } from "node:os";

/** NumPy's names of the types that real numbers come in, with their bytes. */
export const FLOAT_BYTES = { "<f4": 4, "<f8": 8 } as const;
export type FloatType = keyof typeof FLOAT_BYTES;

/** The file is little-endian; on another machine a chunk's elements are turned round in place. */
const IS_SWAPPED = endianness() === "BE";

/** The elements of a chunk, which begins at offset 0 of its buffer. */
export function floatsOf(type: FloatType, chunk: Uint8Array<ArrayBuffer>): Float32Array | Float64Array {
  const { buffer, byteLength } = chunk;
  if (IS_SWAPPED) {
    const bytes = Buffer.from(buffer, 0, byteLength);
    if (type === "<f4") bytes.swap32();
    else bytes.swap64();
  }
  return type === "<f4" ? new Float32Array(buffer, 0, byteLength / 4) : new Float64Array(buffer, 0, byteLength / 8);
}
