import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { readBytes } from "../input/files.js";
import { MAX_TEXT_BYTES, mebibytes } from "../input/limits.js";
import { utf8Text } from "../input/utf8.js";
import type { Program } from "./program.js";
import { type ProgramFormat, readModel } from "./read-program.js";
import type { ReadingOptions, ReadModel } from "./reading/read-model.js";

export interface LoadOptions extends ReadingOptions {
  /** Default: what the file's name says, else what its text begins like. */
  readonly format?: ProgramFormat;
  /** Reads standard input, where the file is `-`. */
  readonly standardInput?: () => Promise<string>;
}

/**
 * Reads the program in an MPS or LP file, which may be packed with gzip; `-` reads `standardInput`.
 *
 * Throws `InputError`: the file cannot be read or is not UTF-8, or (with line and column) its text is malformed.
 */
export async function loadProgram(file: string, options: LoadOptions = {}): Promise<Program> {
  return (await loadModel(file, options)).program;
}

/** {@link loadProgram} with the reader's notes. */
export async function loadModel(file: string, options: LoadOptions = {}): Promise<ReadModel> {
  return readModel(await loadText(file, options), file, options.format, options);
}

/** The text of a program's file, unpacked. Throws `InputError` where it cannot be read. */
export async function loadText(file: string, { standardInput }: LoadOptions = {}): Promise<string> {
  if (file === "-" && standardInput === undefined) {
    throw new InputError("expected a file, received - without standard input");
  }
  return file === "-" && standardInput !== undefined ? standardInput() : textOf(file);
}

async function textOf(file: string): Promise<string> {
  const bytes = await readBytes(file).catch((error: unknown) => {
    throw fileError(error, file, "a model file that can be read", { advice: "check the path" });
  });
  const unpacked = bytes[0] === 0x1f && bytes[1] === 0x8b ? await gunzip(bytes, file) : bytes;
  return utf8Text(unpacked, file, "give a model in MPS or LP format, or .gz of one");
}

/** Unpacks no more than what would be read of a text: a small file may hold very many zeros. */
async function gunzip(bytes: Uint8Array, file: string): Promise<Uint8Array> {
  const { gunzipSync } = await import("node:zlib");
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    const received = isLarge ? `one of more than ${mebibytes(MAX_TEXT_BYTES)}, the limit` : "a damaged one";
    throw new InputError(`expected a gzip file that can be unpacked, received ${received}; unpack it first`, file);
  }
}
