import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countRanks, groupedRanks } from "../../access/counts/count-ranks.js";
import { readRowCounts } from "../../access/counts/row-counts.js";
import { CHUNK_ROWS, identityRanks, type RankSource, type RowRanks } from "../../access/counts/row-ranks.js";
import { groupedCounts, NEW_ROW, TierCodes, tiersBefore } from "../../access/counts/tiers-before.js";
import { rowsBefore } from "../../access/rows-before.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { StagedFolder } from "../../files/staged-folder.js";
import { resolveBeside } from "../../instance/load.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { type ExportablePlan, tierCode } from "../../problems/row-tiers/exportable.js";
import { type RowsBefore, type Table, type TableFrom, TIERS } from "../../problems/row-tiers/instance/instance.js";
import type { Run } from "../../problems/row-tiers/plan-file/assignment.js";
import { tierTables } from "../tier-tables.js";
import { fileNames } from "./file-names.js";
import { fileRanks } from "./file-ranks.js";
import { MANIFEST, type RemapFormat, type RemapManifest, type RemapTable, readManifest } from "./manifest.js";
import { NpyPair } from "./npy-pair.js";
import { ParquetRows } from "./parquet-rows.js";
import { RowDelta } from "./row-delta.js";
import { type IndexOrder, RowPlacement } from "./row-placement.js";
import type { RemapSink } from "./sink.js";

export interface RemapOptions {
  /** Default `npy`. */
  readonly format?: RemapFormat;
  /** Default `falling`. */
  readonly indexOrder?: IndexOrder;
  /** Per table name, a file of its row ids in falling order of access, where that is not to come from its counts. */
  readonly rankFiles?: ReadonlyMap<string, string>;
  /** Called after each chunk with the rows written so far, of all tables, and the rows in all. */
  readonly onProgress?: (rows: number, of: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Writes a plan as a remap into a folder, which is made where there is none: for every row id of every table the tier
 * that it goes to and its index inside that tier's own embedding table, and a manifest (see {@link RemapManifest}).
 *
 * The order of rows by access, which the plan's runs follow, comes from a rank file where one is given, from a table's
 * counts file (falling appearances, equal ones by rising row id, as the plan's classes have it), or else row ids are
 * taken to be ranks, row 0 the hottest.
 *
 * Memory is that of chunks and of the distinct counts, not of the rows (a rank file: 4 bytes per row, at most 256 MiB;
 * Parquet: DuckDB holds a table's rows until they are all there, on disk where they do not fit).
 *
 * Where the instance has a plan to move from, the rows that change their tier are written too (see {@link RowDelta}).
 *
 * All files are written into a temporary folder inside the folder and then renamed, the manifest last: up to then an
 * older remap there is whole (see {@link StagedFolder} for what a kill can leave). Throws `InputError` when a counts or
 * rank file cannot be read or is malformed, when the folder cannot be written or has another tool's manifest.json, and
 * for Parquet where DuckDB is not installed; what `signal` was aborted with, when it was. Then nothing is left of what
 * was written.
 */
export async function writeRemap(
  plan: ExportablePlan,
  folder: string,
  options: RemapOptions = {},
): Promise<RemapManifest> {
  checkRankFiles(plan.instance.tables, options.rankFiles ?? new Map());
  requireOwnFolder(folder);
  const staged = stage(folder);
  try {
    const manifest = await writeFiles(plan, staged.path, options);
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
  plan: ExportablePlan,
  folder: string,
  { format = "npy", indexOrder = "falling", rankFiles = new Map(), onProgress, signal }: RemapOptions,
): Promise<RemapManifest> {
  const { instance, assignment } = plan;
  const names = fileNames(instance.tables.map(({ name }) => name));
  const parts = tierTables(instance, assignment);
  const all = instance.tables.reduce((sum, table) => sum + table.rows, 0);
  const tables: RemapTable[] = [];
  const before = await rowsBefore(instance);
  let done = 0;
  for (const [t, table] of instance.tables.entries()) {
    const placement = new RowPlacement(assignment[t] as readonly Run[], instance, indexOrder);
    const from = instance.from?.tables[t] ?? null;
    const { order, ranks } = ranksOf(table, instance.file, from, rankFiles.get(table.name));
    const embeddingTables = [...(parts[t] as (typeof parts)[number])];
    const largest = Math.max(...embeddingTables.map(({ rows }) => rows));
    const name = names[t] as string;
    const sink =
      format === "npy"
        ? await NpyPair.create(folder, name, table.rows, largest)
        : await ParquetRows.create(folder, name, largest, signal);
    const delta =
      before === null
        ? null
        : await RowDelta.create(folder, name, before?.[t] as RowsBefore, assignment[t] as readonly Run[]);
    const was = delta === null ? null : codesBefore(table, from, ranks);
    const files = await writeRows(table, was === null ? plain(ranks) : was, placement, { sink, delta }, (rows) => {
      signal?.throwIfAborted();
      onProgress?.(done + rows, all);
    });
    done += table.rows;
    const moved = delta === null ? {} : { delta: await delta.end() };
    tables.push({ name: table.name, rows: table.rows, order, embeddingTables, files, ...moved });
  }
  const manifest: RemapManifest = {
    shardproof: 1,
    kind: "remap",
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    plan: { method: plan.method, status: plan.status, digest: plan.digest },
    format,
    indexOrder,
    tierCodes: Object.fromEntries(TIERS.map((tier) => [tier, tierCode(tier)])),
    tables,
  };
  await writeFile(join(folder, MANIFEST), writePlan(manifest)).catch((error: unknown) => refuse(error, folder));
  return manifest;
}

function checkRankFiles(tables: readonly Table[], rankFiles: ReadonlyMap<string, string>): void {
  for (const [name, file] of rankFiles) {
    if (tables.some((table) => table.name === name)) continue;
    const known = tables.map((table) => table.name).join(", ");
    throw new InputError(`expected the rank file of a table (${known}), received one of "${name}"`, file);
  }
}

function ranksOf(
  { name, access, rows }: Table,
  instanceFile: string,
  from: TableFrom | null,
  rankFile: string | undefined,
): { order: RankSource; ranks: RowRanks } {
  if (from?.by === "counts" && access.kind === "counts") {
    if (rankFile !== undefined) {
      const advice = "leave its rank file out";
      throw new InputError(
        `expected the order of the counts of "${name}", by which its rows move; ${advice}`,
        rankFile,
      );
    }
    const path = resolveBeside(instanceFile, access.file);
    const open = () => groupedCounts(readRowCounts(path, rows), tiersBefore(from, rows), rows);
    return { order: "counts", ranks: groupedRanks(open, access.samples, rows, path) };
  }
  if (rankFile !== undefined) return { order: "rank-file", ranks: fileRanks(rankFile, rows) };
  if (access.kind === "counts") {
    const path = resolveBeside(instanceFile, access.file);
    return { order: "counts", ranks: countRanks(() => readRowCounts(path, rows), access.samples, rows, path) };
  }
  return { order: "identity", ranks: identityRanks(rows) };
}

async function writeRows(
  { rows }: Table,
  ranks: AsyncIterable<RanksChunk>,
  placement: RowPlacement,
  { sink, delta }: { readonly sink: RemapSink; readonly delta: RowDelta | null },
  onRows: (rows: number) => void,
): Promise<RemapTable["files"]> {
  const codes = new Uint8Array(CHUNK_ROWS);
  const indices = new Float64Array(CHUNK_ROWS);
  let done = 0;
  try {
    for await (const { ranks: chunk, before } of ranks) {
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

/** Ranks of rows in the order of row ids, beside the tiers that the rows were in (see `tiersBefore`). */
interface RanksChunk {
  readonly ranks: Float64Array;
  readonly before: Uint8Array | null;
}

async function* plain(ranks: RowRanks): AsyncGenerator<RanksChunk> {
  for await (const chunk of ranks) yield { ranks: chunk, before: null };
}

/** Beside the ranks of rows the tiers that they were in: by row id, or where their order is the same, by rank. */
async function* codesBefore({ rows }: Table, from: TableFrom | null, ranks: RowRanks): AsyncGenerator<RanksChunk> {
  if (from?.by === "counts") {
    for await (const { counts: chunk, groups } of groupedCounts(ranks, tiersBefore(from, rows), rows)) {
      yield { ranks: chunk, before: groups };
    }
    return;
  }
  const then = from === null ? null : new TierCodes(from.runs);
  for await (const chunk of ranks) {
    yield { ranks: chunk, before: Uint8Array.from(chunk, (rank) => then?.at(rank) ?? NEW_ROW) };
  }
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
