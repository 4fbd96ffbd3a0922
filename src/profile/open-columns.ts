import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { parquetSql, sqlText } from "../access/duckdb/open.js";
import { InputError } from "../errors/input-error.js";
import { type CsvLayout, csvLayout, findFault } from "./csv-layout.js";
import { INDEX_REASON, isIndexName } from "./id-types.js";
import { besideRow, logOf, openFiles, readCsv, requireSameHeader, rowOf } from "./log.js";
import { logFiles } from "./log-files.js";
import type { Log, LogOptions, ProfileOptions } from "./options.js";
import { idColumns } from "./parquet-log.js";
import type { LogFile } from "./raw-lines.js";
import { strictly } from "./session.js";

/** A log with several columns of row ids. Lines without an id have no access of that column. */
export interface ColumnsLog {
  readonly files: readonly string[];
  /** As they were asked for. */
  readonly columns: readonly { readonly name: string; readonly log: Log }[];
  /** The lines, those without ids too. */
  readonly lines: Log;
}

/**
 * Opens a log for several of its columns, of which those of texts among `lists` hold lists; `all`: every one that can hold ids, but for sample and weight. Text is read once,
 * into a Parquet file in `folder`: each column is then counted by itself, and nothing but it is read for that.
 *
 * Throws `InputError` for what is wrong with files, columns or a line.
 */
export async function openColumns(
  connection: DuckDBConnection,
  patterns: readonly string[],
  asked: readonly string[] | "all",
  lists: readonly string[],
  options: ProfileOptions,
  folder: string,
): Promise<ColumnsLog> {
  const listed = await logFiles(connection, patterns, options, folder);
  const own: LogOptions = { ...options, mayBeMissing: true, option: "--columns" };
  if (listed.isText) return openTextColumns(connection, listed.files, asked, lists, own, folder);
  const names = listed.files.map(({ name }) => name);
  const columns = asked === "all" ? some(await idColumns(connection, listed.files, options), names) : asked;
  const logs: Log[] = [];
  for (const row of columns) logs.push(await openFiles(connection, listed, optionsOf(row, lists, own)));
  return columnsLog(names, columns, logs);
}

/** The options for one column. */
function optionsOf(row: string, lists: readonly string[], options: LogOptions): LogOptions {
  return { ...options, row, ...(lists.includes(row) ? { list: row } : {}) };
}

function columnsLog(files: readonly string[], names: readonly string[], logs: readonly Log[]): ColumnsLog {
  return {
    files,
    columns: names.map((name, k) => ({ name, log: withoutMissing(logs[k] as Log) })),
    lines: { ...(logs[0] as Log), list: undefined },
  };
}

async function openTextColumns(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  asked: readonly string[] | "all",
  lists: readonly string[],
  options: LogOptions,
  folder: string,
): Promise<ColumnsLog> {
  const [first] = files as [LogFile];
  const names = files.map(({ name }) => name);
  const columns = asked === "all" ? await textColumns(connection, first, options) : asked;
  const layouts: CsvLayout[] = [];
  for (const row of columns) layouts.push(await csvLayout(connection, first, optionsOf(row, lists, options)));
  const [layout] = layouts as [CsvLayout];
  for (const file of files.slice(1)) await requireSameHeader(connection, file, layout);
  const staged = join(folder, "columns.parquet");
  await stage(connection, files, layouts, staged);
  const logs = layouts.map((own, k) =>
    logOf(connection, files, own, () => `${rowOf(`"${k}"`, own)}${beside(own)} FROM ${parquetSql([staged])}`),
  );
  return columnsLog(names, columns, logs);
}

/** The header's names, or where there is none numbers from 1. An index is left out, and said to be. */
async function textColumns(connection: DuckDBConnection, first: LogFile, options: LogOptions): Promise<string[]> {
  const { onNote, ...silent } = options;
  const { names, columns } = await csvLayout(connection, first, { ...silent, row: "1" });
  const all = names ?? Array.from({ length: columns }, (_, k) => String(k + 1));
  const asked = all.filter((name) => name !== options.sample && name !== options.weight);
  for (const name of asked) {
    if (isIndexName(name)) onNote?.(`column "${name}" is left out: ${INDEX_REASON}`);
  }
  return some(
    asked.filter((name) => !isIndexName(name)),
    [first.name],
  );
}

function some(columns: readonly string[], files: readonly string[]): string[] {
  if (columns.length > 0) return [...columns];
  throw new InputError("expected columns of row ids, received none; name them with --columns", files[0]);
}

/** The columns that are asked for as texts, in the order of the layouts, into a Parquet file. */
async function stage(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  layouts: readonly CsvLayout[],
  staged: string,
): Promise<void> {
  const [layout] = layouts as [CsvLayout];
  const selected = layouts.map(({ row }, k) => `c${row} AS "${k}"`).join(", ");
  const copy = (strict: boolean) =>
    connection.run(
      `COPY (SELECT ${selected}${besideRow(layout)} FROM ${readCsv(files, layout, strict)}) TO ${sqlText(staged)} (FORMAT parquet)`,
    );
  await strictly(copy, async () => {
    for (const own of layouts) await findFault(connection, files, own);
  });
}

function beside({ sample, weight }: CsvLayout): string {
  return `${sample === undefined ? "" : ', "sample"'}${weight === undefined ? "" : ', "weight"'}`;
}

/** Of the lines that have an id; an entry of a list is one. */
function withoutMissing(log: Log): Log {
  if (log.list !== undefined) return log;
  const isThere = log.ids === "native" ? `"row" IS NOT NULL` : `trim(CAST("row" AS VARCHAR)) <> ''`;
  return { ...log, from: (strict) => `(SELECT * FROM ${log.from(strict)} WHERE ${isThere}) AS present` };
}
