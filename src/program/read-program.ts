import { InputError } from "../errors/input-error.js";
import { readLpModel } from "./lp/read.js";
import { readMpsModel } from "./mps/read.js";
import type { Program } from "./program.js";
import { foreignAdvice } from "./reading/foreign.js";
import type { ReadingOptions, ReadModel } from "./reading/read-model.js";

/** The formats in which a program can be written. */
export const PROGRAM_FORMATS = ["mps", "lp"] as const;

export type ProgramFormat = (typeof PROGRAM_FORMATS)[number];

/** The format that a file's name says by its ending (`.mps`, `.LP`, `.mps.gz`), `null` where it says none. */
export function formatByName(file: string): ProgramFormat | null {
  const ending = PROGRAM_ENDING.exec(file)?.[1]?.toLowerCase();
  return (ending as ProgramFormat | undefined) ?? null;
}

/** How the names of program files end. */
export const PROGRAM_ENDING = /\.(mps|lp)(?:\.gz)?$/i;

/**
 * Reads a program from MPS or LP text: in the format given, else in the one that the file's name says, else in the one
 * that the text looks like.
 *
 * Throws `InputError` with file, line and column for anything malformed; where the format had to be guessed, the message
 * says so, and where the text looks like another one's, what to do with it.
 */
export function readProgram(text: string, file: string, format?: ProgramFormat, options: ReadingOptions = {}): Program {
  return readModel(text, file, format, options).program;
}

/** {@link readProgram} with the reader's notes. */
export function readModel(text: string, file: string, format?: ProgramFormat, options: ReadingOptions = {}): ReadModel {
  const unmarked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const known = format ?? formatByName(file);
  const guessed = known ?? formatOf(unmarked, file);
  if (guessed === null) {
    const message = expectedModel(foreignAdvice(unmarked));
    throw new InputError(message, file, { line: 1, column: 1 });
  }
  try {
    return READERS[guessed](unmarked, file, options);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const foreign = guessed === "lp" ? foreignAdvice(unmarked) : "";
    if (foreign !== "") throw new InputError(`${error.said}; ${foreign}`, file, error.place);
    if (known !== null) throw error;
    const other = guessed === "mps" ? "lp" : "mps";
    const guess = `read as ${guessed.toUpperCase()}, which it begins like; if it is not, say --format ${other}`;
    throw new InputError(`${error.said} (${guess})`, file, error.place);
  }
}

function expectedModel(foreign: string): string {
  const expected = "expected a model in MPS or LP format, received text that begins like neither";
  if (foreign !== "") return `${expected}; ${foreign}`;
  return `${expected} (MPS: NAME or ROWS; LP: Minimize or Maximize); correct it, or say which it is with --format mps or --format lp`;
}

const READERS: Readonly<Record<ProgramFormat, (text: string, file: string, options: ReadingOptions) => ReadModel>> = {
  mps: readMpsModel,
  lp: readLpModel,
};

/** The format of a text: what the file's name says, else what it begins like. */
export function formatOf(text: string, file: string): ProgramFormat | null {
  return formatByName(file) ?? formatByText(text);
}

/** What the first line that is no comment begins like. */
export function formatByText(text: string): ProgramFormat | null {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const word = text.slice(start, end).trim();
    start = end + 1;
    if (word === "" || word.startsWith("*") || word.startsWith("\\")) continue;
    if (/^(min|max)/i.test(word)) return "lp";
    return /^(NAME|ROWS|OBJSENSE|OBJNAME)\b/i.test(word) ? "mps" : null;
  }
  return null;
}
