import { open } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";
import { MAX_FOOTER_BYTES, mebibytes } from "../../input/limits.js";

/** Bytes behind the footer: its length and the magic. */
const TAIL_BYTES = 8;

/** Structures within one another; Parquet's have less than ten. */
const MAX_LEVELS = 64;

/** A structure in a list takes so many bytes at least: a field and the end. Those of column orders have three. */
const MIN_STRUCTURE_BYTES = 3;

/**
 * Makes sure that the lengths in a Parquet file's footer are those of what is there. DuckDB makes room for as many
 * elements as a list claims before it reads the first: a file of 92 bytes took seven gigabytes.
 *
 * Throws `InputError`, and what the file system throws.
 */
export async function requireParquetFooter(path: string): Promise<void> {
  const refuse = (received: string): never => {
    throw new InputError(`expected a Parquet file that can be read, received ${received}; write it again`, path);
  };
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(TAIL_BYTES);
    if (size < 4 + TAIL_BYTES) refuse(`one of ${size} bytes`);
    await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    if (tail.toString("latin1", 4) !== "PAR1") refuse("one that does not end with PAR1");
    const length = tail.readUInt32LE(0);
    if (length > size - 4 - TAIL_BYTES) refuse("a footer that is longer than the file");
    if (length > MAX_FOOTER_BYTES) refuse(`a footer of more than ${mebibytes(MAX_FOOTER_BYTES)}, the limit`);
    const footer = Buffer.alloc(length);
    await file.read(footer, 0, length, size - TAIL_BYTES - length);
    if (!new Footer(footer).isWhole()) refuse("a footer with lengths that are not those of its parts");
  } finally {
    await file.close();
  }
}

/** The types of Thrift's compact protocol. */
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64] = [0, 1, 2, 3, 4, 5, 6];
const [DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = [7, 8, 9, 10, 11, 12];

/** Walks over a structure of Thrift's compact protocol; what it means is for DuckDB to say. */
class Footer {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isWhole(): boolean {
    return this.#structure(0) && this.#at <= this.#bytes.length;
  }

  #structure(level: number): boolean {
    if (level > MAX_LEVELS) return false;
    while (this.#at < this.#bytes.length) {
      const header = this.#byte();
      const type = header & 15;
      if (type === STOP) return true;
      // A field's number is the last one's and so many more, or follows in full.
      if (header >> 4 === 0) this.#varint();
      if (!this.#value(type, level, true)) return false;
    }
    return false;
  }

  /** A value; the type of a field says the truth value itself, which in a list takes a byte. */
  #value(type: number, level: number, isField: boolean): boolean {
    if (type === TRUE || type === FALSE) return isField || this.#skip(1);
    if (type === BYTE) return this.#skip(1);
    if (type === I16 || type === I32 || type === I64) return this.#varint() !== null;
    if (type === DOUBLE) return this.#skip(8);
    if (type === BINARY) return this.#skip(this.#varint());
    if (type === STRUCT) return this.#structure(level + 1);
    if (type === LIST || type === SET) {
      const header = this.#byte();
      const count = header >> 4 === 15 ? this.#varint() : header >> 4;
      return this.#values(count, [header & 15], level);
    }
    if (type !== MAP) return false;
    const count = this.#varint();
    if (count === 0) return true;
    const types = this.#byte();
    return this.#values(count, [types >> 4, types & 15], level);
  }

  #values(count: number | null, types: readonly number[], level: number): boolean {
    const least = types.includes(STRUCT) ? MIN_STRUCTURE_BYTES : 1;
    if (level > MAX_LEVELS || count === null || count * least > this.#bytes.length - this.#at) return false;
    for (let index = 0; index < count; index++) {
      for (const type of types) if (!this.#value(type, level + 1, false)) return false;
    }
    return true;
  }

  #skip(count: number | null): boolean {
    if (count === null || count > this.#bytes.length - this.#at) return false;
    this.#at += count;
    return true;
  }

  /** Past the end there are zeros, which end a structure. */
  #byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  /** `null` for one of more than ten bytes, or past the end. */
  #varint(): number | null {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#bytes.length) return null;
      const byte = this.#byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    return null;
  }
}
