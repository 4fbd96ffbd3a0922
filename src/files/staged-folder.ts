import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { flush, STAGED_PREFIX } from "./staged-file.js";

/**
 * Several new files for a folder, one of which, the index, says what they are. They are written into a temporary folder
 * inside it; {@link commit} moves them to their places.
 *
 * What a kill leaves: before `commit`, the folder's files as they were, and the temporary folder. `commit` flushes all
 * files, then removes the old index, renames file by file and renames the index last, in one go that no signal handler
 * interrupts. A kill that cannot be handled, or a loss of power, within these renames leaves no index: never one beside
 * files that are not its own.
 */
export class StagedFolder {
  /** Where to write the files. */
  readonly path: string;
  readonly #folder: string;
  /** The outermost folder that was made; `undefined` where all were there. */
  readonly #made: string | undefined;

  /** Makes the folder where it is missing. Throws the file system's errors. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#made = mkdirSync(folder, { recursive: true });
    this.path = mkdtempSync(join(folder, STAGED_PREFIX));
  }

  /** Moves the files with these names, and the index, to their places; modes of files that are there are kept. */
  async commit(names: readonly string[], index: string): Promise<void> {
    const all = [...names, index];
    for (const name of all) await flush(join(this.path, name));
    rmSync(join(this.#folder, index), { force: true });
    for (const name of all) {
      const [from, to] = [join(this.path, name), join(this.#folder, name)];
      const old = statSync(to, { throwIfNoEntry: false });
      if (old !== undefined) chmodSync(from, old.mode & 0o7777);
      renameSync(from, to);
    }
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Removes what has been written, and the folders that were made for it. */
  abandon(): void {
    // A file whose opening has begun can appear while the others are removed: then once more.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
    if (this.#made === undefined) return;
    const first = resolve(this.#made);
    for (let folder = resolve(this.#folder); folder.length >= first.length; folder = dirname(folder)) {
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    }
  }
}
