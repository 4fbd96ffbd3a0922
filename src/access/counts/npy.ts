import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";
import { CountTally } from "./tally.js";

interface ElementType {
  readonly bytes: number;
  readonly read: (view: DataView, offset: number) => number;
}

/** NumPy's names of the types that counts come in. */
const ELEMENT_TYPES: Readonly<Record<string, ElementType>> = {
  "<u4": { bytes: 4, read: (view, offset) => view.getUint32(offset, true) },
  "<i4": { bytes: 4, read: (view, offset) => view.getInt32(offset, true) },
  "<u8": { bytes: 8, read: (view, offset) => wide(view.getUint32(offset + 4, true), view.getUint32(offset, true)) },
  "<i8": { bytes: 8, read: (view, offset) => wide(view.getInt32(offset + 4, true), view.getUint32(offset, true)) },
  "<f8": { bytes: 8, read: (view, offset) => view.getFloat64(offset, true) },
};

const CHUNK_BYTES = 1 << 20;

/**
 * Counts of accesses from a NumPy array file (formats 1.0 to 3.0 of numpy.lib.format): one dimension, one element per
 * row, little-endian uint32, int32, uint64, int64 or float64. Reads in chunks.
 *
 * Throws `InputError` for any other file, for a length that is not the header's, for more rows than `tableRows`, and for
 * a count that is negative, not a number, or above 2^53 − 1.
 */
export async function readNpyCounts(path: string, tableRows: number): Promise<CountTally> {
  const file = await open(path, "r");
  try {
    const { type, length, offset } = await readHeader(file, path);
    if (length > tableRows) {
      throw new InputError(
        `expected at most ${tableRows} rows, the table's, received ${length}; correct one of both`,
        path,
      );
    }
    const { size } = await file.stat();
    if (size - offset !== length * type.bytes) {
      const message = `expected ${length * type.bytes} bytes of data after the header, received ${size - offset}; the file is cut off or not an array file`;
      throw new InputError(message, path);
    }
    const tally = new CountTally();
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let done = 0; done < length; ) {
      const elements = Math.min(length - done, CHUNK_BYTES / type.bytes);
      const view = await readFully(file, buffer, elements * type.bytes, offset + done * type.bytes, path);
      for (let index = 0; index < elements; index++) {
        const count = type.read(view, index * type.bytes);
        if (!(count >= 0 && count <= Number.MAX_SAFE_INTEGER)) {
          const message = `element ${done + index}: expected a count from 0 to 2^53 − 1, received ${count}; correct the file`;
          throw new InputError(message, path);
        }
        tally.add(count);
      }
      done += elements;
    }
    return tally;
  } finally {
    await file.close();
  }
}

async function readHeader(
  file: FileHandle,
  path: string,
): Promise<{ type: ElementType; length: number; offset: number }> {
  const preamble = Buffer.alloc(12);
  const { bytesRead } = await file.read(preamble, 0, 12, 0);
  if (bytesRead < 12 || preamble.toString("latin1", 0, 6) !== "\x93NUMPY") {
    throw new InputError("expected a NumPy array file, received something else; write it with numpy.save", path);
  }
  const isOld = preamble[6] === 1;
  const offset = isOld ? 10 : 12;
  const bytes = isOld ? preamble.readUInt16LE(8) : preamble.readUInt32LE(8);
  if (bytes > CHUNK_BYTES) throw new InputError(`expected a header of a few hundred bytes, received ${bytes}`, path);
  const header = Buffer.alloc(bytes);
  await readFully(file, header, bytes, offset, path);
  return { ...describe(header.toString("utf8"), path), offset: offset + bytes };
}

/** Reads the Python dictionary of the header: {'descr': '<u4', 'fortran_order': False, 'shape': (3,), }. */
function describe(header: string, path: string): { type: ElementType; length: number } {
  const descriptor = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  const type = descriptor === undefined ? undefined : ELEMENT_TYPES[descriptor];
  if (!type) {
    const known = Object.keys(ELEMENT_TYPES).join(", ");
    throw new InputError(
      `expected elements of one of ${known}, received ${descriptor ?? "a record"}; convert with astype`,
      path,
    );
  }
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1];
  const length = /^\s*(\d+)\s*,\s*$/.exec(shape ?? "")?.[1];
  if (length === undefined) {
    throw new InputError(`expected one dimension, received the shape (${shape ?? "?"}); convert with ravel`, path);
  }
  if (!/'fortran_order'\s*:\s*False/.test(header)) {
    throw new InputError("expected C order, received fortran_order; convert with ascontiguousarray", path);
  }
  return { type, length: Number(length) };
}

async function readFully(
  file: FileHandle,
  buffer: Buffer,
  bytes: number,
  position: number,
  path: string,
): Promise<DataView> {
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, position + done);
    if (bytesRead === 0) throw new InputError("the file ends too early; write it again", path);
    done += bytesRead;
  }
  return new DataView(buffer.buffer, buffer.byteOffset, bytes);
}

function wide(high: number, low: number): number {
  return high * 2 ** 32 + low;
}
