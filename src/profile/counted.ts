import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, sqlText } from "../access/duckdb/open.js";
import { asNumber, oneRow, streamRows } from "../access/duckdb/rows.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { stageFile } from "../files/staged-file.js";
import { INTEGER_PATTERN } from "./ids.js";
import type { Log, LogOptions, ProfileOptions } from "./options.js";
import { type Profile, profileOf } from "./profile.js";
import { NO_DELIMITER } from "./raw-lines.js";
import { isNoFault, strictly, watched } from "./session.js";
import { settleIds } from "./settle-ids.js";
import { aggregateSql, ENTRY } from "./sql/aggregate.js";

/** Accesses of each row into the table `accesses_per_row`. Returns whether lines end in one way only. */
function aggregate(connection: DuckDBConnection, log: Log): Promise<boolean> {
  const run = (strict: boolean) => {
    const weight = log.hasWeight ? "weight" : undefined;
    const source = { from: log.from(strict), row: "row", list: log.list, weight };
    return connection.run(`CREATE TABLE accesses_per_row AS ${aggregateSql(source, "duckdb")}`);
  };
  return strictly(run, log.findFault);
}

/** How many samples there are: distinct ones where a column says, else lines. */
export async function countSamples(connection: DuckDBConnection, log: Log, strict: boolean): Promise<number> {
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

/** [accesses, rows with so many], falling, of the table `accesses_per_row`. */
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

/** Its row ids in falling order of accesses. */
async function writeRanks(connection: DuckDBConnection, file: string): Promise<void> {
  const sql = "SELECT row_id FROM accesses_per_row ORDER BY accesses DESC, row_id ASC";
  await copyTo(connection, sql, file, `(FORMAT csv, HEADER false, DELIMITER '${NO_DELIMITER}', QUOTE '', ESCAPE ''`);
}

/**
 * Its row ids and their accesses as a counts file in Parquet, where ids are integers of a table with so many rows, 0 the first.
 * Returns whether they are; else there is no file.
 */
export async function writeRowCounts(connection: DuckDBConnection, file: string, rows: number): Promise<boolean> {
  const [areRows] = await oneRow(connection, `SELECT MIN(row_id) >= 0 AND MAX(row_id) < ${rows} FROM accesses_per_row`);
  if (areRows !== true) return false;
  const sql = "SELECT CAST(row_id AS BIGINT) AS row_id, accesses FROM accesses_per_row ORDER BY row_id";
  await copyTo(connection, sql, file, "(FORMAT parquet");
  return true;
}

/** Writes what a query has, whole or not at all. */
export async function copyTo(connection: DuckDBConnection, query: string, file: string, form: string): Promise<void> {
  const staged = await stageFile(file).catch((error: unknown) => {
    throw fileError(error, file, "a file that can be written");
  });
  try {
    await connection.run(`COPY (${query}) TO ${sqlText(staged.path)} ${form}, USE_TMP_FILE false)`);
    await staged.commit();
  } catch (error) {
    staged.abandon();
    if (isNoFault(error)) throw error;
    throw new InputError(`expected a file that can be written, received ${duckDbMessage(error)}`, file);
  }
}

/**
 * Accesses per row of a log, or of one column of it, into the table `accesses_per_row`, and what is to be said of them.
 * Returns whether lines end in one way only.
 */
export async function aggregated(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  column?: string,
): Promise<boolean> {
  const strict = await watched(connection, options, "accesses", () => aggregate(connection, log), column);
  await notePadding(connection, log, strict, options, column);
  return strict;
}

export interface Counting {
  /** Of several. */
  readonly column?: string;
  /** `strict`: whether lines end in one way only. */
  readonly samplesOf: (strict: boolean) => Promise<number>;
  readonly tableRows: number | undefined;
  /** Where to write the row ids in falling order of accesses. */
  readonly rankFile: string | undefined;
}

/** {@link aggregated}, and how often rows are read; `null` where there is no access. */
export async function counted(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  { column, samplesOf, tableRows, rankFile }: Counting,
): Promise<{ readonly profile: Profile; readonly areIntegers: boolean } | null> {
  const samples = await samplesOf(await aggregated(connection, log, options, column));
  const areIntegers = await settleIds(connection, log, options, column);
  const counts = await countsOf(connection, log);
  if (counts.length === 0) return null;
  const profile = profileOf({ counts, samples, tableRows, files: log.files, column });
  if (rankFile !== undefined) {
    await watched(connection, options, "ranks", () => writeRanks(connection, rankFile), column);
  }
  return { profile, areIntegers };
}

/** Lists that are looked at. */
const LISTS = 10_000;

/** The share of lists whose end is one id twice, or whose beginning is, from which that is said. */
const SHARE = 0.25;

/** Of the lists that end with some id twice, those of the one id: where others do too, it is no padding. */
const OF_REPEATED = 0.9;

/**
 * Says where one id, twice or more, stands at the ends or the beginnings of a column's first lists: histories are filled so
 * to one length, and the id is then the hottest row of a table that nobody reads.
 */
async function notePadding(
  connection: DuckDBConnection,
  { list, from }: Log,
  strict: boolean,
  { skip, onNote }: LogOptions,
  column: string | undefined,
): Promise<void> {
  if (list === undefined || onNote === undefined || skip !== undefined) return;
  const entries = list === "array" ? `"row"` : `regexp_extract_all("row", ${sqlText(ENTRY)})`;
  const side = (end: string, at: number, beside: number) =>
    `SELECT '${end}' AS side, CAST(ids[${at}] AS VARCHAR) AS id, count(*) AS filled, sum(count(*)) OVER () AS repeated FROM lists WHERE ids[${at}] = ids[${beside}] GROUP BY ids[${at}]`;
  const sql = `WITH lists AS (SELECT ${entries} AS ids FROM (SELECT "row" FROM ${from(strict)} LIMIT ${LISTS}) AS first WHERE len(${entries}) > 1)
    SELECT side, id, filled, (SELECT count(*) FROM lists) AS of FROM (${side("ends", -1, -2)} UNION ALL ${side("beginnings", 1, 2)}) AS sides
    WHERE filled >= ${OF_REPEATED} * repeated ORDER BY filled DESC, side DESC LIMIT 1`;
  const [found] = (await connection.runAndReadAll(sql)).getRows();
  if (found === undefined) return;
  const [end, id, filled, of] = found;
  if (asNumber(filled) < 2 || asNumber(filled) < SHARE * asNumber(of)) return;
  const which = column === undefined ? "" : `column "${column}": `;
  const skipped = column === undefined ? id : `${column}=${id}`;
  onNote(`${which}${id} fills the ${end} of ${filled} of ${of} lists; if it is padding, say --skip ${skipped}`);
}
