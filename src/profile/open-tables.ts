import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { parquetSql, sqlText } from "../access/duckdb/open.js";
import { asNumber, oneRow } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import { countSamples } from "./count.js";
import { openLog } from "./log.js";
import { type Counted, OF_SAMPLES } from "./opened-log.js";
import type { LogOptions } from "./options.js";
import { strictly } from "./session.js";

/**
 * Opens a log of which a column says the table of each line, or counts by table, as one log a table: equal ids of different
 * tables are different rows. How many samples there are is said, or in the lines of the table `*`, or told from a column.
 * Lines without a row id have no access.
 *
 * Throws `InputError` for what is wrong with files, columns or a line, and where nothing says how many samples there are.
 */
export async function openTables(
  connection: DuckDBConnection,
  patterns: readonly string[],
  asked: readonly string[] | "all",
  options: LogOptions,
  folder: string,
): Promise<Counted> {
  // What ids are, each table says for itself.
  const written: LogOptions = { ...options, ids: "texts", mayBeMissing: true };
  const log = await openLog(connection, patterns, written, folder);
  const staged = join(folder, "tables.parquet");
  // A table's lines stand together, so that no other's are read for it.
  const copy = (strict: boolean) =>
    connection.run(`COPY (SELECT * FROM ${log.from(strict)} ORDER BY "table") TO ${sqlText(staged)} (FORMAT parquet)`);
  await strictly(copy, log.findFault);
  const read = parquetSql([staged]);
  const lines = { ...log, from: () => `(SELECT * FROM ${read} WHERE "table" <> '${OF_SAMPLES}') AS log` };
  const [nameless] = await oneRow(connection, `SELECT COUNT(*) FROM ${read} WHERE "table" IS NULL`);
  if (asNumber(nameless) > 0) await log.findFault();
  const [file] = log.files as [string, ...string[]];
  const samples = options.samples ?? (await samplesIn(connection, read, log.hasWeight));
  if (samples === 0 && !log.hasSample) {
    const message = `expected a line of the column ${OF_SAMPLES}, whose accesses are the samples, received none; say --samples N, or --sample COLUMN`;
    throw new InputError(message, file);
  }
  const found = await tableNames(connection, read);
  if (found.length === 0) throw new InputError("expected accesses, received none of any table", file);
  const names = asked === "all" ? found : asked;
  for (const name of names) requireTable(name, found, file);
  const isThere = log.list === undefined ? ` AND trim(CAST("row" AS VARCHAR)) <> ''` : "";
  return {
    files: log.files,
    samples: samples === 0 ? await countSamples(connection, lines, true) : samples,
    columns: names.map((name) => ({
      name,
      log: {
        ...log,
        from: () => `(SELECT * FROM ${read} WHERE "table" = ${sqlText(name)}${isThere}) AS log`,
        hasSample: false,
        ids: log.ids === "native" ? "native" : (options.ids ?? "either"),
      },
    })),
  };
}

/** The accesses of the table `*`; 0 where there are none. */
async function samplesIn(connection: DuckDBConnection, read: string, hasWeight: boolean): Promise<number> {
  if (!hasWeight) return 0;
  const [samples] = await oneRow(connection, `SELECT SUM("weight") FROM ${read} WHERE "table" = '${OF_SAMPLES}'`);
  return asNumber(samples ?? 0);
}

/** In the order of their numbers, where names differ by one. */
async function tableNames(connection: DuckDBConnection, read: string): Promise<string[]> {
  const rows = await connection.runAndReadAll(`SELECT DISTINCT "table" FROM ${read} WHERE "table" <> '${OF_SAMPLES}'`);
  const names = rows.getRows().map(([name]) => String(name));
  return names.sort(new Intl.Collator("en", { numeric: true }).compare);
}

function requireTable(name: string, found: readonly string[], file: string): void {
  if (found.includes(name)) return;
  const meant = didYouMean(name, found);
  const advice = meant === undefined ? "" : `; ${meant}`;
  const message = `--columns: expected some of the counted columns ${found.join(", ")}, received ${name}${advice}`;
  throw new InputError(message, file);
}
