import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { fileError } from "../errors/file-error.js";
import { MAX_TEXT_BYTES, mebibytes } from "./limits.js";

/** How much is read at a time of what has no size. */
const CHUNK_BYTES = 2 ** 20;

/**
 * The bytes of a file that the user named in the command: a regular file, or a pipe.
 *
 * Throws what the file system throws, and an error in its manner for a device or for more than `most` bytes.
 */
export async function readBytes(path: string, most = MAX_TEXT_BYTES): Promise<Uint8Array> {
  const before = await stat(path);
  requireReadable(before, before.isFIFO());
  if (before.isFile()) requireSize(before, most);
  const file = await open(path, "r");
  try {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (let size = before.size; ; size = 0) {
      // A byte more than the size, so that the end shows with the first reading.
      const chunk = Buffer.allocUnsafe(total === 0 && size > 0 ? size + 1 : CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      total += bytesRead;
      if (total > most) throw tooLarge(most);
      chunks.push(chunk.subarray(0, bytesRead));
    }
    return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

/** A file as text; `what` is meant to be there. Throws `InputError` when it cannot be read. */
export async function readText(file: string, what = "a file"): Promise<string> {
  const bytes = await readBytes(file).catch((error: unknown) => {
    throw fileError(error, file, `${what} that can be read`, { advice: "check the path" });
  });
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/**
 * The text of a file that another file names (a plan its instance, an instance its weights): a regular file. Throws as
 * {@link readBytes} does.
 */
export function readNamedText(path: string, most = MAX_TEXT_BYTES): string {
  requireReadable(statSync(path), false);
  const file = openSync(path, "r");
  try {
    requireSize(fstatSync(file), most);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Makes sure that a file which another file names is a regular one; its size. Throws what the file system throws. */
export async function regularFileSize(path: string): Promise<number> {
  const found = await stat(path);
  requireReadable(found, false);
  return found.size;
}

function requireReadable(found: Stats, isPipe: boolean): void {
  if (found.isDirectory()) throw fault("EISDIR", "a directory");
  if (!found.isFile() && !isPipe) throw fault("ENOTREG", "no regular file");
}

function requireSize({ size }: Stats, most: number): void {
  if (size > most) throw tooLarge(most);
}

function tooLarge(most: number): Error {
  return fault("EFBIG", `more than ${mebibytes(most)}, the limit`);
}

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
