import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { oneRow, streamRows } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { entriesOf, INTEGER_PATTERN } from "../profile/ids.js";
import { openLog } from "../profile/log.js";
import type { Log } from "../profile/opened-log.js";
import type { LogFormat, LogOptions } from "../profile/options.js";
import { withSession } from "../profile/session.js";
import type { EventReader } from "./event-log.js";

/** Which columns of a log are what, as `profile` is told; columns are named, or numbered from 1. */
export interface LogColumns {
  readonly row?: string;
  readonly list?: string;
  readonly sample?: string;
  readonly format?: LogFormat;
}

/** Whether a log is one that only `profile` reads: not text in the two forms of {@link readEvents}. */
export function isProfiledLog(file: string, columns: LogColumns): boolean {
  return Object.keys(columns).length > 0 || /\.(parquet|pq|tsv|gz|zst)$/i.test(file) || /[*?[]/.test(file);
}

/**
 * Reads a log that `profile` reads, its samples in the order of a column of samples, where one is named, else each line as a
 * sample; a line without a row id is a sample without a lookup. Ids are what `profile` writes into a rank file. Throws
 * `InputError` as `profile` does.
 */
export async function readProfiledLog(file: string, columns: LogColumns, reader: EventReader): Promise<void> {
  await withSession({}, async (connection, folder) => {
    const options: LogOptions = { ...columns, mayBeMissing: true };
    const log = await openLog(connection, [file], options, folder);
    const sample = log.hasSample ? `, CAST("sample" AS VARCHAR)` : "";
    const order = log.hasSample ? ` ORDER BY "sample"` : "";
    const idOf = await idsOf(connection, log);
    await connection.run("SET preserve_insertion_order = true");
    let open: DuckDBValue | undefined;
    try {
      for await (const rows of streamRows(connection, `SELECT "row"${sample} FROM ${log.from(true)}${order}`)) {
        for (const [value, key] of rows) {
          if (open !== undefined && (!log.hasSample || key !== open)) reader.endSample();
          open = log.hasSample ? (key ?? null) : true;
          for (const id of idsIn(value, log)) reader.lookup(idOf(id));
        }
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      await log.findFault();
      throw error;
    }
    if (open !== undefined) reader.endSample();
  });
}

function* idsIn(value: DuckDBValue | undefined, { list }: Log): Generator<string> {
  if (value === null || value === undefined) return;
  if (list === "array") {
    for (const item of (value as { readonly items: readonly DuckDBValue[] }).items) yield String(item);
  } else if (list === "text") {
    for (const { id } of entriesOf(String(value))) yield id;
  } else if (String(value).trim() !== "") {
    yield String(value);
  }
}

/** Integers are numbers, however they are written, where all ids are integers. */
async function idsOf(connection: DuckDBConnection, log: Log): Promise<(id: string) => string> {
  if (log.ids === "native" || log.ids === "texts") return (id) => id;
  const number = (id: string) => (/^\s*[+-]?\d+\s*$/.test(id) ? String(BigInt(id.trim().replace(/^\+/, ""))) : id);
  if (log.ids === "integers" || log.list !== undefined) return number;
  const [others] = await oneRow(
    connection,
    `SELECT COUNT(*) FROM ${log.from(true)} WHERE NOT regexp_full_match(trim("row"), '${INTEGER_PATTERN}')`,
  );
  return Number(others) === 0 ? number : (id) => id;
}
