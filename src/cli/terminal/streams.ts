import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileError, fileReason } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { stageFile } from "../../files/staged-file.js";
import { readText } from "../../input/files.js";
import { MAX_TEXT_BYTES, mebibytes } from "../../input/limits.js";
import { utf8Text } from "../../input/utf8.js";
import { undoneByInterrupt } from "./interrupt.js";

/** What the process ends with. */
export const EXIT = {
  solved: 0,
  badInput: 2,
  notProved: 3,
  infeasible: 4,
  verificationFailed: 5,
  unbounded: 6,
  internalError: 70,
  interrupted: 130,
} as const;

/** Exit status of the status of a plan or of a program's solution. */
export function exitStatusOf(status: string): number {
  if (status === "infeasible") return EXIT.infeasible;
  if (status === "unbounded") return EXIT.unbounded;
  return status === "feasible" || status === "unknown" ? EXIT.notProved : EXIT.solved;
}

/**
 * Writes the result to standard output. A reader that has gone away (`| head`) is no failure; throws `InputError` when
 * it cannot be written for another reason, such as a full disk.
 */
export async function writeResult(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === "EPIPE") return resolve();
      reject(new InputError(`standard output cannot be written (${fileReason(error)}); nothing else is wrong`));
    });
  });
}

/** Keeps a stream that cannot be written from ending the process with a stack trace: `writeResult` reports it. */
export function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Notes, warnings and progress: on standard error, and only where a person sees them. */
export function note(text: string, quiet: boolean): void {
  if (!quiet && process.stderr.isTTY) process.stderr.write(`${text}\n`);
}

/** What may make a result another than was meant: on standard error, whoever reads it. */
export function warn(text: string, quiet: boolean): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/** All of standard input as text. Throws `InputError` when it is not UTF-8. */
export async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    total += (chunk as Uint8Array).length;
    if (total <= MAX_TEXT_BYTES) continue;
    throw new InputError(`expected at most ${mebibytes(MAX_TEXT_BYTES)} of text, received more`, "-");
  }
  return utf8Text(Buffer.concat(chunks), "-");
}

/** The text of a plan file, or of another that commands read; standard input where it is `-`. Throws `InputError`. */
export async function readGiven(file: string, what?: string): Promise<string> {
  return file === "-" ? readStandardInput() : readText(file, what);
}

/** Throws `UsageError` where standard input would be read twice; `said` is what is wrong then. */
export function requireOneStandardInput(
  files: readonly (string | undefined)[],
  said = "the plan and the instance cannot both be standard input",
): void {
  if (files.filter((file) => file === "-").length > 1) throw new UsageError(said);
}

/** A value as commands print it with --json. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes a file where one is asked for, and notes that. Throws as {@link writeOutput} does. */
export async function writeNoted(file: string | undefined, text: () => string, quiet = false): Promise<void> {
  if (file === undefined) return;
  await writeOutput(file, text());
  note(`wrote ${file}`, quiet);
}

/**
 * Writes a file, in one step where it is a regular one: whenever the program is killed, the file is the old or the new
 * one, whole. Ctrl-C leaves no temporary file behind. Throws `InputError` when the file cannot be written.
 */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    let abandon = () => {};
    await undoneByInterrupt(
      () => abandon(),
      async () => {
        const staged = await stageFile(file);
        abandon = staged.abandon;
        await writeFile(staged.path, text, { flag: staged.flag });
        await staged.commit();
      },
    );
  } catch (error) {
    throw fileError(error, file, "a file that can be written");
  }
}

/** That files which are asked for can be written, before a long search and not after it. Throws `InputError`. */
export async function requireWritable(...files: readonly (string | undefined)[]): Promise<void> {
  for (const file of files) if (file !== undefined) await requireOneWritable(file);
}

async function requireOneWritable(file: string): Promise<void> {
  if (file === "-") throw new InputError("expected a file to write, received -; use --json for standard output");
  const folder = dirname(file);
  const isThere = await access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isThere) {
    if (!(await stat(file)).isDirectory()) return;
    throw new InputError("expected a file that can be written, received a directory", file);
  }
  await access(folder, constants.W_OK).catch((error: unknown) => {
    const reason = fileReason(error, "folder");
    throw new InputError(`expected a folder that can be written to, received ${folder} (${reason})`, file);
  });
}
