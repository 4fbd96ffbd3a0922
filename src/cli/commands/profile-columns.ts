import type { Command } from "commander";
import { UsageError } from "../../errors/usage-error.js";
import {
  type ColumnsOptions,
  type LogProfile,
  mergePartials,
  profileColumns,
  writePartial,
} from "../../profile/profile-columns.js";
import { showLogProfile } from "../show/profile.js";
import { EXIT, note, requireWritable, warn, writeResult } from "../terminal/streams.js";
import { presetOf } from "./init.js";
import { runPlan } from "./plan.js";
import { type Base, baseOf, CountedInstance } from "./profile-instance.js";
import { interruptible, libraryOptions, type ProfileCommandOptions, requireTaken } from "./profile-options.js";

/** A column of the log, and the table that it is of. */
interface Asked {
  readonly table: string;
  readonly column: string;
  /** Whether its texts are lists; otherwise their looks say it. */
  readonly isList?: boolean;
}

/** `shardproof profile merge FILES…`. */
export function runProfileMerge(files: readonly string[], options: ProfileCommandOptions, command: Command) {
  return runProfileColumns(files, { ...options, merge: true }, command);
}

/** `shardproof profile columns EVENTS…`. */
export async function runProfileColumns(
  events: readonly string[],
  options: ProfileCommandOptions,
  command: Command,
): Promise<number> {
  requireTaken(command);
  requireFitting(events, options);
  const { out, quiet = false, partial, instance, plan } = options;
  await requireWritable(out, plan);
  const base = await baseOf(instance, presetOf(options.preset), options);
  const asked = askedOf(options, base);
  const columns = asked === "all" ? asked : asked.map(({ column }) => column);
  const marked = asked === "all" ? [] : asked.filter(({ isList }) => isList).map(({ column }) => column);
  const lists = [...marked, ...(options.table === undefined ? (options.list?.split(",") ?? []) : [])];
  if (partial === true) {
    const file = out as string;
    const done = await interruptible(options, (signal, line) =>
      writePartial(events, columns, file, { ...columnsOptions(options, signal, line), lists }),
    );
    if (done === null) return EXIT.interrupted;
    note(`wrote ${file}: ${done} samples`, quiet);
    return EXIT.solved;
  }
  const rowsOf =
    asked === "all" ? base.rows : Object.fromEntries(asked.map((one) => [one.column, base.rows[one.table]]));
  const count = options.merge === true ? mergePartials : profileColumns;
  const instanceOut = out === undefined ? null : new CountedInstance(out, base);
  const profile = await interruptible(options, async (signal, line) => {
    const given = { ...columnsOptions(options, signal, line), lists, rowsOf: known(rowsOf) };
    const countsFolder = instanceOut?.countsFolder;
    const keeping = countsFolder === undefined ? given : { ...given, countsFolder };
    return named(await count(events, columns, keeping), asked);
  }).catch((error: unknown) => {
    instanceOut?.abandon();
    throw error;
  });
  if (profile === null) {
    instanceOut?.abandon();
    return EXIT.interrupted;
  }
  if (instanceOut !== null) {
    const said = await instanceOut.write(profile);
    if (said !== null) warn(said, quiet);
    note(`wrote ${out}`, quiet);
  }
  if (plan !== undefined)
    return runPlan(out as string, { out: plan, quiet, ...(options.json === true ? { json: true } : {}) });
  await writeResult(options.json === true ? `${JSON.stringify(profile)}\n` : showLogProfile(profile));
  return EXIT.solved;
}

function requireFitting(events: readonly string[], options: ProfileCommandOptions): void {
  const { table, columns, instance, preset, dim, out, plan, partial, merge, row, rows, fromAggregate } = options;
  if (row !== undefined && options.list !== undefined) throw new UsageError("give --row or --list, not both");
  if (fromAggregate !== undefined) {
    throw new UsageError(
      "--from-aggregate is of one column; profile merge adds up several, --table reads a file of all tables",
    );
  }
  if (events.length === 0) throw new UsageError("expected a log: EVENTS; see shardproof profile columns --help");
  if (events.includes("-")) throw new UsageError("several columns are read from files: standard input is read once");
  if (table !== undefined && merge === true)
    throw new UsageError("give --table or --merge, whose tables are its columns");
  if (rows !== undefined) throw new UsageError("--rows is of one column; an instance's tables say theirs");
  if (table === undefined && row !== undefined && columns !== undefined) {
    throw new UsageError("--columns names the columns: it takes no --row");
  }
  if (table === undefined && row !== undefined && partial !== true)
    throw new UsageError(
      "--row is of one column; give --columns, or --table where a column says which table a line is of",
    );
  if (partial === true && merge === true) throw new UsageError("give --partial or --merge, not both");
  if (partial === true && (out === undefined || !/\.parquet$/i.test(out))) {
    throw new UsageError("--partial needs --out FILE.parquet");
  }
  if (partial === true && (instance ?? preset ?? dim ?? plan) !== undefined) {
    throw new UsageError("--partial counts alone: --instance, --preset, --dim and --plan go with profile merge");
  }
  if (instance !== undefined && (preset ?? dim ?? options.dataType) !== undefined) {
    throw new UsageError("--preset, --dim and --data-type make an instance: they do not go with --instance");
  }
  if (plan !== undefined && out === undefined) throw new UsageError("--plan needs --out FILE.yaml, the instance");
  const isCounted =
    partial === true || merge === true || table !== undefined || columns !== undefined || row !== undefined;
  if (!isCounted && instance === undefined)
    throw new UsageError("expected --columns NAMES (all: every column of ids) or --instance FILE");
  if (out !== undefined && partial !== true && instance === undefined && dim === undefined) {
    throw new UsageError("--out FILE.yaml needs --instance FILE, or --dim N (and perhaps --preset) to make one");
  }
}

/** What is to be counted: as the options say, or the tables of the instance by their names. */
function askedOf({ table, columns, row, merge, partial }: ProfileCommandOptions, base: Base): readonly Asked[] | "all" {
  if (columns === "all") return "all";
  if (columns !== undefined) return columns.split(",").map(pairOf);
  if (row !== undefined && table === undefined) return [{ table: row, column: row }];
  if (base.tables.length > 0) return base.tables.map((name) => ({ table: name, column: name }));
  if (merge === true || table !== undefined) return "all";
  throw new UsageError(
    `expected --columns NAMES${partial === true ? " or --row COLUMN" : ": the instance has no tables"}`,
  );
}

function pairOf(text: string): Asked {
  const [, table, column, list] = /^(?:([^=]+)=)?(.+?)(\[\])?$/.exec(text) ?? [];
  if (column === undefined) throw new UsageError("--columns: expected names between commas, received an empty one");
  return { table: table ?? column, column, isList: list !== undefined };
}

/** With the tables' names in the place of the columns'. */
function named({ columns, ...profile }: LogProfile, asked: readonly Asked[] | "all"): LogProfile {
  const tables = asked === "all" ? columns.map(({ name }) => name) : asked.map(({ table }) => table);
  return { ...profile, columns: columns.map((column, k) => ({ ...column, name: tables[k] as string })) };
}

function columnsOptions(...given: Parameters<typeof libraryOptions>): ColumnsOptions {
  const { row, list, rows, rankFile, isAggregate, ...others } = libraryOptions(...given);
  const ofTables = {
    ...(others.table === undefined || row === undefined ? {} : { row }),
    ...(others.table === undefined || list === undefined ? {} : { list }),
  };
  return { ...others, ...ofTables, ...(rankFile === undefined ? {} : { rankFolder: rankFile }) };
}

function known(rows: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).filter((pair): pair is [string, number] => pair[1] !== undefined));
}
