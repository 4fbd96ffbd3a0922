import { endianness } from "node:os";

/** NumPy's names of the types that real numbers come in, with their bytes. */
export const FLOAT_BYTES = { "<f2": 2, "<f4": 4, "<f8": 8 } as const;
export type FloatType = keyof typeof FLOAT_BYTES;

/** Files are little-endian. */
export const IS_SWAPPED = endianness() === "BE";

/** Turns a chunk's elements round in place, on a machine that is not little-endian. */
export function turnRound({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>, bytesPerElement: number): void {
  if (!IS_SWAPPED) return;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (bytesPerElement === 2) bytes.swap16();
  else if (bytesPerElement === 4) bytes.swap32();
  else bytes.swap64();
}

/** The elements of a chunk, which begins at offset 0 of its buffer. */
export function floatsOf(type: FloatType, chunk: Uint8Array<ArrayBuffer>): Float32Array | Float64Array {
  const { buffer, byteLength } = chunk;
  turnRound(chunk, FLOAT_BYTES[type]);
  if (type === "<f2") return Float32Array.from(new Uint16Array(buffer, 0, byteLength / 2), fromHalf);
  return type === "<f4" ? new Float32Array(buffer, 0, byteLength / 4) : new Float64Array(buffer, 0, byteLength / 8);
}

/** The number that a half precision one is: a sign, five bits of exponent, ten of fraction (IEEE 754 binary16). */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
