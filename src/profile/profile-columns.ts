import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { aggregate, countSamples, countsOf, writeRanks } from "./count.js";
import type { Counted } from "./counted.js";
import { openColumns } from "./open-columns.js";
import type { Log } from "./opened-log.js";
import type { ProfileOptions, ProfileProgress } from "./options.js";
import { openPartials, writePartialFile } from "./partial.js";
import { type Profile, profileOf } from "./profile.js";
import { watched, withSession } from "./session.js";
import { settleIds } from "./settle-ids.js";

/** Options of a log of several columns: what is said of one table is said by column. */
export interface ColumnsOptions extends Omit<ProfileOptions, "row" | "list" | "rows" | "rankFile" | "isAggregate"> {
  /** Rows of the tables that are known. */
  readonly rowsOf?: Readonly<Record<string, number>>;
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
    return countedAll(connection, opened, options);
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
    await writePartialFile(connection, opened, file, async (name, log) => {
      await watched(connection, progressOf(options, name), "accesses", () => aggregate(connection, log));
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
    return countedAll(connection, opened, options);
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
    openColumns(connection, patterns, columns, options, folder),
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
): Promise<LogProfile> {
  const profiled: { name: string; profile: Profile }[] = [];
  for (const { name, log } of columns) {
    profiled.push({ name, profile: await counted(connection, name, log, samples, options) });
  }
  return { samples, files, columns: profiled };
}

/** One column of a log. */
async function counted(
  connection: DuckDBConnection,
  column: string,
  log: Log,
  samples: number,
  options: ColumnsOptions,
): Promise<Profile> {
  const watch = <T>(stage: ProfileProgress["stage"], work: () => Promise<T>) =>
    watched(connection, progressOf(options, column), stage, work);
  await watch("accesses", () => aggregate(connection, log));
  await settleIds(connection, log);
  const counts = await countsOf(connection, log);
  if (counts.length === 0) {
    const message = `column "${column}": expected accesses, received none; leave it out of --columns`;
    throw new InputError(message, log.files[0]);
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
