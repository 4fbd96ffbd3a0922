import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../duckdb/open.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import type { LogFormat } from "./options.js";

/**
 * The files that names and patterns (`*`, `?`, `**`) stand for: in the order given, those of a pattern by name. Throws
 * `InputError` when there is none.
 */
export async function logFiles(connection: DuckDBConnection, patterns: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const pattern of patterns) files.push(...(await filesOf(connection, pattern)));
  if (files.length === 0) throw new InputError("expected a log of accesses, received no file");
  return [...new Set(files)];
}

async function filesOf(connection: DuckDBConnection, pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch((error: Error) => error);
  if (!(found instanceof Error)) {
    if (!found.isDirectory()) return [pattern];
    throw new InputError(
      "expected a log of accesses, received a directory; name its files, as in DIR/*.parquet",
      pattern,
    );
  }
  if (!/[*?[]/.test(pattern)) {
    throw fileError(found, pattern, "a log that can be read", { advice: "check the path" });
  }
  const rows = (await connection.runAndReadAll(`SELECT file FROM glob(${sqlText(pattern)}) ORDER BY file`)).getRows();
  if (rows.length > 0) return rows.map(([file]) => String(file));
  throw new InputError("expected a pattern of files, received one that no file matches; check the path", pattern);
}

/** The format of all files. Throws `InputError` when a name does not say it, or they differ. */
export function logFormat(files: readonly string[], asked: LogFormat | undefined): "text" | "parquet" {
  if (asked !== undefined) return asked === "parquet" ? "parquet" : "text";
  const formats = files.map(formatOf);
  const [first] = formats as ["text" | "parquet"];
  const other = formats.findIndex((format) => format !== first);
  if (other === -1) return first;
  throw new InputError(
    "expected files of one format, received text and Parquet; profile one after the other",
    files[other],
  );
}

function formatOf(file: string): "text" | "parquet" {
  const name = file.toLowerCase().replace(/\.(gz|zst)$/, "");
  if (name.endsWith(".parquet") || name.endsWith(".pq")) return "parquet";
  if (/\.(csv|tsv|txt)$/.test(name)) return "text";
  const message =
    "expected a file whose name ends in .csv, .tsv, .txt or .parquet (text also with .gz or .zst), received another; say --format csv, tsv or parquet";
  throw new InputError(message, file);
}
