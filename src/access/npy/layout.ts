import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";

/** Where the elements of an array file are, and what they are. */
export interface NpyLayout<Type extends string> {
  readonly type: Type;
  readonly bytesPerElement: number;
  readonly shape: readonly number[];
  /** Fortran order: the first index runs fastest; otherwise (C order) the last one does. */
  readonly isFortran: boolean;
  /** Bytes before the first element. */
  readonly offset: number;
}

export interface NpyWanted<Type extends string> {
  /** NumPy's names of the types that will do, with their bytes. */
  readonly elementBytes: Readonly<Record<Type, number>>;
  /** Throws `InputError` where the shape is of no use; `text` is what the file has between the brackets. */
  readonly checkShape: (shape: readonly number[] | null, text: string) => void;
  /** Whether the caller can do with Fortran order. */
  readonly takesFortran?: boolean;
}

const MAX_HEADER_BYTES = 1 << 16;

/** With what is before the header. */
export const MAX_START_BYTES = MAX_HEADER_BYTES + 12;

/**
 * The header of a NumPy array file (formats 1.0 to 3.0 of numpy.lib.format) with elements in an order that the caller takes.
 *
 * Throws `InputError` for any other file, for elements of other types, and for a size that is not the file's.
 */
export async function readNpyLayout<Type extends string>(
  path: string,
  wanted: NpyWanted<Type>,
): Promise<NpyLayout<Type>> {
  const file = await open(path, "r");
  try {
    const layout = await readHeader(file, path, wanted);
    const { shape, offset, bytesPerElement } = layout;
    const bytes = shape.reduce((product, length) => product * length, bytesPerElement);
    const { size } = await file.stat();
    if (size - offset !== bytes) {
      const message = `expected ${bytes} bytes of data after the header, received ${size - offset}; the file is cut off or not an array file`;
      throw new InputError(message, path);
    }
    return layout;
  } finally {
    await file.close();
  }
}

async function readHeader<Type extends string>(
  file: FileHandle,
  path: string,
  wanted: NpyWanted<Type>,
): Promise<NpyLayout<Type>> {
  const start = Buffer.alloc(MAX_START_BYTES);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  return npyLayoutOf(start.subarray(0, bytesRead), path, wanted);
}

/** The header at the start of an array file, of which there are {@link MAX_START_BYTES}, or all where it has fewer. */
export function npyLayoutOf<Type extends string>(
  start: Buffer,
  path: string,
  wanted: NpyWanted<Type>,
): NpyLayout<Type> {
  if (start.length < 12 || start.toString("latin1", 0, 6) !== "\x93NUMPY") {
    throw new InputError("expected a NumPy array file, received something else; write it with numpy.save", path);
  }
  const isOld = start[6] === 1;
  const offset = isOld ? 10 : 12;
  const bytes = isOld ? start.readUInt16LE(8) : start.readUInt32LE(8);
  if (bytes > MAX_HEADER_BYTES)
    throw new InputError(`expected a header of a few hundred bytes, received ${bytes}`, path);
  if (start.length < offset + bytes) throw new InputError("the file ends too early; write it again", path);
  return { ...describe(start.toString("utf8", offset, offset + bytes), path, wanted), offset: offset + bytes };
}

/** Reads the Python dictionary of the header: {'descr': '<u4', 'fortran_order': False, 'shape': (3,), }. */
function describe<Type extends string>(
  header: string,
  path: string,
  { elementBytes, checkShape, takesFortran = false }: NpyWanted<Type>,
): Omit<NpyLayout<Type>, "offset"> {
  // NumPy takes the last of two entries, others the first.
  for (const key of ["descr", "shape", "fortran_order"]) {
    if (header.split(key).length <= 2) continue;
    throw new InputError(`expected ${key} once in the header, received it more often; write it with numpy.save`, path);
  }
  const type = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1];
  if (type === undefined || !Object.hasOwn(elementBytes, type)) {
    const known = Object.keys(elementBytes).join(", ");
    const message = `expected elements of one of ${known}, received ${type ?? "a record"}; convert with astype`;
    throw new InputError(message, path);
  }
  const text = /'shape'\s*:\s*\(([^)]*)\)/.exec(header)?.[1];
  const shape = text === undefined ? null : lengthsIn(text);
  checkShape(shape, text ?? "?");
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  if (order === undefined) {
    throw new InputError("expected fortran_order in the header, received none; write it with numpy.save", path);
  }
  const isFortran = order === "True";
  if (isFortran && !takesFortran) {
    throw new InputError("expected C order, received fortran_order; convert with ascontiguousarray", path);
  }
  return { type: type as Type, bytesPerElement: elementBytes[type as Type], shape: shape ?? [], isFortran };
}

/** `3,` and `2, 3`; `null` for what is no tuple of lengths. */
function lengthsIn(text: string): readonly number[] | null {
  if (!/^\s*(\d+\s*,\s*)*(\d+\s*)?$/.test(text) || /^\s*\d+\s*$/.test(text)) return null;
  return text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map(Number);
}
