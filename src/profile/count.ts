import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, sqlText } from "../access/duckdb/open.js";
import { asNumber, oneRow, streamRows } from "../access/duckdb/rows.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { stageFile } from "../files/staged-file.js";
import { INTEGER_PATTERN } from "./ids.js";
import type { Log } from "./opened-log.js";
import { NO_DELIMITER } from "./raw-lines.js";
import { isNoFault, strictly } from "./session.js";
import { aggregateSql } from "./sql/aggregate.js";

/** Accesses of each row into the table `accesses_per_row`. Returns whether lines end in one way only. */
export function aggregate(connection: DuckDBConnection, log: Log): Promise<boolean> {
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
export async function countsOf(connection: DuckDBConnection, log: Log): Promise<[number, number][]> {
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
export async function writeRanks(connection: DuckDBConnection, file: string): Promise<void> {
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
