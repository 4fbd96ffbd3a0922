import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlName } from "../access/duckdb/open.js";
import { INTEGER, NUMERIC, WIDE_DECIMAL } from "../access/duckdb/parquet-columns.js";
import { InputError } from "../errors/input-error.js";
import { askedColumns, columnIndex } from "./asked-columns.js";
import { areIdsSql, type Column, idType, reasonToLeaveOut } from "./id-types.js";
import { isListSql, LIST_EXPECTED, listSql, missingSql } from "./ids.js";
import type { Log } from "./opened-log.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { type ParquetFiles, parquetFiles, readParquet, requireNone, requireOneKind } from "./parquet-files.js";
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
