import { readFile } from "node:fs/promises";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import type { Program } from "./program.js";
import { type ProgramFormat, readProgram } from "./read-program.js";

export interface LoadOptions {
  /** Default: what the file's name says, else what its text begins like. */
  readonly format?: ProgramFormat;
  /** Reads standard input, where the file is `-`. */
  readonly standardInput?: () => Promise<string>;
}

/**
 * Reads the program in an MPS or LP file; `-` reads `standardInput`.
 *
 * Throws `InputError`: the file cannot be read or is not UTF-8, or (with line and column) its text is malformed.
 */
export async function loadProgram(file: string, { format, standardInput }: LoadOptions = {}): Promise<Program> {
  if (file === "-" && standardInput === undefined) {
    throw new InputError("expected a file, received - without standard input");
  }
  const text = file === "-" && standardInput !== undefined ? await standardInput() : await textOf(file);
  return readProgram(text, file, format);
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fileError(error, file, "a model file that can be read", { advice: "check the path" });
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b ? ": it is packed with gzip; unpack it first" : "";
    throw new InputError(`expected UTF-8 text, received other bytes${packed}`, file);
  }
}
