import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, sqlName } from "../duckdb/open.js";
import { requireParquetFooter } from "../duckdb/parquet-footer.js";
import { streamRows } from "../duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { columnIndex } from "./columns.js";
import { hasSamples, rowOption } from "./csv-layout.js";
import { isListSql, LIST_EXPECTED, listSql, looksLikeList } from "./ids.js";
import type { Log } from "./opened-log.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { literalPath } from "./raw-lines.js";

const INTEGER = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;
const TEXT = /^(VARCHAR|UUID|BLOB)$/;
const NUMERIC = /^(FLOAT|DOUBLE|DECIMAL\(.*\))$/;

/** Values that are looked at to tell whether a column of texts holds lists. */
const EXAMPLES = 1000;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The names of the columns that can hold row ids, or lists of them. Throws `InputError` when the files cannot be read. */
export async function idColumns(connection: DuckDBConnection, files: readonly string[]): Promise<string[]> {
  for (const file of files) await requireParquetFooter(file);
  const columns = await columnsOf(connection, `read_parquet([${files.map(literalPath).join(", ")}])`, files);
  return columns.filter(({ type }) => isIdType(type.replace(/\[\d*\]$/, ""))).map(({ name }) => name);
}

function isIdType(type: string): boolean {
  return INTEGER.test(type) || TEXT.test(type);
}

/** A log in Parquet files. */
export async function openParquetLog(
  connection: DuckDBConnection,
  files: readonly string[],
  options: LogOptions,
): Promise<Log> {
  for (const file of files) await requireParquetFooter(file);
  const read = `read_parquet([${files.map(literalPath).join(", ")}])`;
  const columns = await columnsOf(connection, read, files);
  const [file] = files as [string];
  const names = columns.map(({ name }) => name);
  const find = (column: string, option: string) =>
    columns[columnIndex(column, names, names.length, option, file)] as Column;
  const { list, sample, weight, isAggregate } = options;
  const row = find(list ?? options.row ?? defaultRow(names, options, file), rowOption(options));
  const element = /^(.*)\[\d*\]$/.exec(row.type)?.[1];
  const isText = TEXT.test(row.type);
  const mayBeList = weight === undefined && isAggregate !== true;
  const isWritten =
    isText && (list !== undefined || (mayBeList && (await hasLists(connection, read, row.name, hasSamples(options)))));
  if (list !== undefined && element === undefined && !isText) {
    throw new InputError(`--list: expected a column of lists, received "${row.name}" of ${row.type}`, file);
  }
  const idType = element ?? row.type;
  if (!isIdType(idType)) {
    throw new InputError(
      `column "${row.name}": expected row ids that are integers or texts, received ${row.type}`,
      file,
    );
  }
  const sampleColumn = sample === undefined ? undefined : find(sample, "--sample");
  const usual = isAggregate === true ? (names.includes("accesses") ? "accesses" : "2") : undefined;
  const weightName = weight ?? usual;
  const weightColumn = weightName === undefined ? undefined : find(weightName, "--weight");
  if (weightColumn && !INTEGER.test(weightColumn.type) && !NUMERIC.test(weightColumn.type)) {
    throw new InputError(
      `column "${weightColumn.name}": expected numbers of accesses, received ${weightColumn.type}`,
      file,
    );
  }
  const written = /^(UUID|BLOB)$/.test(row.type) ? `CAST(${sqlName(row.name)} AS VARCHAR)` : sqlName(row.name);
  const selected = [`${isWritten ? listSql(written) : written} AS "row"`];
  if (sampleColumn) selected.push(`${sqlName(sampleColumn.name)} AS "sample"`);
  if (weightColumn) {
    const name = sqlName(weightColumn.name);
    selected.push(
      `CASE WHEN ${isWhole(name)} THEN CAST(${name} AS BIGINT) ELSE error('no whole number') END AS "weight"`,
    );
  }
  return {
    files,
    from: () => `(SELECT ${selected.join(", ")} FROM ${read}) AS log`,
    list: element !== undefined ? "array" : isWritten ? "text" : undefined,
    hasSample: sampleColumn !== undefined,
    hasWeight: weightColumn !== undefined,
    ids: INTEGER.test(idType) ? "native" : (options.ids ?? "either"),
    findFault: async () => {
      const ids = sqlName(row.name);
      const isBad = isWritten
        ? `NOT ${isListSql(written)}`
        : element === undefined
          ? `${ids} IS NULL`
          : `${ids} IS NOT NULL AND list_count(${ids}) <> len(${ids})`;
      if (isWritten || options.mayBeMissing !== true)
        await requireNone(connection, files, row.name, isBad, isWritten ? LIST_EXPECTED : "a row id");
      if (sampleColumn !== undefined)
        await requireNone(connection, files, sampleColumn.name, `${sqlName(sampleColumn.name)} IS NULL`, "a sample");
      if (weightColumn !== undefined) {
        const condition = `NOT coalesce(${isWhole(sqlName(weightColumn.name))}, false)`;
        await requireNone(connection, files, weightColumn.name, condition, "a whole number of accesses");
      }
    },
  };
}

function isWhole(name: string): string {
  return `${name} >= 0 AND ${name} <= 9007199254740991 AND ${name} = floor(${name})`;
}

async function columnsOf(connection: DuckDBConnection, read: string, files: readonly string[]): Promise<Column[]> {
  try {
    const rows = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${read}`)).getRows();
    return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
  } catch (error) {
    throw new InputError(`expected Parquet files that can be read, received ${duckDbMessage(error)}`, files[0]);
  }
}

function defaultRow(names: readonly string[], { isAggregate }: ProfileOptions, file: string): string {
  const usual = ["row_id", "row"].find((name) => names.includes(name));
  if (usual !== undefined) return usual;
  if (names.length === 1 || isAggregate === true) return "1";
  throw new InputError(`expected --row COLUMN, received none; the columns are ${names.join(", ")}`, file);
}

async function hasLists(connection: DuckDBConnection, read: string, name: string, samples: boolean): Promise<boolean> {
  const sql = `SELECT ${sqlName(name)} FROM ${read} WHERE ${sqlName(name)} IS NOT NULL LIMIT ${EXAMPLES}`;
  return (await connection.runAndReadAll(sql)).getRows().some(([value]) => looksLikeList(String(value), samples));
}

async function requireNone(
  connection: DuckDBConnection,
  files: readonly string[],
  column: string,
  condition: string,
  expected: string,
): Promise<void> {
  const value = sqlName(column);
  for (const file of files) {
    const sql = `SELECT file_row_number, CAST(${value} AS VARCHAR) FROM read_parquet(${literalPath(file)}, file_row_number = true)
      WHERE ${condition} ORDER BY file_row_number LIMIT 1`;
    for await (const [[row, found] = []] of streamRows(connection, sql)) {
      const message = `row ${row} (from 0), column "${column}": expected ${expected}, received ${found ?? "null"}; correct the file`;
      throw new InputError(message, file);
    }
  }
}
