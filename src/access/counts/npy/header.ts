import { InputError } from "../../../errors/input-error.js";
import { readNpyLayout } from "../../npy/layout.js";

/** NumPy's names of the types that counts come in, with their bytes. */
export const ELEMENT_BYTES = { "<u4": 4, "<i4": 4, "<u8": 8, "<i8": 8, "<f8": 8 } as const;

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

/**
 * The header of a NumPy array file with one dimension of little-endian uint32, int32, uint64, int64 or float64.
 *
 * Throws `InputError` for any other file, for a length that is not the file's, and for more elements than `tableRows`.
 */
export async function readNpyHeader(path: string, tableRows: number): Promise<NpyHeader> {
  const { type, bytesPerElement, shape, offset } = await readNpyLayout(path, {
    elementBytes: ELEMENT_BYTES,
    checkShape: (lengths, text) => {
      if (lengths?.length !== 1) {
        throw new InputError(`expected one dimension, received the shape (${text}); convert with ravel`, path);
      }
      const [length] = lengths as [number];
      if (length <= tableRows) return;
      const message = `expected at most ${tableRows} rows, the table's, received ${length}; correct one of both`;
      throw new InputError(message, path);
    },
  });
  return { type, bytesPerElement, length: shape[0] as number, offset };
}
