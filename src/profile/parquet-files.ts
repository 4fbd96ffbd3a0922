import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, parquetSql, sqlName, sqlText } from "../access/duckdb/open.js";
import { parquetColumns } from "../access/duckdb/parquet-columns.js";
import { requireParquetFooter } from "../access/duckdb/parquet-footer.js";
import { streamRows } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { type Column, idType } from "./id-types.js";
import type { LogFile } from "./raw-lines.js";

/** Names for what DuckDB adds: the file that a row is from, and its number there. */
const [PATH, NUMBER] = ["shardproof path", "file_row_number"];

/** What Hive writes for a missing value of a key. */
const NO_KEY = "__HIVE_DEFAULT_PARTITION__";

/** Parquet files that are read as one, by the names of their columns. */
export interface ParquetFiles {
  readonly files: readonly LogFile[];
  /** In the order in which the files bring them, of the wider type where files differ. */
  readonly columns: readonly Column[];
  /** Keys in the names of folders (`day=3`) that are no columns of the files. */
  readonly keys: readonly string[];
}

/** Throws `InputError` when the files cannot be read. */
export async function parquetFiles(connection: DuckDBConnection, files: readonly LogFile[]): Promise<ParquetFiles> {
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
export function readParquet({ files, keys }: ParquetFiles, asked: readonly string[] = []): string {
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
export async function requireNone(
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
export async function requireOneKind(
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
