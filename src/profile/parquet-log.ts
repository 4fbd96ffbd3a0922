import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, parquetSql, sqlName, sqlText } from "../access/duckdb/open.js";
import { INTEGER, NUMERIC, parquetColumns, WIDE_DECIMAL } from "../access/duckdb/parquet-columns.js";
import { requireParquetFooter } from "../access/duckdb/parquet-footer.js";
import { streamRows } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { askedColumns, columnIndex } from "./asked-columns.js";
import { areIdsSql, type Column, idType, reasonToLeaveOut } from "./id-types.js";
import { isListSql, LIST_EXPECTED, listSql, missingSql } from "./ids.js";
import type { Log, LogOptions, ProfileOptions } from "./options.js";
import type { LogFile } from "./raw-lines.js";
import { readTexts, type Texts } from "./texts.js";
import { isWholeSql, wholeSql } from "./whole-numbers.js";

/** Values that are looked at to tell whether a column of texts holds lists. */
const EXAMPLES = 1000;

/**
 * The names of the columns that hold row ids, or lists of them; a note says which others there are, and why they are left
 * out. Throws `InputError` when the files cannot be read.
 */
export async function idColumns(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  { sample, weight, onNote }: ProfileOptions,
): Promise<string[]> {
  const parquet = await parquetFiles(connection, files);
  const asked = parquet.columns.filter(({ name }) => name !== sample && name !== weight);
  const reasons = new Map(asked.map((column) => [column, reasonToLeaveOut(column)]));
  // Doubles are looked at: whole ones are integers of which some were missing.
  const doubles = asked.filter((column) => reasons.get(column) === undefined && areIdsSql(column) !== undefined);
  if (doubles.length > 0) {
    const sql = `SELECT ${doubles.map(areIdsSql).join(", ")} FROM ${readParquet(parquet)}`;
    const [are = []] = (await connection.runAndReadAll(sql)).getRows();
    doubles.forEach((column, k) => {
      if (are[k] !== true) reasons.set(column, `${column.type} with fractions, or none that is whole below 2^53`);
    });
  }
  for (const [{ name }, reason] of reasons) {
    if (reason !== undefined) onNote?.(`column "${name}" is left out: ${reason}`);
  }
  return asked.filter((column) => reasons.get(column) === undefined).map(({ name }) => name);
}

/** A log in Parquet files. */
export async function openParquetLog(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  options: LogOptions,
): Promise<Log> {
  const parquet = await parquetFiles(connection, files);
  const { list, table, sample, ids } = options;
  const columns = [...parquet.columns, ...parquet.keys.map((name) => ({ name, type: "VARCHAR" }))];
  const [{ name: file }] = files as [LogFile];
  const names = columns.map(({ name }) => name);
  const find = (column: string, option: string) => {
    const found = columns[columnIndex(column, names, names.length, option, file)] as Column;
    if (found.type !== WIDE_DECIMAL) return found;
    const message = `column "${found.name}": expected values that DuckDB has a type for, received ${found.type}; write it as integers or texts`;
    throw new InputError(message, file);
  };
  const none = { rows: "--row COLUMN, received none", file };
  const { row, ...beside } = askedColumns(names, options, find, none);
  const { table: tableColumn, sample: sampleColumn, weight: weightColumn } = beside;
  if (ids === undefined) await requireOneKind(connection, parquet, [row.name]);
  const type = idType(row.type);
  if (type === undefined) {
    const message = `column "${row.name}": expected row ids that are integers or texts, received ${row.type}`;
    throw new InputError(message, file);
  }
  if (list !== undefined && type.depth === 0 && type.kind !== "text") {
    throw new InputError(`--list: expected a column of lists, received "${row.name}" of ${row.type}`, file);
  }
  // As texts numbers come from JSON.
  const isText = weightColumn?.type === "VARCHAR";
  if (weightColumn && !isText && !INTEGER.test(weightColumn.type) && !NUMERIC.test(weightColumn.type)) {
    const message = `column "${weightColumn.name}": expected numbers of accesses, received ${weightColumn.type}`;
    throw new InputError(message, file);
  }
  const read = readParquet(parquet, [row.name, ...[table, sample].filter((name) => name !== undefined)]);
  const isSingleText = type.depth === 0 && type.kind === "text";
  const written = isSingleText
    ? missingSql(type.ids(sqlName(row.name)), options.missing ?? [])
    : type.ids(sqlName(row.name));
  const texts = isSingleText ? readTexts(row.name, await examples(connection, read, written), options) : undefined;
  const selected = [`${texts?.isList ? listSql(written, texts) : written} AS "row"`];
  if (tableColumn) selected.push(`CAST(${sqlName(tableColumn.name)} AS VARCHAR) AS "table"`);
  if (sampleColumn) selected.push(`${sqlName(sampleColumn.name)} AS "sample"`);
  if (weightColumn) selected.push(`${wholeSql(sqlName(weightColumn.name), isText)} AS "weight"`);
  return {
    files: files.map(({ name }) => name),
    from: () => `(SELECT ${selected.join(", ")} FROM ${read}) AS log`,
    list: type.depth > 0 ? "array" : texts?.isList ? "text" : undefined,
    hasSample: sampleColumn !== undefined,
    hasWeight: weightColumn !== undefined,
    ids: type.kind === "text" ? (ids ?? "either") : "native",
    findFault: async () => {
      await requireIds(connection, parquet, row, written, texts, options);
      for (const [column, expected] of [
        [tableColumn, "a table"],
        [sampleColumn, "a sample"],
      ] as const) {
        if (column === undefined || parquet.keys.includes(column.name)) continue;
        await requireNone(connection, parquet, column.name, `${sqlName(column.name)} IS NULL`, expected);
      }
      if (weightColumn !== undefined) {
        const condition = `NOT coalesce(${isWholeSql(sqlName(weightColumn.name), isText)}, false)`;
        await requireNone(connection, parquet, weightColumn.name, condition, "a whole number of accesses");
      }
    },
  };
}

async function requireIds(
  connection: DuckDBConnection,
  parquet: ParquetFiles,
  { name, type }: Column,
  written: string,
  texts: Texts | undefined,
  { mayBeMissing }: LogOptions,
): Promise<void> {
  if (parquet.keys.includes(name)) return;
  const column = sqlName(name);
  const ids = idType(type);
  const require = (condition: string, expected: string) => requireNone(connection, parquet, name, condition, expected);
  if (ids?.isOther !== undefined) await require(ids.isOther(column), ids.expected);
  if (texts?.isList) {
    await require(`NOT ${isListSql(written, texts)}`, LIST_EXPECTED);
  } else if ((ids?.depth ?? 0) > 0) {
    const missing = `${column} IS NOT NULL AND list_count(${ids?.ids(column)}) <> len(${ids?.ids(column)})`;
    await require(missing, "a row id in every place of a list (--skip null leaves missing ones out)");
  } else if (mayBeMissing !== true)
    await require(`${written} IS NULL`, "a row id (--skip null leaves missing ones out)");
}

async function examples(connection: DuckDBConnection, read: string, value: string): Promise<string[]> {
  const sql = `SELECT value FROM (SELECT ${value} AS value FROM ${read}) AS texts WHERE value IS NOT NULL LIMIT ${EXAMPLES}`;
  return (await connection.runAndReadAll(sql)).getRows().map(([text]) => String(text));
}

/** Names for what DuckDB adds: the file that a row is from, and its number there. */
const [PATH, NUMBER] = ["shardproof path", "file_row_number"];

/** What Hive writes for a missing value of a key. */
const NO_KEY = "__HIVE_DEFAULT_PARTITION__";

/** Parquet files that are read as one, by the names of their columns. */
interface ParquetFiles {
  readonly files: readonly LogFile[];
  /** In the order in which the files bring them, of the wider type where files differ. */
  readonly columns: readonly Column[];
  /** Keys in the names of folders (`day=3`) that are no columns of the files. */
  readonly keys: readonly string[];
}

/** Throws `InputError` when the files cannot be read. */
async function parquetFiles(connection: DuckDBConnection, files: readonly LogFile[]): Promise<ParquetFiles> {
  for (const { path } of files) await requireParquetFooter(path);
  const columns = await columnsOf(connection, files);
  const names = new Set(columns.map(({ name }) => name));
  const [first, ...others] = files.map(({ path }) => keysOf(path)) as [string[], ...string[][]];
  const keys = first.filter((key) => !names.has(key) && others.every((other) => other.includes(key)));
  return { files, columns, keys };
}

/**
 * What stands behind FROM. Folders are no columns of their own: a key that is asked for is read from the file's path, and
 * one that a file has as a column is that column.
 */
function readParquet({ files, keys }: ParquetFiles, asked: readonly string[] = []): string {
  const wanted = keys.filter((key) => asked.includes(key));
  if (wanted.length === 0) return scanOf(files);
  const path = sqlName(PATH);
  const columns = wanted.map(
    (key) =>
      `nullif(url_decode(regexp_extract(${path}, ${sqlText(`/${escaped(key)}=([^/]*)/`)}, 1)), '${NO_KEY}') AS ${sqlName(key)}`,
  );
  return `(SELECT *, ${columns.join(", ")} FROM (SELECT * REPLACE ('/' || ${path} AS ${path}) FROM ${scanOf(files, `filename = ${sqlText(PATH)}`)}))`;
}

function scanOf(files: readonly LogFile[], ...more: string[]): string {
  return parquetSql(
    files.map(({ path }) => path),
    ["union_by_name = true", ...more],
  );
}

/**
 * Throws `InputError` for the first value of a column for which `condition` is true, with its file and row; returns where
 * there is none.
 */
async function requireNone(
  connection: DuckDBConnection,
  { files }: ParquetFiles,
  column: string,
  condition: string,
  expected: string,
): Promise<void> {
  const paths = files.map(({ path }) => sqlText(path)).join(", ");
  const path = sqlName(PATH);
  const sql = `SELECT ${path}, ${NUMBER}, CAST(${sqlName(column)} AS VARCHAR)
    FROM ${scanOf(files, `filename = ${sqlText(PATH)}`, "file_row_number = true")}
    WHERE ${condition} ORDER BY list_position([${paths}], ${path}), ${NUMBER} LIMIT 1`;
  for await (const [[path, row, found] = []] of streamRows(connection, sql)) {
    const message = `row ${row} (from 0), column "${column}": expected ${expected}, received ${shown(String(found ?? "null"))}; correct the file`;
    throw new InputError(message, files.find((file) => file.path === path)?.name ?? (files[0] as LogFile).name);
  }
}

/**
 * Throws `InputError` where files have texts, numbers or lists in a column by turns: what is one id in both, no type says.
 * A file without the column, or without a value in it, has neither.
 */
async function requireOneKind(
  connection: DuckDBConnection,
  { files }: ParquetFiles,
  asked: readonly string[],
): Promise<void> {
  const first = new Map<string, { readonly kind: string; readonly file: string; readonly type: string }>();
  for (const file of files.length === 1 ? [] : files) {
    for (const { name, type } of await columnsOf(connection, [file])) {
      const ids = idType(type);
      if (!asked.includes(name) || type === '"NULL"') continue;
      const kind =
        ids === undefined ? type : `${ids.kind === "text" ? "texts" : "numbers"}${"[]".repeat(Math.min(ids.depth, 1))}`;
      const other = first.get(name);
      if (other !== undefined && other.kind !== kind) {
        const message = `column "${name}": expected ${other.type} as in ${basename(other.file)}, received ${type}; write it alike in all files, or profile them apart`;
        throw new InputError(message, file.name);
      }
      if (other === undefined) first.set(name, { kind, file: file.name, type });
    }
  }
}

async function columnsOf(connection: DuckDBConnection, files: readonly LogFile[]): Promise<Column[]> {
  try {
    const paths = files.map(({ path }) => path);
    return await parquetColumns(connection, scanOf(files), paths);
  } catch (error) {
    throw new InputError(`expected Parquet files that can be read, received ${duckDbMessage(error)}`, files[0]?.name);
  }
}

/** `day` and `hour` of `log/day=1/hour=2/part.parquet`. */
function keysOf(path: string): string[] {
  return [...path.matchAll(/(?<=^|\/)([^/=]+)=[^/]*(?=\/)/g)].map(([, key]) => key as string);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
