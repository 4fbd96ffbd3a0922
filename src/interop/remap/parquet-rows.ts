import { join } from "node:path";
import type { DuckDBAppender, DuckDBDataChunk } from "@duckdb/node-api";
import { type DuckDb, duckDbMessage, openDuckDb, sqlText } from "../../access/duckdb/open.js";
import { InputError } from "../../errors/input-error.js";
import { hashFile } from "./hashed-file.js";
import type { RemapTable } from "./manifest.js";
import type { RemapSink } from "./sink.js";

/** Rows of one of DuckDB's data chunks, at most. */
const VECTOR_ROWS = 2048;

/** A table's rows as `NAME.parquet`, in the order of row ids: columns `row`, `tier` (uint8) and `index`. */
export class ParquetRows implements RemapSink {
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
