import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { aggregate, countSamples, countsOf, writeRanks } from "./count.js";
import type { Counted } from "./counted.js";
import { openColumns } from "./open-columns.js";
import type { Log } from "./opened-log.js";
import type { ProfileOptions, ProfileProgress } from "./options.js";
import { notePadding } from "./padding.js";
import { openPartials, writePartialFile } from "./partial.js";
import { type Profile, profileOf } from "./profile.js";
import { watched, withSession } from "./session.js";
import { leaveOut, requireAll, requireSkipped, settleIds } from "./settle-ids.js";

/** Options of a log of several columns: what is said of one table is said by column. */
export interface ColumnsOptions extends Omit<ProfileOptions, "row" | "list" | "rows" | "rankFile" | "isAggregate"> {
  /** Rows of the tables that are known. */
  readonly rowsOf?: Readonly<Record<string, number>>;
  /** Of the columns of texts, those that hold lists: what is between blanks, `|`, `;` or commas is an id each. */
  readonly lists?: readonly string[];
  /** A folder for the row ids of each column in falling order of accesses: `COLUMN.txt`. */
  readonly rankFolder?: string;
}

/** How often the rows of several tables are read. */
export interface LogProfile {
  readonly samples: number;
  readonly files: readonly string[];
  readonly columns: readonly { readonly name: string; readonly profile: Profile }[];
}

/**
 * How often the rows of several columns' tables are read. A line is a sample, unless a column or `samples` says otherwise;
 * what a column does not have in a line is no access. `all` is every column that can hold ids, but for those of the sample
 * and the weight.
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
    await writePartialFile(connection, opened, file, async (name, log) => {
      const strict = await watched(connection, progressOf(options, name), "accesses", () => aggregate(connection, log));
      await notePadding(connection, log, strict, options, name);
      await requireAll(connection, log, options, name);
      await leaveOut(connection, log.ids === "native" || log.ids === "integers", options, name);
    });
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
    const opened = await openPartials(connection, patterns, columns, options, folder);
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
  const opened = await watched(connection, options, "reading", () =>
    openColumns(connection, patterns, columns, options.lists ?? [], options, folder),
  );
  const { lines, files } = opened;
  if (lines.hasWeight && !lines.hasSample && options.samples === undefined) {
    const message =
      "expected --sample COLUMN or --samples N beside --weight, received neither: lines stand for several";
    throw new InputError(message, files[0]);
  }
  const isListed = opened.columns.find(({ log }) => log.list !== undefined && log.hasWeight);
  if (isListed !== undefined) {
    const message = `column "${isListed.name}": expected --weight beside one row id per line, received it beside lists of ids`;
    throw new InputError(message, files[0]);
  }
  const count = () => watched(connection, options, "samples", () => countSamples(connection, lines, true));
  return { ...opened, samples: options.samples ?? (await count()) };
}

async function countedAll(
  connection: DuckDBConnection,
  { columns, samples, files }: Counted,
  options: ColumnsOptions,
  areAll: boolean,
): Promise<LogProfile> {
  const profiled: { name: string; profile: Profile }[] = [];
  requireSkipped(
    options,
    columns.map(({ name }) => name),
  );
  for (const { name, log } of columns) {
    const profile = await counted(connection, name, log, samples, options);
    if (profile !== undefined) profiled.push({ name, profile });
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
async function counted(
  connection: DuckDBConnection,
  column: string,
  log: Log,
  samples: number,
  options: ColumnsOptions,
): Promise<Profile | undefined> {
  const watch = <T>(stage: ProfileProgress["stage"], work: () => Promise<T>) =>
    watched(connection, progressOf(options, column), stage, work);
  const strict = await watch("accesses", () => aggregate(connection, log));
  await notePadding(connection, log, strict, options, column);
  await settleIds(connection, log, options, column);
  const counts = await countsOf(connection, log);
  if (counts.length === 0) {
    await connection.run("DROP TABLE accesses_per_row");
    return undefined;
  }
  const profile = profileOf({ counts, samples, tableRows: options.rowsOf?.[column], files: log.files, column });
  if (options.rankFolder !== undefined) {
    const file = join(options.rankFolder, `${column}.txt`);
    await watch("ranks", () => writeRanks(connection, file));
  }
  await connection.run("DROP TABLE accesses_per_row");
  return profile;
}

function progressOf(options: ColumnsOptions, column: string): ProfileOptions {
  const { onProgress, signal } = options;
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress({ ...progress, column }) }),
  };
}
