import type { Command, Option } from "commander";
import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import type { ProfileOptions } from "../../profile/options.js";
import type { PROFILE } from "../tables/profile.js";
import type { OptionsOf } from "../tables/table.js";
import { unlessInterrupted } from "../terminal/interrupt.js";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";
import { type StatusLine, withStatusLine } from "../terminal/status-line.js";
import { warn } from "../terminal/streams.js";

export type ProfileCommandOptions = OptionsOf<typeof PROFILE>;

/**
 * Throws `UsageError` for an option that is none of the command: `profile` knows those of all its commands, and takes them wherever
 * they stand.
 */
export function requireTaken(command: Command): void {
  const given = command.optsWithGlobals();
  const isTaken = ({ long }: Option) => command.options.some((option) => option.long === long);
  const other = command.parent?.options.find(
    (option) => given[option.attributeName()] !== undefined && !isTaken(option),
  );
  if (other === undefined) return;
  const called = `profile ${command.name()}`;
  throw new UsageError(`${called} takes no ${other.long}; see shardproof ${called} --help`);
}

/** Does work that Ctrl-C ends: then `null`. */
export async function interruptible<Result>(
  { quiet }: ProfileCommandOptions,
  work: (signal: AbortSignal, line: StatusLine) => Promise<Result>,
): Promise<Result | null> {
  return withStatusLine(quiet, (line) => unlessInterrupted((signal) => work(signal, line)));
}

/** What the library needs of the options. */
export function libraryOptions(options: ProfileCommandOptions, signal: AbortSignal, line: StatusLine): ProfileOptions {
  const { out, json, quiet, tempDirectory, fromAggregate, printSql, dialect, ...others } = options;
  const { columns, instance, preset, dim, dataType, plan, partial, merge, null: missing, ...taken } = others;
  const { memoryLimit = defaultMemoryLimit(DATABASE_SHARE), ...read } = taken;
  return {
    ...read,
    ...given({ missing, temporaryFolder: tempDirectory }),
    onNote: (text) => {
      line.clear();
      warn(text, quiet === true);
    },
    memoryLimit: `${memoryLimit}B`,
    ...(fromAggregate === undefined ? {} : { isAggregate: true }),
    signal,
    onProgress: ({ stage, percentage, column }) =>
      // Negative while it is not known.
      line.show(() => [
        column === undefined ? STAGES[stage] : `${column}: ${STAGES[stage]}`,
        ...(percentage < 0 ? [] : [`${percentage.toFixed(0)} %`]),
      ]),
  };
}

/** What the database may have of the memory. */
const DATABASE_SHARE = 0.5;

const STAGES = {
  reading: "reading the log",
  accesses: "counting accesses",
  samples: "counting samples",
  ranks: "ranking rows",
} as const;
