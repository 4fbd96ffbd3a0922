import { InputError } from "../errors/input-error.js";
import { readLpModel } from "./lp/read.js";
import { readMpsModel } from "./mps/read.js";
import type { Program } from "./program.js";
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

/** A format that is often taken for one of ours, and what to do with its files. */
interface Foreign {
  readonly name: string;
  readonly looksLike: RegExp;
  readonly advice: string;
}

/** Comments of lp_solve and MathProg, which may hold anything. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm;

const FOREIGN: readonly Foreign[] = [
  {
    name: "AMPL's binary or text form of an instance (.nl)",
    looksLike: /^[gb]\d+ \d+ \d+ \d+/,
    advice: "write MPS with AMPL: option auxfiles rc; write mMODEL; (the file is MODEL.mps)",
  },
  {
    name: "a model of MathProg or AMPL",
    looksLike:
      /^\s*(?:(?:var|param|set)\s+[A-Za-z_]\w*[^:]*?[;,{=<>]|(?:minimi[sz]e|maximi[sz]e)\s+\w+\s*(?:\{[^}]*\})?\s*:[^;]*;|(?:subject\s+to|s\.t\.)\s+\w+\s*(?:\{[^}]*\})?\s*:[^;]*;)/im,
    advice:
      "write LP with glpsol --math FILE --check --wlp OUT.lp, or with AMPL MPS: option auxfiles rc; write mMODEL;",
  },
  {
    name: "data of AMPL or MathProg",
    looksLike: /^\s*data\s*;/im,
    advice: "write LP with glpsol --math MODEL --data FILE --check --wlp OUT.lp",
  },
  {
    name: "lp_solve's LP format",
    looksLike:
      /^\s*(?:max|min|maximi[sz]e|minimi[sz]e)\s*:|^[^:\n]*(?:[<>]=?|=)[^;\n]*;|^\s*(?:int|bin|sec|sin|free|declarations?)\s+[A-Za-z_][^;\n]*;/im,
    advice:
      "write MPS with lp_solve -S1 -parse_only FILE -wfmps OUT.mps, or in a CPLEX-LP file write Maximize for max:",
  },
];

/**
 * Which other format a text looks like that could not be read, and what to do with it: the end of a message. `""` where it
 * looks like none.
 */
function foreignAdvice(text: string): string {
  const bare = text.replace(COMMENTS, "");
  const found = FOREIGN.find(({ looksLike }) => looksLike.test(bare));
  return found === undefined ? "" : `this looks like ${found.name}, which is another format: ${found.advice}`;
}
