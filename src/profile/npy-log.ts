import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ChunkReader } from "../access/chunk-reader.js";
import { appendRows, CHUNK_ROWS, type Values } from "../access/duckdb/append.js";
import { sqlName, sqlText } from "../access/duckdb/open.js";
import { MAX_START_BYTES, type NpyLayout, npyLayoutOf } from "../access/npy/layout.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { copiedLog } from "./copied-log.js";
import type { ProfileOptions } from "./options.js";
import type { LogFile } from "./raw-lines.js";

/** NumPy's integers, their bytes, DuckDB's name for them and what holds them here. */
const TYPES = {
  "|i1": { bytes: 1, sql: "TINYINT", array: Int8Array },
  "|u1": { bytes: 1, sql: "UTINYINT", array: Uint8Array },
  "<i2": { bytes: 2, sql: "SMALLINT", array: Int16Array },
  "<u2": { bytes: 2, sql: "USMALLINT", array: Uint16Array },
  "<i4": { bytes: 4, sql: "INTEGER", array: Int32Array },
  "<u4": { bytes: 4, sql: "UINTEGER", array: Uint32Array },
  "<i8": { bytes: 8, sql: "BIGINT", array: BigInt64Array },
  "<u8": { bytes: 8, sql: "UBIGINT", array: BigUint64Array },
} as const;

type Type = keyof typeof TYPES;

const ELEMENT_BYTES = Object.fromEntries(Object.entries(TYPES).map(([type, { bytes }]) => [type, bytes])) as Record<
  Type,
  number
>;

/** The longest list of a sample: at 100,000, which it says it takes, DuckDB ends the process. */
const MAX_WIDTH = 99_999;

/** An array of row ids, as NumPy writes it: samples by columns, or by the ids of one column. */
interface NpyArray {
  /** In an archive, its own. */
  readonly name: string | undefined;
  /** For messages. */
  readonly path: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * NumPy's array files, copied into `folder` as Parquet: `.npy` of (samples, columns), whose columns are numbered from 1, and
 * `.npz` of an array per column, of (samples) or (samples, ids of each). Arrays are read in a stream, one after the other.
 *
 * Throws `InputError` for files that are none, elements that are no integers, and arrays of unlike numbers of samples.
 */
export async function npyAsParquet(
  connection: DuckDBConnection,
  names: readonly string[],
  { signal }: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  return copiedLog(connection, names, folder, async (name, path) => {
    const tables: string[] = [];
    const known = new Set<string>();
    let samples: number | undefined;
    for await (const array of arraysOf(name)) {
      signal?.throwIfAborted();
      const table = `numpy_${tables.length}`;
      // DuckDB's names do not differ by case, and would be made others.
      const key = array.name?.toLowerCase() ?? "";
      if (known.has(key)) {
        const message = `expected arrays of different names, received another ${array.name}; rename one`;
        throw new InputError(message, array.path);
      }
      known.add(key);
      const found = await load(connection, table, array);
      if (samples !== undefined && found !== samples) {
        throw new InputError(`expected ${samples} samples as in the arrays before, received ${found}`, array.path);
      }
      samples = found;
      tables.push(table);
    }
    if (tables.length === 0) throw new InputError("expected arrays of row ids, received an archive without any", name);
    // Rows are beside each other by their place.
    await connection.run(
      `COPY (SELECT * FROM ${tables.join(" POSITIONAL JOIN ")}) TO ${sqlText(path)} (FORMAT parquet)`,
    );
    for (const table of tables) await connection.run(`DROP TABLE ${table}`);
  });
}

async function* arraysOf(path: string): AsyncGenerator<NpyArray> {
  try {
    if (!/\.npz$/i.test(path)) {
      yield { name: undefined, path, bytes: createReadStream(path, { highWaterMark: 1 << 20 }) };
      return;
    }
    const { openPromise } = await import("yauzl");
    const archive = await openPromise(path);
    for await (const entry of archive.eachEntry()) {
      const name = basename(entry.fileName, ".npy");
      yield { name, path: `${path}, ${entry.fileName}`, bytes: await archive.openReadStreamPromise(entry) };
    }
  } catch (error) {
    if (error instanceof InputError || (error as Error).name === "AbortError") throw error;
    if ((error as NodeJS.ErrnoException).code !== undefined) throw fileError(error, path, "a log that can be read");
    throw new InputError(`expected an archive that numpy.savez wrote, received ${(error as Error).message}`, path);
  }
}

/** An array into a table of its own; returns its samples. */
async function load(connection: DuckDBConnection, table: string, { name, path, bytes }: NpyArray): Promise<number> {
  const reader = new ChunkReader(bytes);
  const start = await reader.take(MAX_START_BYTES);
  const layout = npyLayoutOf<Type>(start, path, {
    elementBytes: ELEMENT_BYTES,
    checkShape: (shape, text) => {
      if (shape !== null && (shape.length === 1 || shape.length === 2) && (shape[1] ?? 1) <= MAX_WIDTH) return;
      const second = name === undefined ? "columns" : "ids of each";
      throw new InputError(`expected the shape (samples, ${second}), received (${text})`, path);
    },
  });
  reader.putBack(start.subarray(layout.offset));
  const [samples, width = 1] = layout.shape as [number, number?];
  const { sql } = TYPES[layout.type];
  const columns =
    name === undefined
      ? Array.from({ length: width }, (_, k) => `"${k + 1}" ${sql}`).join(", ")
      : `${sqlName(name)} ${width === 1 ? sql : `${sql}[${width}]`}`;
  if (width === 0) throw new InputError("expected ids, received an array without any", path);
  await connection.run(`CREATE TABLE ${table} (${columns})`);
  await appendRows(connection, table, width, blocks(reader, layout, samples, width, path));
  return samples;
}

async function* blocks(
  reader: ChunkReader,
  { type, bytesPerElement }: NpyLayout<Type>,
  samples: number,
  width: number,
  path: string,
): AsyncGenerator<Values> {
  const Elements = TYPES[type].array;
  for (let done = 0; done < samples; done += CHUNK_ROWS) {
    const elements = Math.min(CHUNK_ROWS, samples - done) * width;
    const block = await reader.take(elements * bytesPerElement);
    if (block.length < elements * bytesPerElement) {
      throw new InputError("the file ends too early; write it again", path);
    }
    yield new Elements(block.buffer, block.byteOffset, elements);
  }
  if ((await reader.take(1)).length > 0) {
    throw new InputError("expected the end of the data, received more; the file is no array file", path);
  }
}
