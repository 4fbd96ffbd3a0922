import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../../errors/input-error.js";

/** NumPy's names of the types that counts come in, with their bytes. */
const ELEMENT_BYTES = { "<u4": 4, "<i4": 4, "<u8": 8, "<i8": 8, "<f8": 8 } as const;

export type ElementType = keyof typeof ELEMENT_BYTES;

/** Where the counts of an array file are. */
export interface NpyHeader {
  readonly type: ElementType;
  readonly bytesPerElement: number;
  /** Elements. */
  readonly length: number;
  /** Bytes before the first element. */
  readonly offset: number;
}

const MOST_HEADER_BYTES = 1 << 20;

/**
 * The header of a NumPy array file (formats 1.0 to 3.0 of numpy.lib.format) with one dimension of little-endian uint32,
 * int32, uint64, int64 or float64.
 *
 * Throws `InputError` for any other file, for a length that is not the file's, and for more elements than `tableRows`.
 */
export async function readNpyHeader(path: string, tableRows: number): Promise<NpyHeader> {
  const file = await open(path, "r");
  try {
    const header = await readHeader(file, path);
    const { length, offset, bytesPerElement } = header;
    if (length > tableRows) {
      throw new InputError(
        `expected at most ${tableRows} rows, the table's, received ${length}; correct one of both`,
        path,
      );
    }
    const { size } = await file.stat();
    if (size - offset !== length * bytesPerElement) {
      const message = `expected ${length * bytesPerElement} bytes of data after the header, received ${size - offset}; the file is cut off or not an array file`;
      throw new InputError(message, path);
    }
    return header;
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, path: string): Promise<NpyHeader> {
  const preamble = Buffer.alloc(12);
  const { bytesRead } = await file.read(preamble, 0, 12, 0);
  if (bytesRead < 12 || preamble.toString("latin1", 0, 6) !== "\x93NUMPY") {
    throw new InputError("expected a NumPy array file, received something else; write it with numpy.save", path);
  }
  const isOld = preamble[6] === 1;
  const offset = isOld ? 10 : 12;
  const bytes = isOld ? preamble.readUInt16LE(8) : preamble.readUInt32LE(8);
  if (bytes > MOST_HEADER_BYTES)
    throw new InputError(`expected a header of a few hundred bytes, received ${bytes}`, path);
  const header = Buffer.alloc(bytes);
  const { bytesRead: headerRead } = await file.read(header, 0, bytes, offset);
  if (headerRead < bytes) throw new InputError("the file ends too early; write it again", path);
  return { ...describe(header.toString("utf8"), path), offset: offset + bytes };
}

/** Reads the Python dictionary of the header: {'descr': '<u4', 'fortran_order': False, 'shape': (3,), }. */
function describe(header: string, path: string): Omit<NpyHeader, "offset"> {
  const type = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  if (type === undefined || !isElementType(type)) {
    const known = Object.keys(ELEMENT_BYTES).join(", ");
    const message = `expected elements of one of ${known}, received ${type ?? "a record"}; convert with astype`;
    throw new InputError(message, path);
  }
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1];
  const length = /^\s*(\d+)\s*,\s*$/.exec(shape ?? "")?.[1];
  if (length === undefined) {
    throw new InputError(`expected one dimension, received the shape (${shape ?? "?"}); convert with ravel`, path);
  }
  if (!/'fortran_order'\s*:\s*False/.test(header)) {
    throw new InputError("expected C order, received fortran_order; convert with ascontiguousarray", path);
  }
  return { type, bytesPerElement: ELEMENT_BYTES[type], length: Number(length) };
}

function isElementType(type: string): type is ElementType {
  return Object.hasOwn(ELEMENT_BYTES, type);
}
