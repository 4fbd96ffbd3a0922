import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../errors/usage-error.js";
import type { LogFormat, ProfileOptions } from "../../profile/options.js";
import { type Profile, writeCountsCsv, writeProfile } from "../../profile/profile.js";
import { profileLog } from "../../profile/profile-log.js";
import { printedSql } from "../../profile/sql/aggregate.js";
import type { DialectName } from "../../profile/sql/dialect.js";
import { showProfile } from "../show/profile.js";
import { EXIT } from "../terminal/exit-status.js";
import { StatusLine } from "../terminal/status-line.js";
import { note, writeOutput, writeResult } from "../terminal/streams.js";
import { requireFolder } from "./plan.js";

export interface ProfileCommandOptions {
  readonly row?: string;
  readonly list?: string;
  readonly sample?: string;
  readonly samples?: number;
  readonly weight?: string;
  readonly rows?: number;
  readonly rankFile?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly format?: LogFormat;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly header?: boolean;
  readonly ids?: "integers" | "texts";
  readonly memoryLimit?: string;
  readonly tempDirectory?: string;
  readonly fromAggregate?: readonly string[];
  readonly printSql?: boolean;
  readonly dialect?: DialectName;
}

/** `shardproof profile EVENTS…`. */
export async function runProfile(events: readonly string[], options: ProfileCommandOptions): Promise<number> {
  if (options.row !== undefined && options.list !== undefined) throw new UsageError("give --row or --list, not both");
  if (options.printSql === true) {
    await writeResult(sqlOf(events, options));
    return EXIT.solved;
  }
  if (options.dialect !== undefined) throw new UsageError("--dialect goes with --print-sql");
  for (const file of [options.out, options.rankFile]) if (file !== undefined) await requireFolder(file);
  const abort = new AbortController();
  const onInterrupt = () => abort.abort(new Interrupted());
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  const line = new StatusLine(options.quiet === true);
  let profile: Profile;
  try {
    profile = await profileFiles(events, options, abort.signal, line);
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  } finally {
    line.clear();
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
  const text = writeProfile(profile);
  if (options.out !== undefined) {
    await writeOutput(options.out, options.out.toLowerCase().endsWith(".csv") ? writeCountsCsv(profile) : text);
    note(`wrote ${options.out}`, options.quiet === true);
  }
  await writeResult(options.json === true ? text : showProfile(profile));
  return EXIT.solved;
}

class Interrupted extends Error {}

async function profileFiles(
  events: readonly string[],
  options: ProfileCommandOptions,
  signal: AbortSignal,
  line: StatusLine,
): Promise<Profile> {
  const { fromAggregate, samples } = options;
  if (fromAggregate === undefined && events.length === 0)
    throw new UsageError("expected a log: EVENTS; see shardproof profile --help");
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

function libraryOptions(options: ProfileCommandOptions, signal: AbortSignal, line: StatusLine): ProfileOptions {
  const { out, json, quiet, tempDirectory, fromAggregate, printSql, dialect, ...read } = options;
  return {
    ...read,
    memoryLimit: read.memoryLimit ?? halfOfMemory(),
    ...(tempDirectory === undefined ? {} : { temporaryFolder: tempDirectory }),
    ...(fromAggregate === undefined ? {} : { isAggregate: true }),
    signal,
    onProgress: ({ stage, percentage }) =>
      // Negative while it is not known.
      line.show(() => [STAGES[stage], ...(percentage < 0 ? [] : [`${percentage.toFixed(0)} %`])]),
  };
}

const STAGES = { accesses: "counting accesses", samples: "counting samples", ranks: "ranking rows" } as const;

/** Of the machine, or of the container. */
function halfOfMemory(): string {
  const limit = process.constrainedMemory();
  const bytes = limit !== undefined && limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return `${Math.floor(bytes / 2 ** 21)}MiB`;
}

function sqlOf(events: readonly string[], options: ProfileCommandOptions): string {
  const { dialect = "duckdb", row, list, sample, weight } = options;
  if (events.length > 1) throw new UsageError("--print-sql is of one table; give its name, or none");
  if (list !== undefined && weight !== undefined) throw new UsageError("--weight goes with one row id per line");
  const [table = "events"] = events;
  // A file's name says which table only to whoever loads it; a dot parts a schema from a table.
  const isFile = /[/\\*?]|\.(csv|tsv|txt|parquet|pq|gz|zst)$/i.test(table) || table === "-";
  const isText = /\.(csv|tsv|txt)(\.gz|\.zst)?$/i.test(table) || options.format === "csv" || options.format === "tsv";
  const column = list ?? row;
  if (column === undefined) throw new UsageError("--print-sql needs --row COLUMN or --list COLUMN");
  return printedSql({
    dialect,
    table: isFile ? "events" : table,
    row: column,
    ...(list === undefined ? {} : { list: isText ? "text" : "array" }),
    ...(sample === undefined ? {} : { sample }),
    ...(weight === undefined ? {} : { weight }),
  });
}
