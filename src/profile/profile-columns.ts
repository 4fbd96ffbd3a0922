import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { parquetSql, sqlText } from "../access/duckdb/open.js";
import { asNumber, oneRow } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import { fileNames } from "../files/file-names.js";
import { aggregated, copyTo, counted, countSamples, writeRowCounts } from "./counted.js";
import { openLog } from "./log.js";
import { openColumns } from "./open-columns.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { type Counted, type Log, OF_SAMPLES } from "./options.js";
import type { Profile } from "./profile.js";
import { strictly, watched, withSession } from "./session.js";
import { leaveOut, requireAll, requireSkipped } from "./settle-ids.js";

/**
 * Options of a log of several columns, or with `table` of several tables in the lines of one: what is said of one table is said
 * by column. `row` and `list` go with `table` alone.
 */
export interface ColumnsOptions extends Omit<ProfileOptions, "rows" | "rankFile" | "isAggregate"> {
  /** Rows of the tables that are known. */
  readonly rowsOf?: Readonly<Record<string, number>>;
  /** Of the columns of texts, those that hold lists: what is between blanks, `|`, `;` or commas is an id each. */
  readonly lists?: readonly string[];
  /** A folder for the row ids of each column in falling order of accesses: `COLUMN.txt`. */
  readonly rankFolder?: string;
  /** A folder for the accesses of each column by row id, where ids are integers below its table's rows: `COLUMN.parquet`. */
  readonly countsFolder?: string;
}

/** How often the rows of several tables are read. */
export interface LogProfile {
  readonly samples: number;
  readonly files: readonly string[];
  readonly columns: readonly ProfiledColumn[];
}

export interface ProfiledColumn {
  readonly name: string;
  readonly profile: Profile;
  /** In the folder that was asked for; absent where ids are no rows of the table. */
  readonly countsFile?: string;
}

/**
 * How often the rows of several columns' tables are read. A line is a sample, unless a column or `samples` says otherwise;
 * what a column does not have in a line is no access. `all` is every column that can hold ids, but for those of the sample
 * and the weight. With `table` columns are the values of that one.
 *
 * Throws `InputError` as {@link profileLog} does, and for a column without any access.
 */
export async function profileColumns(
  patterns: readonly string[],
  columns: readonly string[] | "all",
  options: ColumnsOptions = {},
): Promise<LogProfile> {
  return withSession(options, async (connection, folder) => {
    const opened = await opening(connection, patterns, columns, options, folder);
    return countedAll(connection, opened, options, columns === "all");
  });
}

/** Columns of partial counts: what they are of, in words of {@link ProfileOptions}. */
const PARTIAL = { table: "column_name", row: "row_id", weight: "accesses" } as const;

/**
 * Counts a part of a log into a Parquet file, which {@link mergePartials} adds to others: the columns `column_name`, `row_id`
 * and `accesses`, and the samples as the accesses of the column `*`. Returns the samples.
 */
export async function writePartial(
  patterns: readonly string[],
  columns: readonly string[] | "all",
  file: string,
  options: ColumnsOptions = {},
): Promise<number> {
  return withSession(options, async (connection, folder) => {
    const opened = await opening(connection, patterns, columns, options, folder);
    requireSkipped(
      options,
      opened.columns.map(({ name }) => name),
    );
    await connection.run(
      `CREATE TABLE partial AS SELECT '${OF_SAMPLES}' AS column_name, '' AS row_id, CAST(${opened.samples} AS BIGINT) AS accesses`,
    );
    for (const { name, log } of opened.columns) {
      await aggregated(connection, log, options, name);
      await requireAll(connection, log, options, name);
      await leaveOut(connection, log.ids === "native" || log.ids === "integers", options, name);
      await connection.run(`INSERT INTO partial
      SELECT ${sqlText(name)}, CAST(row_id AS VARCHAR), accesses FROM accesses_per_row`);
      await connection.run("DROP TABLE accesses_per_row");
    }
    await copyTo(connection, "SELECT * FROM partial", file, "(FORMAT parquet");
    return opened.samples;
  });
}

/**
 * Adds up what {@link writePartial} wrote of the parts of a log, or a database by the printed SQL. Samples are added up too:
 * none may have lines in two parts, or `samples` says how many there are.
 */
export async function mergePartials(
  patterns: readonly string[],
  columns: readonly string[] | "all",
  options: ColumnsOptions = {},
): Promise<LogProfile> {
  return withSession(options, async (connection, folder) => {
    const merged = { ...options, ...PARTIAL, option: "--merge" };
    const opened = await openTables(connection, patterns, columns, merged, folder);
    return countedAll(connection, opened, options, false);
  });
}

async function opening(
  connection: DuckDBConnection,
  patterns: readonly string[],
  columns: readonly string[] | "all",
  options: ColumnsOptions,
  folder: string,
) {
  if (options.table !== undefined) {
    const tables = () => openTables(connection, patterns, columns, options, folder);
    return requireFittingWeights(await watched(connection, options, "reading", tables));
  }
  const opened = await watched(connection, options, "reading", () =>
    openColumns(connection, patterns, columns, options.lists ?? [], options, folder),
  );
  const { lines, files } = opened;
  if (lines.hasWeight && !lines.hasSample && options.samples === undefined) {
    const message =
      "expected --sample COLUMN or --samples N beside --weight, received neither: lines stand for several";
    throw new InputError(message, files[0]);
  }
  const count = () => watched(connection, options, "samples", () => countSamples(connection, lines, true));
  return { ...requireFittingWeights(opened), samples: options.samples ?? (await count()) };
}

/** Throws `InputError` for lists that are weighted: a weight is of one access. */
function requireFittingWeights<Opened extends Pick<Counted, "columns" | "files">>(opened: Opened): Opened {
  const listed = opened.columns.find(({ log }) => log.list !== undefined && log.hasWeight);
  if (listed === undefined) return opened;
  const message = `column "${listed.name}": expected --weight beside one row id per line, received it beside lists of ids`;
  throw new InputError(message, opened.files[0]);
}

async function countedAll(
  connection: DuckDBConnection,
  { columns, samples, files }: Counted,
  options: ColumnsOptions,
  areAll: boolean,
): Promise<LogProfile> {
  const profiled: ProfiledColumn[] = [];
  const names = columns.map(({ name }) => name);
  requireSkipped(options, names);
  const fileOf = fileNames(names);
  for (const [k, { name, log }] of columns.entries()) {
    const profile = await profiledColumn(connection, name, log, { samples, fileName: fileOf[k] as string }, options);
    if (profile !== undefined) profiled.push(profile);
    else if (areAll) options.onNote?.(`column "${name}" is left out: no line has a value in it`);
    else {
      const message = `column "${name}": expected accesses, received none; leave it out of --columns`;
      throw new InputError(message, log.files[0]);
    }
  }
  if (profiled.length === 0) throw new InputError("expected columns with accesses, received none", files[0]);
  return { samples, files, columns: profiled };
}

/** One column of a log; undefined where it has no access. */
async function profiledColumn(
  connection: DuckDBConnection,
  column: string,
  log: Log,
  { samples, fileName }: { readonly samples: number; readonly fileName: string },
  options: ColumnsOptions,
): Promise<ProfiledColumn | undefined> {
  const { countsFolder, rankFolder, rowsOf } = options;
  const found = await counted(connection, log, options, {
    column,
    samplesOf: async () => samples,
    tableRows: rowsOf?.[column],
    rankFile: rankFolder === undefined ? undefined : join(rankFolder, `${fileName}.txt`),
  });
  const countsFile = `${fileName}.parquet`;
  const hasFile =
    found?.areIntegers === true &&
    countsFolder !== undefined &&
    (await writeRowCounts(connection, join(countsFolder, countsFile), found.profile.rows));
  await connection.run("DROP TABLE accesses_per_row");
  return found === null ? undefined : { name: column, profile: found.profile, ...(hasFile ? { countsFile } : {}) };
}

/**
 * Opens a log of which a column says the table of each line, or counts by table, as one log a table: equal ids of different
 * tables are different rows. How many samples there are is said, or in the lines of the table `*`, or told from a column.
 * Lines without a row id have no access.
 *
 * Throws `InputError` for what is wrong with files, columns or a line, and where nothing says how many samples there are.
 */
async function openTables(
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
    const message = `expected --samples N or --sample COLUMN, received neither, and no line of a table ${OF_SAMPLES}, whose accesses are the samples`;
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
