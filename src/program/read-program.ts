import { InputError } from "../errors/input-error.js";
import { readLp } from "./lp/read.js";
import { readMps } from "./mps/read.js";
import type { Program } from "./program.js";

/** The formats in which a program can be written. */
export const PROGRAM_FORMATS = ["mps", "lp"] as const;

export type ProgramFormat = (typeof PROGRAM_FORMATS)[number];

/** The format that a file's name says by its ending (`.mps`, `.LP`), `null` where it says none. */
export function formatByName(file: string): ProgramFormat | null {
  const ending = /\.(mps|lp)$/i.exec(file)?.[1]?.toLowerCase();
  return (ending as ProgramFormat | undefined) ?? null;
}

/**
 * Reads a program from MPS or LP text: in the format given, else in the one that the file's name says, else in the one
 * that the text looks like.
 *
 * Throws `InputError` with file, line and column for anything malformed; where the format had to be guessed, the message
 * says so.
 */
export function readProgram(text: string, file: string, format?: ProgramFormat): Program {
  const unmarked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const known = format ?? formatByName(file);
  if (known !== null) return READERS[known](unmarked, file);
  const guessed = formatByText(unmarked);
  if (guessed === null) {
    const message =
      "expected a model in MPS or LP format, received text that begins like neither (MPS: NAME or ROWS; LP: Minimize or Maximize); correct it, or say which it is with --format mps or --format lp";
    throw new InputError(message, file, { line: 1, column: 1 });
  }
  try {
    return READERS[guessed](unmarked, file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const other = guessed === "mps" ? "lp" : "mps";
    throw new InputError(
      `${error.message.slice(placeText(error).length)} (read as ${guessed.toUpperCase()}, which it begins like; if it is not, say --format ${other})`,
      file,
      error.place,
    );
  }
}

const READERS = { mps: readMps, lp: readLp };

/** What the first line that is no comment begins like. */
function formatByText(text: string): ProgramFormat | null {
  for (const line of text.split(/\r\n|\r|\n/)) {
    const word = line.trim();
    if (word === "" || word.startsWith("*") || word.startsWith("\\")) continue;
    if (/^(min|max)/i.test(word)) return "lp";
    return /^(NAME|ROWS|OBJSENSE|OBJNAME)\b/i.test(word) ? "mps" : null;
  }
  return null;
}

function placeText({ file, place }: InputError): string {
  if (file === undefined) return "";
  return place === undefined ? `${file}: ` : `${file}:${place.line}:${place.column}: `;
}
