import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBAppender, DuckDBDataChunk } from "@duckdb/node-api";
import { CHUNK_ROWS, type RankSource } from "../../access/counts/row-ranks.js";
import { type DuckDb, duckDbMessage, openDuckDb, sqlText } from "../../access/duckdb/open.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { fileNames } from "../../files/file-names.js";
import { StagedFolder } from "../../files/staged-folder.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { HashedFile, hashFile } from "./hashed-file.js";
import { MANIFEST, type RemapFormat, type RemapManifest, type RemapTable, readManifest } from "./manifest.js";
import { encode, NPY_BYTES, type NpyType, npyHeader } from "./npy.js";
import type { RowDelta } from "./row-delta.js";
import type { IndexOrder, RowPlacement } from "./row-placement.js";
import type { RemapSink } from "./sink.js";

export interface RemapOptions {
  /** Default `npy`. */
  readonly format?: RemapFormat;
  /** Default `falling`. */
  readonly indexOrder?: IndexOrder;
  /** Per table name, a file of its row ids in falling order of access, where that is not to come from its counts. */
  readonly rankFiles?: ReadonlyMap<string, string>;
  /** Of tables whose order is in no file: row 0 is the hottest, row 1 the next. Default: they are refused. */
  readonly idsAreRanks?: boolean;
  /** Called after each chunk with the rows written so far, of all tables, and the rows in all. */
  readonly onProgress?: (rows: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/** A table whose rows go to several embedding tables. */
export interface RemapSource {
  readonly name: string;
  readonly rows: number;
  readonly embeddingTables: RemapTable["embeddingTables"];
  readonly placement: RowPlacement;
  /** What the order of its rows by access comes from. */
  readonly order: RankSource;
  readonly chunks: AsyncIterable<RanksChunk>;
  /** Where the rows that move are written; `null` without a plan that they move from. */
  delta(folder: string, name: string): Promise<RowDelta | null>;
}

/** Ranks of rows in the order of row ids, beside the tiers that the rows were in (see `tiersBefore`). */
export interface RanksChunk {
  readonly ranks: Float64Array;
  readonly before: Uint8Array | null;
}

/** What a remap is of. */
export type RemapHead = Pick<RemapManifest, "instance" | "plan" | "tierCodes">;

/**
 * Writes the tables of a remap into a folder, which is made where there is none: for every row id its embedding table and its index there,
 * and a manifest (see {@link RemapManifest}). All files are written into a temporary folder inside the folder and then renamed, the
 * manifest last: up to then an older remap there is whole (see {@link StagedFolder} for what a kill can leave).
 *
 * Throws `InputError` when the folder cannot be written or has another tool's manifest.json, and for Parquet where DuckDB is not
 * installed; what `signal` was aborted with, when it was. Then nothing is left of what was written.
 */
export async function writeRemapFiles(
  head: RemapHead,
  sources: readonly RemapSource[],
  folder: string,
  options: RemapOptions,
): Promise<RemapManifest> {
  requireOwnFolder(folder);
  const staged = stage(folder);
  try {
    const manifest = await writeFiles(head, sources, staged.path, options);
    const names = manifest.tables.flatMap(({ files, delta = {} }) =>
      [...Object.values(files), ...Object.values(delta)].flatMap((one) => (typeof one === "object" ? [one.file] : [])),
    );
    options.signal?.throwIfAborted();
    await staged.commit(names, MANIFEST).catch((error: unknown) => refuse(error, folder));
    return manifest;
  } catch (error) {
    staged.abandon();
    throw error;
  }
}

/** Writes the files of a remap, and its manifest, into a folder that is there. */
async function writeFiles(
  { instance, plan, tierCodes }: RemapHead,
  sources: readonly RemapSource[],
  folder: string,
  { format = "npy", indexOrder = "falling", onProgress, signal }: RemapOptions,
): Promise<RemapManifest> {
  const names = fileNames(sources.map(({ name }) => name));
  const all = sources.reduce((sum, { rows }) => sum + rows, 0);
  const tables: RemapTable[] = [];
  let done = 0;
  for (const [t, source] of sources.entries()) {
    const { embeddingTables, rows, order, placement, chunks } = source;
    const largest = Math.max(...embeddingTables.map((one) => one.rows));
    const name = names[t] as string;
    const sink =
      format === "npy"
        ? await NpyPair.create(folder, name, rows, largest)
        : await ParquetRows.create(folder, name, largest, signal);
    const delta = await source.delta(folder, name);
    const files = await writeRows(rows, chunks, placement, { sink, delta }, (written) => {
      signal?.throwIfAborted();
      onProgress?.(done + written, all);
    });
    done += rows;
    const moved = delta === null ? {} : { delta: await delta.end() };
    tables.push({ name: source.name, rows, order, embeddingTables, files, ...moved });
  }
  const manifest: RemapManifest = {
    ...{ shardproof: 1, kind: "remap", instance, plan, format, indexOrder, tierCodes, tables },
  };
  await writeFile(join(folder, MANIFEST), writePlan(manifest)).catch((error: unknown) => refuse(error, folder));
  return manifest;
}

/** Throws `InputError` where nobody has said which row ids of a table are its hot ones. */
export function requireOrder(table: string, { idsAreRanks = false }: RemapOptions, file: string): void {
  if (idsAreRanks) return;
  throw new InputError(
    `table ${table}: expected to be told which row ids are read most, received how often rows are read alone; give their order with --rank-file ${table}=FILE (shardproof profile --rank-file writes one), or say --ids-are-ranks where row 0 is the hottest, row 1 the next, and so on`,
    file,
  );
}

/** Throws `InputError` for a rank file of a table that is not there. */
export function checkRankFiles(names: readonly string[], rankFiles: ReadonlyMap<string, string>): void {
  for (const [name, file] of rankFiles) {
    if (names.includes(name)) continue;
    const known = names.join(", ");
    throw new InputError(`expected the rank file of a table (${known}), received one of "${name}"`, file);
  }
}

async function writeRows(
  rows: number,
  chunks: AsyncIterable<RanksChunk>,
  placement: RowPlacement,
  { sink, delta }: { readonly sink: RemapSink; readonly delta: RowDelta | null },
  onRows: (rows: number) => void,
): Promise<RemapTable["files"]> {
  const codes = new Uint8Array(CHUNK_ROWS);
  const indices = new Float64Array(CHUNK_ROWS);
  let done = 0;
  try {
    for await (const { ranks: chunk, before } of chunks) {
      for (let start = 0; start < chunk.length; start += CHUNK_ROWS) {
        const part = chunk.subarray(start, start + CHUNK_ROWS);
        placement.place(part, codes, indices);
        const now = codes.subarray(0, part.length);
        await sink.write(now, indices.subarray(0, part.length));
        if (before !== null) await delta?.write(done + start, before.subarray(start, start + part.length), now);
      }
      done += chunk.length;
      onRows(done);
    }
    if (done !== rows) throw new RangeError(`${rows} rows were expected, ${done} are there`);
  } catch (error) {
    await sink.abandon();
    await delta?.abandon();
    throw error;
  }
  return sink.end();
}

function stage(folder: string): StagedFolder {
  try {
    return new StagedFolder(folder);
  } catch (error) {
    return refuse(error, folder);
  }
}

/** Throws `InputError` for a folder whose manifest is another tool's. */
function requireOwnFolder(folder: string): void {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) return;
  try {
    readManifest(file);
  } catch {
    throw new InputError(
      "expected a folder for a remap, received one with another manifest.json; name a new one",
      file,
    );
  }
}

function refuse(error: unknown, folder: string): never {
  throw fileError(error, folder, "a folder that can be written to", { kind: "folder" });
}

/** A table's rows as two NumPy arrays: `NAME.tier.npy` (uint8) and `NAME.index.npy` (uint32, int64 where needed). */
class NpyPair implements RemapSink {
  readonly #name: string;
  readonly #tier: HashedFile;
  readonly #index: HashedFile;
  readonly #type: NpyType;
  readonly #buffer: Buffer;

  private constructor(name: string, tier: HashedFile, index: HashedFile, type: NpyType) {
    this.#name = name;
    this.#tier = tier;
    this.#index = index;
    this.#type = type;
    this.#buffer = Buffer.alloc(CHUNK_ROWS * NPY_BYTES[type]);
  }

  /** `largest` is the rows of the largest tier. Throws `InputError` where the files cannot be written. */
  static async create(folder: string, name: string, rows: number, largest: number): Promise<NpyPair> {
    const type = largest <= 2 ** 32 ? "<u4" : "<i8";
    const tier = await HashedFile.create(join(folder, `${name}.tier.npy`));
    const index = await HashedFile.create(join(folder, `${name}.index.npy`));
    await tier.write(npyHeader("|u1", rows));
    await index.write(npyHeader(type, rows));
    return new NpyPair(name, tier, index, type);
  }

  async write(codes: Uint8Array, indices: Float64Array): Promise<void> {
    await this.#tier.write(codes);
    await this.#index.write(encode(this.#type, indices, this.#buffer));
  }

  async end(): Promise<RemapTable["files"]> {
    const [tier, index] = await Promise.all([this.#tier.end(), this.#index.end()]);
    return {
      tier: { file: `${this.#name}.tier.npy`, dataType: "|u1", sha256: tier },
      index: { file: `${this.#name}.index.npy`, dataType: this.#type, sha256: index },
    };
  }

  async abandon(): Promise<void> {
    await Promise.all([this.#tier.abandon(), this.#index.abandon()]);
  }
}

/** Rows of one of DuckDB's data chunks, at most. */
const VECTOR_ROWS = 2048;

/** A table's rows as `NAME.parquet`, in the order of row ids: columns `row`, `tier` (uint8) and `index`. */
class ParquetRows implements RemapSink {
  readonly #db: DuckDb;
  readonly #appender: DuckDBAppender;
  readonly #newChunk: () => DuckDBDataChunk;
  /** Of an index, which DuckDB wants as a bigint where it is an int64. */
  readonly #indexValue: (index: number) => number | bigint;
  readonly #folder: string;
  readonly #file: string;
  readonly #signal: AbortSignal | undefined;
  #row = 0;

  private constructor(
    db: DuckDb,
    appender: DuckDBAppender,
    newChunk: () => DuckDBDataChunk,
    indexValue: (index: number) => number | bigint,
    folder: string,
    file: string,
    signal: AbortSignal | undefined,
  ) {
    this.#signal = signal;
    this.#db = db;
    this.#appender = appender;
    this.#newChunk = newChunk;
    this.#indexValue = indexValue;
    this.#folder = folder;
    this.#file = file;
  }

  /**
   * `largest` is the rows of the largest tier; `signal` ends the last step, the long one, with what it was aborted
   * with. Throws `InputError` where DuckDB is not installed.
   */
  static async create(folder: string, name: string, largest: number, signal?: AbortSignal): Promise<ParquetRows> {
    const db = await openDuckDb("writing Parquet", { threads: 1, temporaryFolder: join(folder, ".duckdb") });
    const { BIGINT, DuckDBDataChunk, UINTEGER, UTINYINT } = await import("@duckdb/node-api");
    const isNarrow = largest <= 2 ** 32;
    // One thread that keeps the order writes the same bytes each time.
    await db.connection.run("SET preserve_insertion_order = true");
    await db.connection.run(
      `CREATE TABLE remap ("row" BIGINT, tier UTINYINT, "index" ${isNarrow ? "UINTEGER" : "BIGINT"})`,
    );
    const appender = await db.connection.createAppender("remap");
    const newChunk = () => DuckDBDataChunk.create([BIGINT, UTINYINT, isNarrow ? UINTEGER : BIGINT]);
    return new ParquetRows(
      db,
      appender,
      newChunk,
      isNarrow ? (index) => index : BigInt,
      folder,
      `${name}.parquet`,
      signal,
    );
  }

  async write(codes: Uint8Array, indices: Float64Array): Promise<void> {
    for (let start = 0; start < codes.length; start += VECTOR_ROWS) {
      const tiers = [...codes.subarray(start, start + VECTOR_ROWS)];
      const chunk = this.#newChunk();
      chunk.setColumns([
        tiers.map((_, k) => BigInt(this.#row + k)),
        tiers,
        Array.from(indices.subarray(start, start + VECTOR_ROWS), this.#indexValue),
      ]);
      this.#appender.appendDataChunk(chunk);
      this.#row += tiers.length;
    }
  }

  async end(): Promise<RemapTable["files"]> {
    const path = join(this.#folder, this.#file);
    const interrupt = () => this.#db.connection.interrupt();
    this.#signal?.addEventListener("abort", interrupt);
    try {
      this.#appender.closeSync();
      await this.#db.connection.run(`COPY remap TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd)`);
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw new InputError(`expected a file that can be written, received ${duckDbMessage(error)}`, path);
    } finally {
      this.#signal?.removeEventListener("abort", interrupt);
      this.#db.close();
    }
    return { parquet: { file: this.#file, sha256: await hashFile(path) } };
  }

  async abandon(): Promise<void> {
    this.#db.close();
  }
}
