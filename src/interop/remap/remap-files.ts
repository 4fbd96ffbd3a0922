import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CHUNK_ROWS, type RankSource } from "../../access/counts/row-ranks.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { fileNames } from "../../files/file-names.js";
import { StagedFolder } from "../../files/staged-folder.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { MANIFEST, type RemapFormat, type RemapManifest, type RemapTable, readManifest } from "./manifest.js";
import { NpyPair } from "./npy-pair.js";
import { ParquetRows } from "./parquet-rows.js";
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
