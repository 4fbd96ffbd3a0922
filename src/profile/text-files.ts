import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../errors/input-error.js";
import { decodedText, encodingOf } from "./decoded-text.js";
import type { ProfileOptions } from "./options.js";
import { isZstandard, type LogFile } from "./raw-lines.js";

/**
 * The files of a log in UTF-8: as they are, or copied into `folder` from the encoding that was asked for. Throws
 * `InputError` where a file is not of that encoding.
 */
export async function textFiles(
  names: readonly string[],
  { encoding = "utf-8", signal }: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  const known = encodingOf(encoding);
  if (known === "utf-8") return names.map((name) => ({ name, path: name }));
  const packed = names.find(isZstandard);
  if (packed !== undefined) {
    throw new InputError("expected text that is not packed, or by gzip, beside --encoding; unpack it first", packed);
  }
  const files: LogFile[] = [];
  for (const name of names) {
    const path = join(folder, `utf-8-${files.length}`);
    await pipeline(decodedText(name, known), createWriteStream(path), signal === undefined ? {} : { signal });
    files.push({ name, path });
  }
  return files;
}
