import { type FileHandle, open } from "node:fs/promises";
import type { DuckDBConnection, DuckDBVector } from "@duckdb/node-api";
import type { Field, RecordBatch } from "apache-arrow";
import type { ByteBuffer } from "flatbuffers";
import { appendChunks, CHUNK_ROWS, type Chunk, setValues } from "../access/duckdb/append.js";
import { absenceOf, sqlName, sqlText } from "../access/duckdb/open.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { type Packages, type Reading, readingOfField, requireWhole } from "./arrow-columns.js";
import { copiedLog } from "./copied-log.js";
import type { ProfileOptions } from "./options.js";
import type { LogFile } from "./raw-lines.js";
import { isNoFault } from "./session.js";

/** What Arrow and Feather files begin and end with; streams end with a message of no bytes. */
const [FILE, FEATHER_1, STREAM, STREAM_END] = ["ARROW1", "FEA1", "\xff\xff\xff\xff", "\xff\xff\xff\xff\0\0\0\0"];

/** Bytes that are read at a time: Node reads less than two GiB. */
const MAX_BYTES = 2 ** 30;

/** A file's bytes are read once, and some of what says where they are twice. */
const MOST_READINGS = 2;

/** The table that a file's batches are put into. */
const TABLE = "arrow_log";

/**
 * Arrow's files and streams, which Feather's second version is too, copied into `folder` as Parquet, each column as the type
 * that Parquet has of it. Batches are read one after the other.
 *
 * Throws `InputError` where a package for that is not installed, for files that are none or are cut off, and for columns of
 * types that Parquet has not.
 */
export async function arrowAsParquet(
  connection: DuckDBConnection,
  names: readonly string[],
  { signal }: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  loaded ??= load();
  const packages = await loaded;
  return copiedLog(connection, names, folder, async (name, path) => {
    const handle = await open(name).catch((error: unknown) => {
      throw fileError(error, name, "a log that can be read");
    });
    try {
      await copy(connection, packages, handle, name, path, signal);
    } catch (error) {
      if (error instanceof InputError || signal?.aborted || isNoFault(error)) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== undefined) throw fileError(error, name, "a log that can be read");
      const received = message.split("\n")[0];
      throw new InputError(`expected Arrow data that can be read, received ${received}; write it as Parquet`, name);
    } finally {
      await handle.close();
    }
  });
}

let loaded: Promise<Packages> | undefined;

async function load(): Promise<Packages> {
  try {
    const arrow = await import("apache-arrow");
    const { decompressFrameSync } = await import("lz4-napi");
    const { decompress } = await import("fzstd");
    const { CompressionType, compressionRegistry } = arrow;
    compressionRegistry.set(CompressionType.LZ4_FRAME, {
      decode: ({ buffer, byteOffset, byteLength }) => decompressFrameSync(Buffer.from(buffer, byteOffset, byteLength)),
    });
    compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => decompress(bytes) });
    limitLists((await import("flatbuffers")).ByteBuffer.prototype);
    return { arrow, duckdb: await import("@duckdb/node-api") };
  } catch (error) {
    const packages = "apache-arrow flatbuffers fzstd lz4-napi";
    throw new InputError(
      `reading Arrow needs packages that are not all installed${absenceOf(error)}; install them with: npm install ${packages}`,
    );
  }
}

/** A list of metadata is read to the length that it claims: one of a changed file would fill the memory. */
function limitLists(buffer: ByteBuffer): void {
  const claimed = buffer.__vector_len;
  buffer.__vector_len = function (this: ByteBuffer, offset) {
    const length = claimed.call(this, offset);
    if (length >= 0 && length <= this.capacity()) return length;
    throw new Error("a list that is longer than its message");
  };
}

async function copy(
  connection: DuckDBConnection,
  packages: Packages,
  handle: FileHandle,
  name: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { size } = await handle.stat();
  const isStream = await requireArrow(handle, size, name);
  let [end, bytes] = [0, 0];
  // It reads a stream in order, so that the last place says whether all was read.
  const source = {
    fd: handle.fd,
    stat: () => handle.stat(),
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      const read = await handle.read(buffer, offset, Math.min(length, MAX_BYTES), position);
      end = position + read.bytesRead;
      bytes += read.bytesRead;
      // What is no batch where a batch should be is looked at for ever.
      if (bytes > MOST_READINGS * size) throw new Error("the same parts again and again");
      return read;
    },
    close: async () => {},
  };
  const reader = await packages.arrow.RecordBatchReader.from(source as unknown as FileHandle);
  await reader.open();
  const { fields } = reader.schema;
  const readings = fields.map((field) => readingOf(packages, field, name));
  if (readings.length === 0) throw new InputError("expected columns, received none", name);
  const stored = readings.map((reading, k) => `c${k} ${reading.stored}`);
  await connection.run(`CREATE OR REPLACE TABLE ${TABLE} (${stored.join(", ")})`);
  await appendChunks(connection, TABLE, chunksOf(packages, reader, readings, signal));
  if (isStream && end < size) {
    throw new InputError("expected one stream, received more behind its end; write it again, as one", name);
  }
  const selected = readings.map(({ sql }, k) => `${sql(`c${k}`)} AS ${sqlName(fields[k]?.name || `Unnamed: ${k}`)}`);
  // Without dictionaries it is written in half the time, and is about as large.
  await connection.run(
    `COPY (SELECT ${selected.join(", ")} FROM ${TABLE}) TO ${sqlText(path)} (FORMAT parquet, DICTIONARY_SIZE_LIMIT 1)`,
  );
  await connection.run(`DROP TABLE ${TABLE}`);
}

/** Whether it is a stream. Throws `InputError` where it is neither that nor a file of Arrow's, or is cut off. */
async function requireArrow(handle: FileHandle, size: number, name: string): Promise<boolean> {
  const bytes = async (from: number, count: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, Math.max(0, from));
    return buffer.toString("latin1", 0, bytesRead);
  };
  const start = await bytes(0, FILE.length);
  const isStream = start.startsWith(STREAM);
  if (start.startsWith(FEATHER_1)) {
    const advice = "write it again, in Python by pandas.read_feather(FILE).to_feather(FILE)";
    throw new InputError(`expected Feather of version 2, received version 1; ${advice}`, name);
  }
  if (!isStream && start !== FILE) {
    const found = size === 0 ? "an empty file" : `other bytes at its start (${JSON.stringify(start)})`;
    const message = `expected an Arrow file or stream, or Feather, received ${found}; unpack it, or say --format`;
    throw new InputError(message, name);
  }
  const mark = isStream ? STREAM_END : FILE;
  if (size < 2 * mark.length || (await bytes(size - mark.length, mark.length)) !== mark) {
    const message = "expected Arrow's mark at the file's end, received a file that is cut off; write it again";
    throw new InputError(message, name);
  }
  return isStream;
}

function readingOf(packages: Packages, field: Field, name: string): Reading {
  const reading = readingOfField(packages, field);
  if (reading !== undefined) return reading;
  const message = `column "${field.name}": expected a type that Parquet has too, received ${field.type}; write the file without it`;
  throw new InputError(message, name);
}

async function* chunksOf(
  packages: Packages,
  batches: AsyncIterable<RecordBatch>,
  readings: readonly Reading[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk> {
  for await (const { numRows, data } of batches) {
    const columns = numRows === 0 ? [] : data.children;
    for (const column of columns) requireWhole(packages, column);
    const values = columns.map((column, k) => (readings[k] as Reading).values(column));
    for (let from = 0; from < numRows; from += CHUNK_ROWS) {
      signal?.throwIfAborted();
      const rows = Math.min(CHUNK_ROWS, numRows - from);
      const fill = (vector: DuckDBVector, k: number) => {
        const [column, value] = [columns[k], values[k]] as [(typeof columns)[0], (typeof values)[0]];
        const isFlat = readings[k]?.isFlat === true;
        if (isFlat) setValues(vector, column.values.subarray(from, from + rows));
        if (isFlat && column.nullCount === 0) return;
        for (let row = 0; row < rows; row++) {
          if (!isFlat) vector.setItem(row, value(from + row));
          else if (!column.getValid(from + row)) vector.setItem(row, null);
        }
      };
      yield { rows, fill };
    }
  }
}
