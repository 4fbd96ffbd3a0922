import { UsageError } from "../errors/usage-error.js";
import { writeLp } from "../program/lp/write.js";
import { writeMps } from "../program/mps/write.js";
import { naturalProgram } from "../program/natural/natural-program.js";
import type { Words } from "../program/natural/words.js";
import type { Program } from "../program/program.js";
import type { ProgramFormat } from "../program/read-program.js";

/** A plan with its instance, to be handed to other tools. Where a target is not for such plans there is why: `which …`. */
export interface Exportable {
  /** The program that it is proved on, or another with the same optimum where no file can hold that. */
  program(): Promise<ExportedProgram>;
  /** TorchRec's plan. Throws `UsageError` where it has none. */
  readonly torchrec: TorchrecWriter | string;
  /** Where each row goes, as files in a folder. */
  readonly remap: RemapWriter | string;
}

/** A program, and what its problem says of it. */
export interface ExportedProgram {
  readonly program: Program;
  words(): Words;
}

/**
 * - `natural`: in natural units, with names that say what they stand for and all numbers doubles, for other solvers;
 * - `exact`: as it is proved, every digit written.
 */
export type ProgramForm = "natural" | "exact";

/** `module` is the path of the model's module. */
export type TorchrecWriter = (module: string | undefined) => Exported;

/** Throws `InputError`, and what the request's signal was aborted with. */
export type RemapWriter = (request: RemapRequest) => Promise<Exported>;

export interface RemapRequest {
  readonly folder: string;
  /** Default `npy`. */
  readonly format?: "npy" | "parquet";
  /** Rows of a sharded tier by falling access, or dealt over its GPUs. */
  readonly indexOrder: "falling" | "spread";
  /** TABLE=FILE: the row ids of a table, the hottest first. */
  readonly rankFiles: readonly string[];
  /** Row ids of tables without one are ranks, 0 the hottest; without it such tables are refused. */
  readonly idsAreRanks?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, of: number) => void;
}

/** TABLE=FILE, where both may hold a "=": the table is the longest one of the instance that fits. Throws `UsageError`. */
export function rankFilesOf(
  given: readonly string[],
  { tables }: { readonly tables: readonly { readonly name: string }[] },
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const text of given) {
    const fitting = tables.map(({ name }) => name).filter((name) => text.startsWith(`${name}=`));
    const name = fitting.sort((a, b) => b.length - a.length)[0];
    if (name === undefined) {
      const known = tables.map((table) => table.name).join(", ");
      throw new UsageError(`--rank-file wants TABLE=FILE with a table of the instance (${known}), received ${text}`);
    }
    if (files.has(name)) throw new UsageError(`--rank-file was given twice for the table ${name}`);
    files.set(name, text.slice(name.length + 1));
  }
  return files;
}

/** What was made of a plan. */
export interface Exported {
  readonly text: string;
  /** What a person reads once it is written. */
  shown(file: string): string;
  /** What the other tool cannot do with it, in words; `shown` has it too. */
  readonly notes?: readonly string[];
}

/** The text of a program: free MPS or CPLEX-LP. */
export function programText(exported: ExportedProgram, format: ProgramFormat, form: ProgramForm = "exact"): string {
  const write = format === "mps" ? writeMps : writeLp;
  if (form === "exact") return write(exported.program);
  const { program, dress } = naturalProgram(exported.program, exported.words());
  return write(program, dress);
}

/** What writes a target. Throws `UsageError` where it is not for plans of the problem. */
export function writerOf<Target extends "torchrec" | "remap">(
  { problem, ...exportable }: Exportable & { readonly problem: string },
  target: Target,
): Exclude<Exportable[Target], string> {
  const writer = exportable[target];
  if (typeof writer !== "string") return writer as Exclude<Exportable[Target], string>;
  throw new UsageError(`--to ${target} is not for plans of ${problem}, ${writer}`);
}
