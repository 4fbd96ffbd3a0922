import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, openDuckDb, sqlText } from "../duckdb/open.js";
import { asNumber, oneRow, streamRows } from "../duckdb/rows.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { stageFile } from "../files/staged-file.js";
import { INTEGER_PATTERN } from "./ids.js";
import { openLog } from "./log.js";
import type { Log } from "./opened-log.js";
import type { ProfileOptions, ProfileProgress } from "./options.js";
import { type Profile, profileOf } from "./profile.js";
import { NO_DELIMITER } from "./raw-lines.js";
import { settleIds } from "./settle-ids.js";
import { aggregateSql } from "./sql/aggregate.js";

/** Milliseconds between two reports of progress. */
const REPORT_MILLISECONDS = 200;

/**
 * How often each row is read, from a log of accesses: one access per line (columns for the row, the sample and perhaps a
 * weight), or one sample per line with the list of its row ids. Files are text (CSV, TSV, also packed) or Parquet;
 * patterns stand for many. DuckDB does the work, on disk what memory does not hold.
 *
 * Throws `InputError`, with file, line and column where there is one, for a log that cannot be read or is malformed, for
 * options that do not fit it, and without DuckDB; what `signal` was aborted with, when it was.
 */
export async function profileLog(patterns: readonly string[], options: ProfileOptions = {}): Promise<Profile> {
  const { memoryLimit, threads, temporaryFolder = tmpdir(), signal } = options;
  signal?.throwIfAborted();
  const folder = await mkdtemp(join(temporaryFolder, "shardproof-profile-")).catch((error: unknown) => {
    const advice = "check the path";
    throw fileError(error, temporaryFolder, "a folder for temporary files", { kind: "folder", advice });
  });
  try {
    const { connection, close } = await openDuckDb("profiling a log", {
      temporaryFolder: folder,
      ...(memoryLimit === undefined ? {} : { memoryLimit }),
      ...(threads === undefined ? {} : { threads }),
    });
    const interrupt = () => connection.interrupt();
    signal?.addEventListener("abort", interrupt);
    try {
      return await profileWith(connection, patterns, options, folder);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof InputError ? error : readableError(error);
    } finally {
      signal?.removeEventListener("abort", interrupt);
      close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function profileWith(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: ProfileOptions,
  folder: string,
) {
  if (options.onProgress !== undefined) {
    // DuckDB measures progress only where it would show it.
    await connection.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false");
  }
  const log = await openLog(connection, patterns, options, folder);
  const { samples: given, rows: tableRows, rankFile } = options;
  if (given === undefined && !log.hasSample && log.list === undefined) {
    const message =
      "expected --sample COLUMN or --samples N, received neither: lines that are one access each do not say how many samples there are";
    throw new InputError(message, log.files[0]);
  }
  if (log.list !== undefined && log.hasWeight) {
    throw new InputError("expected --weight beside one row id per line, received it beside lists of ids", log.files[0]);
  }
  const watch = <T>(stage: ProfileProgress["stage"], work: () => Promise<T>) =>
    watched(connection, options, stage, work);
  const strict = await watch("accesses", () => aggregate(connection, log));
  const samples = given ?? (await watch("samples", () => countSamples(connection, log, strict)));
  await settleIds(connection, log);
  const counts = await countsOf(connection, log);
  if (counts.length === 0) throw new InputError("expected accesses, received a log without any", log.files[0]);
  const profile = profileOf({ counts, samples, tableRows, files: log.files });
  if (rankFile !== undefined) await watch("ranks", () => writeRanks(connection, rankFile));
  return profile;
}

/** Accesses of each row into the table `accesses_per_row`. Returns whether lines end in one way only. */
async function aggregate(connection: DuckDBConnection, log: Log): Promise<boolean> {
  const run = (strict: boolean) => {
    const source = {
      from: log.from(strict),
      row: "row",
      ...(log.list === undefined ? {} : { list: log.list }),
      ...(log.hasWeight ? { weight: "weight" } : {}),
    };
    return connection.run(`CREATE TABLE accesses_per_row AS ${aggregateSql(source, "duckdb")}`);
  };
  try {
    await run(true);
    return true;
  } catch (error) {
    if (isInterrupt(error) || isOutOfMemory(error)) throw error;
    await log.findFault();
    // Nothing is wrong with any line: DuckDB's strict reader refuses files that end lines in two ways.
    if (!/state machine/.test(duckDbMessage(error))) throw error;
    await run(false);
    return false;
  }
}

async function countSamples(connection: DuckDBConnection, log: Log, strict: boolean): Promise<number> {
  if (!log.hasSample) return asNumber((await oneRow(connection, `SELECT COUNT(*) FROM ${log.from(strict)}`))[0]);
  const distinct = `SELECT DISTINCT "sample" FROM ${log.from(strict)}`;
  const isInteger = `regexp_full_match(trim(CAST("sample" AS VARCHAR)), '${INTEGER_PATTERN}')`;
  const [all, named, integers] = await oneRow(
    connection,
    `SELECT COUNT(*), COUNT("sample"), COUNT(*) FILTER (WHERE ${isInteger}) FROM (${distinct}) AS samples`,
  );
  if (asNumber(all) !== asNumber(named)) {
    await log.findFault();
    throw new Error("a sample is null, and none was found");
  }
  if (asNumber(integers) !== asNumber(named)) return asNumber(named);
  // Integers are numbers, however they are written.
  const numbers = `SELECT COUNT(DISTINCT CAST(trim(CAST("sample" AS VARCHAR)) AS HUGEINT)) FROM (${distinct}) AS samples`;
  return asNumber((await oneRow(connection, numbers))[0]);
}

async function countsOf(connection: DuckDBConnection, log: Log): Promise<[number, number][]> {
  const sql = "SELECT accesses, COUNT(*) FROM accesses_per_row GROUP BY accesses ORDER BY accesses DESC";
  const counts: [number, number][] = [];
  for await (const rows of streamRows(connection, sql)) {
    for (const [accesses, ofCount] of rows) counts.push([asNumber(accesses), asNumber(ofCount)]);
  }
  if ((counts[0]?.[0] ?? 0) > Number.MAX_SAFE_INTEGER) {
    throw new InputError("expected a row to have up to 2^53 − 1 accesses, received more", log.files[0]);
  }
  return counts;
}

async function writeRanks(connection: DuckDBConnection, file: string): Promise<void> {
  const staged = await stageFile(file).catch((error: unknown) => {
    throw fileError(error, file, "a file that can be written");
  });
  try {
    await connection.run(`COPY (SELECT row_id FROM accesses_per_row ORDER BY accesses DESC, row_id ASC)
      TO ${sqlText(staged.path)} (FORMAT csv, HEADER false, DELIMITER '${NO_DELIMITER}', QUOTE '', ESCAPE '',
      USE_TMP_FILE false)`);
    await staged.commit();
  } catch (error) {
    staged.abandon();
    if (isInterrupt(error) || isOutOfMemory(error)) throw error;
    throw new InputError(`expected a file that can be written, received ${duckDbMessage(error)}`, file);
  }
}

/** Does the work unless it was interrupted before, and reports how far it is. */
async function watched<T>(
  connection: DuckDBConnection,
  { onProgress, signal }: ProfileOptions,
  stage: ProfileProgress["stage"],
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const report = () => onProgress?.({ stage, percentage: connection.progress.percentage });
  const timer = setInterval(report, REPORT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function isInterrupt(error: unknown): boolean {
  return /^INTERRUPT/i.test(duckDbMessage(error));
}

function isOutOfMemory(error: unknown): boolean {
  return /^Out of Memory/i.test(duckDbMessage(error));
}

function readableError(error: unknown): Error {
  if (!isOutOfMemory(error)) return new InputError(`the log cannot be read: ${duckDbMessage(error)}`);
  const message =
    "memory and the temporary folder are full; raise --memory-limit, or give a --temp-directory with more room";
  return new InputError(message);
}
