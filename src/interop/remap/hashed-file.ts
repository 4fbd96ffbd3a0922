import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fileError } from "../../errors/file-error.js";

/** A file that is written from front to back while its SHA-256 is computed. */
export class HashedFile {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #hash = createHash("sha256");

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Creates the file, or empties it. Throws `InputError` where that is not possible. */
  static async create(path: string): Promise<HashedFile> {
    return new HashedFile(await open(path, "w").catch((error: unknown) => refuse(error, path)), path);
  }

  /** The bytes are the caller's again afterwards. Throws `InputError` where they cannot be written (a full disk). */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle
        .write(bytes, done, bytes.length - done)
        .catch((error: unknown) => refuse(error, this.#path));
      done += bytesWritten;
    }
  }

  /** Closes the file; returns the SHA-256 of what was written, in lower-case hexadecimal. */
  async end(): Promise<string> {
    await this.#handle.close();
    return this.#hash.digest("hex");
  }

  /** Closes the file where the writing was given up. */
  async abandon(): Promise<void> {
    await this.#handle.close();
  }
}

/** SHA-256 of a file's bytes, in lower-case hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function refuse(error: unknown, path: string): never {
  throw fileError(error, path, "a file that can be written");
}
