import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import { type Profile, writeCountsCsv, writeProfile } from "../../profile/profile.js";
import { profileLog } from "../../profile/profile-log.js";
import { printedColumnsSql, printedSql } from "../../profile/sql/aggregate.js";
import { showProfile } from "../show/profile.js";
import type { StatusLine } from "../terminal/status-line.js";
import { EXIT, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { interruptible, libraryOptions, type ProfileCommandOptions, requireTaken } from "./profile-options.js";

/** `shardproof profile EVENTS…`, and `profile count`. */
export async function runProfile(
  events: readonly string[],
  options: ProfileCommandOptions,
  command: Command,
): Promise<number> {
  requireTaken(command);
  if (options.row !== undefined && options.list !== undefined) throw new UsageError("give --row or --list, not both");
  if (options.printSql === true) {
    await writeResult(sqlOf(events, options));
    return EXIT.solved;
  }
  if (options.dialect !== undefined) throw new UsageError("--dialect goes with profile sql");
  if (isOfColumns(options)) return (await import("./profile-columns.js")).runProfileColumns(events, options, command);
  await requireWritable(options.out, options.rankFile);
  const profile = await interruptible(options, (signal, line) => profileFiles(events, options, signal, line));
  if (profile === null) return EXIT.interrupted;
  const text = writeProfile(profile);
  const isCsv = options.out?.toLowerCase().endsWith(".csv") === true;
  await writeNoted(options.out, () => (isCsv ? writeCountsCsv(profile) : text), options.quiet);
  await writeResult(options.json === true ? text : showProfile(profile));
  return EXIT.solved;
}

/** `shardproof profile sql TABLE`. */
export function runProfileSql(table: string | undefined, options: ProfileCommandOptions, command: Command) {
  return runProfile(table === undefined ? [] : [table], { ...options, printSql: true }, command);
}

/** Whether it is of several columns, or counts that are to be added up. */
function isOfColumns(options: ProfileCommandOptions): boolean {
  const { table, columns, instance, preset, dim, dataType, plan, partial, merge } = options;
  return [table, columns, instance, preset, dim, dataType, plan, partial, merge].some((given) => given !== undefined);
}

async function profileFiles(
  events: readonly string[],
  options: ProfileCommandOptions,
  signal: AbortSignal,
  line: StatusLine,
): Promise<Profile> {
  const { fromAggregate, samples } = options;
  if (fromAggregate === undefined && events.length === 0)
    throw new UsageError("expected a log: EVENTS; see shardproof profile count --help");
  if (fromAggregate !== undefined && events.length > 0) {
    throw new UsageError("give EVENTS or --from-aggregate FILE, not both");
  }
  if (fromAggregate !== undefined && samples === undefined) {
    throw new UsageError("--from-aggregate needs --samples N: accesses per row do not say how many samples there were");
  }
  const files = fromAggregate ?? events;
  const read = libraryOptions(options, signal, line);
  if (!files.includes("-")) return profileLog(files, read);
  if (files.length > 1) throw new UsageError("standard input cannot stand beside files");
  // The first lines are looked at before all are read: what cannot be read twice is put on disk.
  const folder = await mkdtemp(join(options.tempDirectory ?? tmpdir(), "shardproof-stdin-"));
  try {
    const file = join(folder, "standard-input");
    await pipeline(process.stdin, createWriteStream(file), { signal });
    const profile = await profileLog([file], { ...read, format: options.format ?? "csv" });
    return { ...profile, files: ["-"] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function sqlOf(events: readonly string[], options: ProfileCommandOptions): string {
  const { dialect = "duckdb", row, list, sample, weight, columns } = options;
  if (events.length > 1) throw new UsageError("profile sql is of one table; give its name, or none");
  if (options.table !== undefined) {
    throw new UsageError(
      "profile sql is of one table a column; count by the column of tables too, and give the result to --table",
    );
  }
  if (options.skip !== undefined) {
    throw new UsageError(
      "profile sql takes no --skip: give it where the result is counted, by --from-aggregate or profile merge",
    );
  }
  if (options.null !== undefined) {
    throw new UsageError("profile sql takes no --null: make such texts NULL in the table, or in a view of it");
  }
  if (list !== undefined && weight !== undefined) throw new UsageError("--weight goes with one row id per line");
  const [table = "events"] = events;
  // A file's name says which table only to whoever loads it; a dot parts a schema from a table.
  const isFile = /[/\\*?]|\.(csv|tsv|txt|parquet|pq|gz|zst)$/i.test(table) || table === "-";
  const isText = /\.(csv|tsv|txt)(\.gz|\.zst)?$/i.test(table) || options.format === "csv" || options.format === "tsv";
  const from = { dialect, table: isFile ? "events" : table, ...given({ sample, weight }) };
  if (columns !== undefined) {
    if (columns === "all" || columns.includes("=") || row !== undefined || list !== undefined) {
      throw new UsageError(
        "profile sql of several columns names each in --columns, and takes no --row, --list or TABLE=",
      );
    }
    return printedColumnsSql({ ...from, columns: columns.split(",") });
  }
  const column = list ?? row;
  if (column === undefined) throw new UsageError("profile sql needs --row COLUMN or --list COLUMN, or --columns A,B");
  return printedSql({ ...from, row: column, ...(list === undefined ? {} : { list: isText ? "text" : "array" }) });
}
