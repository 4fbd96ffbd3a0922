import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { fileError, fileReason } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { readBytes, regularFileSize } from "../input/files.js";
import { utf8Text } from "../input/utf8.js";
import { readDocument } from "./document.js";
import { fileChunks } from "./file-chunks.js";
import { throwFindings } from "./findings.js";
import { hashOf, parseWith } from "./parse.js";
import type { AnyInstance, InstanceReader } from "./reader.js";

/**
 * Reads the instance in a file, of one of the readers' problems; `-` reads `standardInput`. Files that it names (counts,
 * weights, a matrix) are read once, for its hash. An instance that is read already stays as it is.
 *
 * Throws `InputError` when a file cannot be read, is not UTF-8, or is not an instance.
 */
export async function loadWith<I extends AnyInstance>(
  readers: readonly InstanceReader<I>[],
  source: I | string,
  standardInput?: () => Promise<string>,
): Promise<I> {
  if (typeof source !== "string") return source;
  const path = source;
  if (path === "-" && !standardInput) throw new InputError("expected a file, received - without standard input");
  const text = path === "-" && standardInput ? await standardInput() : await readText(path);
  return withNamedFiles(readers, parseWith(readers, text, path), text);
}

/**
 * An instance that was read from a text, with the hashes of the files that it names in its own. Throws `InputError` with its
 * place in the text when one of them cannot be read.
 */
export async function withNamedFiles<I extends AnyInstance>(
  readers: readonly InstanceReader<I>[],
  instance: I,
  text: string,
): Promise<I> {
  const reader = readers.find(({ problem }) => problem === instance.problem) as InstanceReader<I>;
  const hashes: string[] = [];
  for (const { name, at } of reader.namedFiles(instance)) {
    hashes.push(
      await hashFile(resolveBeside(instance.file, name)).catch((error: unknown) => {
        const message = `expected a file that can be read, received ${name} (${fileReason(error)}); paths are relative to the instance's file`;
        throwFindings(readDocument(text, instance.file), [{ path: at, message }]);
        throw error;
      }),
    );
  }
  if (hashes.length === 0) return instance;
  return { ...instance, sha256: hashOfAll([instance.sha256, ...hashes]) };
}

/** A path that an instance's file holds: relative to that file, or to the working directory for standard input. */
export function resolveBeside(instanceFile: string, path: string): string {
  return resolve(instanceFile === "-" ? "." : dirname(instanceFile), path);
}

/** SHA-256 of the lines that have these hashes. */
export function hashOfAll(hashes: readonly string[]): string {
  return hashOf(hashes.map((hash) => `${hash}\n`).join(""));
}

async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path).catch((error: unknown) => {
    throw fileError(error, path, "an instance file that can be read", { advice: "check the path" });
  });
  // With its byte order mark: the hash is that of the file's bytes, and yaml skips the mark.
  return utf8Text(bytes, path, "save the file as UTF-8");
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path, 0, await regularFileSize(path))) hash.update(chunk);
  return hash.digest("hex");
}
