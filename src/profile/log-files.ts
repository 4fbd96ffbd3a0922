import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ChunkReader } from "../access/chunk-reader.js";
import { appendRows, CHUNK_ROWS, type Values } from "../access/duckdb/append.js";
import { sqlName, sqlText } from "../access/duckdb/open.js";
import { MAX_START_BYTES, type NpyLayout, npyLayoutOf } from "../access/npy/layout.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { arrowAsParquet } from "./arrow-log.js";
import { copiedLog } from "./copied-log.js";
import { decodedText, encodingOf } from "./decoded-text.js";
import { jsonAsParquet } from "./json-log.js";
import type { LogFormat, ProfileOptions } from "./options.js";
import { isZstandard, type LogFile } from "./raw-lines.js";

/** The files of a log, as they are to be read. */
export interface ListedFiles {
  readonly isText: boolean;
  readonly files: readonly LogFile[];
}

type Read = (
  connection: DuckDBConnection,
  names: readonly string[],
  options: ProfileOptions,
  folder: string,
) => Promise<readonly LogFile[]>;

/** How files of each kind are made such: as they are, or copied into a folder. */
const READ: Readonly<Record<Kind, Read>> = {
  text: (_, names, options, folder) => textFiles(names, options, folder),
  parquet: async (_, names) => names.map((name) => ({ name, path: name })),
  json: jsonAsParquet,
  npy: npyAsParquet,
  arrow: arrowAsParquet,
};

type Kind = "text" | "parquet" | "json" | "npy" | "arrow";

/**
 * The files that names, folders and patterns (`*`, `?`, `**`) stand for: in the order given, those of a folder or a pattern
 * by name, without those that begin with `_` or `.`, in which systems keep their own. What is neither text nor Parquet is
 * copied into `folder` as Parquet.
 *
 * Throws `InputError` when there is none, a name does not say its format, or formats differ.
 */
export async function logFiles(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: ProfileOptions,
  folder: string,
): Promise<ListedFiles> {
  const found: string[] = [];
  for (const pattern of patterns) found.push(...(await filesOf(connection, pattern)));
  if (found.length === 0) throw new InputError("expected a log of accesses, received no file");
  const names = [...new Set(found)];
  const kind = kindOf(names, options.format);
  if (kind !== "text" && options.encoding !== undefined) {
    throw new InputError(`expected text beside --encoding, received ${NAMES[kind]}, whose texts are UTF-8`, names[0]);
  }
  return { isText: kind === "text", files: await READ[kind](connection, names, options, folder) };
}

async function filesOf(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch((error: Error) => error);
  if (!(found instanceof Error) && !found.isDirectory()) return [pattern];
  const isFolder = !(found instanceof Error);
  if (!isFolder && !/[*?[]/.test(pattern)) {
    throw fileError(found, pattern, "a log that can be read", { advice: "check the path" });
  }
  const files = isFolder ? `${pattern.replace(/[*?[]/g, "[$&]").replace(/\/+$/, "")}/**` : pattern;
  const rows = (await connection.runAndReadAll(`SELECT file FROM glob(${sqlText(files)}) ORDER BY file`)).getRows();
  const all = rows.map(([file]) => String(file));
  const names = all.filter((file) => !isOwn(isFolder ? relative(pattern, file) : basename(file)));
  if (names.length > 0) return names;
  const received =
    all.length > 0 ? "those that begin with _ or . alone" : isFolder ? "an empty one" : "one that no file matches";
  const expected = `expected a ${isFolder ? "folder" : "pattern"} of files`;
  throw new InputError(`${expected}, received ${received}; check the path`, pattern);
}

/** Whether a file is a system's own: `_SUCCESS`, `_metadata`, `.part-0.parquet.crc`, and what lies in such a folder. */
function isOwn(path: string): boolean {
  return /(^|[\\/])[_.]|\.crc$/.test(path);
}

/** The kind of all files. Throws `InputError` when a name does not say it, or they differ. */
function kindOf(files: readonly string[], asked: LogFormat | undefined): Kind {
  if (asked !== undefined) return asked === "csv" || asked === "tsv" ? "text" : asked;
  const kinds = files.map(kindByName);
  const [first] = kinds as [Kind];
  const other = kinds.findIndex((kind) => kind !== first);
  if (other === -1) return first;
  const message = `expected files of one format, received ${NAMES[first]} and ${NAMES[kinds[other] as Kind]}; name those of one, as in "DIR/*${/\.\w+$/.exec(files[0] as string)?.[0] ?? ""}"`;
  throw new InputError(message, files[other]);
}

const NAMES: Readonly<Record<Kind, string>> = {
  text: "text",
  parquet: "Parquet",
  json: "JSON",
  npy: "NumPy arrays",
  arrow: "Arrow",
};

const EXTENSIONS: readonly (readonly [RegExp, Kind])[] = [
  [/\.(parquet|pq)$/, "parquet"],
  [/\.(json|jsonl|ndjson)$/, "json"],
  [/\.(npy|npz)$/, "npy"],
  [/\.(arrows?|feather|ipc)$/, "arrow"],
  [/\.(csv|tsv|txt)$/, "text"],
];

function kindByName(file: string): Kind {
  const name = file.toLowerCase().replace(/\.(gz|zst)$/, "");
  const known = EXTENSIONS.find(([extension]) => extension.test(name));
  if (known !== undefined) return known[1];
  // What is packed, whatever its name before, is text.
  if (name.length < file.length) return "text";
  const advice = PACKED.test(name)
    ? "unpack it first, or pack it by gzip or zstd"
    : "say --format csv, tsv, json, parquet, npy or arrow";
  const message = `expected a file whose name ends in .csv, .tsv, .txt, .jsonl, .parquet, .npy, .npz, .arrow or .feather (text and JSON also with .gz or .zst), received another; ${advice}`;
  throw new InputError(message, file);
}

const PACKED = /\.(bz2|xz|zip|7z|lz4|tar|tgz|br|snappy)$/;

/**
 * The files of a log in UTF-8: as they are, or copied into `folder` from the encoding that was asked for. Throws
 * `InputError` where a file is not of that encoding.
 */
async function textFiles(
  names: readonly string[],
  { encoding = "utf-8", signal }: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  const known = encodingOf(encoding);
  if (known === "utf-8") return names.map((name) => ({ name, path: name }));
  const packed = names.find(isZstandard);
  if (packed !== undefined) {
    throw new InputError("expected text that is not packed, or by gzip, beside --encoding; unpack it first", packed);
  }
  const files: LogFile[] = [];
  for (const name of names) {
    const path = join(folder, `utf-8-${files.length}`);
    await pipeline(decodedText(name, known), createWriteStream(path), signal === undefined ? {} : { signal });
    files.push({ name, path });
  }
  return files;
}

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
async function npyAsParquet(
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
