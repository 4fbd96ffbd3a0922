import { InputError } from "../../errors/input-error.js";

/** Element types of the arrays of a remap, by NumPy's names. */
export type NpyType = "|u1" | "<u4" | "<i8";

export const NPY_BYTES: Readonly<Record<NpyType, number>> = { "|u1": 1, "<u4": 4, "<i8": 8 };

/** The header of a NumPy array file (format 1.0 of numpy.lib.format) with one dimension, padded to 64 bytes. */
export function npyHeader(type: NpyType, length: number): Uint8Array {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${length},), }`;
  const padded = 64 * Math.ceil((10 + text.length + 1) / 64);
  const header = Buffer.alloc(padded, " ", "latin1");
  header.write("\x93NUMPY\x01\x00", 0, "latin1");
  header.writeUInt16LE(padded - 10, 8);
  header.write(text, 10, "latin1");
  header.write("\n", padded - 1, "latin1");
  return header;
}

/** Writes numbers as little-endian elements of a type to the front of `bytes`; returns that part. */
export function encode(type: NpyType, numbers: ArrayLike<number>, bytes: Buffer): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = NPY_BYTES[type];
  for (let k = 0; k < numbers.length; k++) {
    const number = numbers[k] as number;
    if (width === 1) view.setUint8(k, number);
    else if (width === 4) view.setUint32(4 * k, number, true);
    else {
      view.setUint32(8 * k, number % 2 ** 32, true);
      view.setUint32(8 * k + 4, Math.floor(number / 2 ** 32), true);
    }
  }
  return bytes.subarray(0, numbers.length * width);
}

/** The inverse of {@link encode}, for numbers of at most 2^53 − 1. */
export function decode(type: NpyType, bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = NPY_BYTES[type];
  return Float64Array.from({ length: bytes.length / width }, (_, k) =>
    width === 1
      ? view.getUint8(k)
      : width === 4
        ? view.getUint32(4 * k, true)
        : view.getUint32(8 * k, true) + view.getUint32(8 * k + 4, true) * 2 ** 32,
  );
}

/** Throws `InputError` unless a file begins with just the header that {@link npyHeader} writes; returns its length. */
export function requireHeader(start: Uint8Array, type: NpyType, length: number, file: string): number {
  const expected = npyHeader(type, length);
  if (Buffer.compare(expected, start.subarray(0, expected.length)) === 0) return expected.length;
  throw new InputError(`expected an array of ${length} elements of ${type}, as the manifest says; export again`, file);
}
