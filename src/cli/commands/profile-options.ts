import { totalmem } from "node:os";
import type { ProfileOptions } from "../../profile/options.js";
import type { DialectName } from "../../profile/sql/dialect.js";
import { StatusLine } from "../terminal/status-line.js";
import { warn } from "../terminal/streams.js";

/** The library's options that the command line has too, by the same names. */
type Read = Omit<
  ProfileOptions,
  "missing" | "memoryLimit" | "isAggregate" | "temporaryFolder" | "threads" | "signal" | "onProgress" | "onNote"
>;

export interface ProfileCommandOptions extends Read {
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly null?: readonly string[];
  /** Bytes. */
  readonly memoryLimit?: number;
  readonly tempDirectory?: string;
  readonly fromAggregate?: readonly string[];
  readonly columns?: string;
  readonly instance?: string;
  readonly preset?: string;
  readonly dim?: number;
  readonly dataType?: string;
  readonly plan?: string;
  readonly partial?: boolean;
  readonly merge?: boolean;
  readonly printSql?: boolean;
  readonly dialect?: DialectName;
}

/** Does work that Ctrl-C ends: then `null`. */
export async function interruptible<Result>(
  { quiet }: ProfileCommandOptions,
  work: (signal: AbortSignal, line: StatusLine) => Promise<Result>,
): Promise<Result | null> {
  const abort = new AbortController();
  const onInterrupt = () => abort.abort(new Interrupted());
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  const line = new StatusLine(quiet === true);
  try {
    return await work(abort.signal, line);
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  } finally {
    line.clear();
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
}

class Interrupted extends Error {}

/** What the library needs of the options. */
export function libraryOptions(options: ProfileCommandOptions, signal: AbortSignal, line: StatusLine): ProfileOptions {
  const { out, json, quiet, tempDirectory, fromAggregate, printSql, dialect, ...others } = options;
  const { columns, instance, preset, dim, dataType, plan, partial, merge, null: missing, ...taken } = others;
  const { memoryLimit = halfOfMemory(), ...read } = taken;
  return {
    ...read,
    ...(missing === undefined ? {} : { missing }),
    onNote: (text) => {
      line.clear();
      warn(text, quiet === true);
    },
    memoryLimit: `${memoryLimit}B`,
    ...(tempDirectory === undefined ? {} : { temporaryFolder: tempDirectory }),
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

const STAGES = {
  reading: "reading the log",
  accesses: "counting accesses",
  samples: "counting samples",
  ranks: "ranking rows",
} as const;

/** Bytes, of the machine or of the container. */
function halfOfMemory(): number {
  const limit = process.constrainedMemory();
  const bytes = limit !== undefined && limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.floor(bytes / 2);
}
