import { open } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK_ROWS } from "../../access/counts/row-ranks.js";
import { openDuckDb, parquetSql } from "../../access/duckdb/open.js";
import { InputError } from "../../errors/input-error.js";
import { hashFile } from "./hashed-file.js";
import { MANIFEST, type RemapManifest, type RemapTable, readManifest, refuseFile } from "./manifest.js";
import { decode, NPY_BYTES, type NpyType, npyHeader, requireHeader } from "./npy.js";

/** Rows of a table with neighbouring row ids. */
export interface RemapChunk {
  /** Row id of the first of them. */
  readonly firstRow: number;
  /** Tier of each, by the manifest's `tierCodes`. */
  readonly tiers: Uint8Array;
  /** Index of each inside its tier's embedding table. */
  readonly indices: Float64Array;
}

/** A remap that was read back. */
export interface Remap {
  readonly manifest: RemapManifest;
  /** The rows of a table in the order of their ids. Throws `RangeError` for a table that is not there. */
  rowsOf(table: string): AsyncIterable<RemapChunk>;
}

/**
 * Reads a remap that {@link writeRemap} wrote to a folder. Every file's SHA-256 is compared with the manifest's.
 *
 * Throws `InputError` when a file cannot be read, is not what the manifest says, or (for Parquet, on the first rows) when
 * DuckDB is not installed.
 */
export async function readRemap(folder: string): Promise<Remap> {
  const manifest = readManifest(join(folder, MANIFEST));
  for (const { files } of manifest.tables) {
    for (const { file: name, sha256 } of Object.values(files)) {
      const path = join(folder, name);
      const found = await hashFile(path).catch((error: unknown) => refuseFile(error, path));
      if (found !== sha256)
        throw new InputError("expected the file that the manifest tells of, received another", path);
    }
  }
  return {
    manifest,
    rowsOf: (name) => {
      const table = manifest.tables.find((one) => one.name === name);
      if (table === undefined) throw new RangeError(`no table "${name}" in the remap`);
      return rowsOf(folder, table);
    },
  };
}

async function* rowsOf(folder: string, { files, rows }: RemapTable): AsyncGenerator<RemapChunk> {
  if ("parquet" in files) {
    yield* parquetRows(join(folder, files.parquet.file), rows);
    return;
  }
  const { tier, index } = files;
  const indices = elements(join(folder, index.file), index.dataType, rows);
  let firstRow = 0;
  try {
    for await (const codes of elements(join(folder, tier.file), tier.dataType, rows)) {
      const { value } = await indices.next();
      yield { firstRow, tiers: Uint8Array.from(codes), indices: value as Float64Array };
      firstRow += codes.length;
    }
  } finally {
    await indices.return(undefined);
  }
}

async function* elements(path: string, type: NpyType, length: number): AsyncGenerator<Float64Array> {
  const handle = await open(path, "r").catch((error: unknown) => refuseFile(error, path));
  try {
    const read = async (position: number, bytes: number): Promise<Uint8Array> => {
      const buffer = Buffer.alloc(bytes);
      let done = 0;
      while (done < bytes) {
        const { bytesRead } = await handle.read(buffer, done, bytes - done, position + done);
        if (bytesRead === 0) throw new InputError(`expected ${length} elements, received fewer; export again`, path);
        done += bytesRead;
      }
      return buffer;
    };
    const header = requireHeader(await read(0, npyHeader(type, length).length), type, length, path);
    for (let start = 0; start < length; start += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, length - start);
      yield decode(type, await read(header + start * NPY_BYTES[type], count * NPY_BYTES[type]));
    }
  } finally {
    await handle.close();
  }
}

async function* parquetRows(path: string, rows: number): AsyncGenerator<RemapChunk> {
  const db = await openDuckDb("reading Parquet", { threads: 1 });
  try {
    await db.connection.run("SET preserve_insertion_order = true");
    const result = await db.connection.stream(`SELECT tier, "index" FROM ${parquetSql([path])}`);
    let firstRow = 0;
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      const tiers = Uint8Array.from(chunk.getColumnValues(0), Number);
      yield { firstRow, tiers, indices: Float64Array.from(chunk.getColumnValues(1), Number) };
      firstRow += tiers.length;
    }
    if (firstRow !== rows) throw new InputError(`expected ${rows} rows, received ${firstRow}; export again`, path);
  } finally {
    db.close();
  }
}
