import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, rmSync, type Stats } from "node:fs";
import { access, chmod, chown, lstat, open, readlink, realpath, rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Links that are followed before a path counts as a loop, as Linux has it. */
const MAX_LINKS = 40;

/** What a temporary name begins with; the rest is by chance. */
export const STAGED_PREFIX = ".shardproof-";

/** New content for a file: it is written under a temporary name and then takes the file's place in one step. */
export interface StagedFile {
  /** Where to write the content. */
  readonly path: string;
  /**
   * How to open it: a temporary file is there and is not made again, so that a write which begins as a signal removes
   * the file fails and leaves none.
   */
  readonly flag: "r+" | "w";
  /** Puts the content, which is on disk by then, in the file's place. */
  commit(): Promise<void>;
  /** Removes what has been written; nothing after `commit`. */
  abandon(): void;
}

/**
 * A temporary name beside a file, in the same folder and so on the same file system. Up to {@link StagedFile.commit} the
 * file is what it was, and from then on the new one, whole, whenever the process is killed: a rename replaces a file in
 * one step. A link stays one: what it leads to is replaced. The mode of a file that is there is kept, its owner where
 * that is allowed.
 *
 * What is no regular file (a pipe, a terminal, `/dev/stdout`) is written to itself, and so is a file that may be written
 * in a folder that may not.
 *
 * Throws the file system's errors, for a file that may not be written as for one in a folder that is not there.
 */
export async function stageFile(file: string): Promise<StagedFile> {
  const found = await stat(file).catch(() => null);
  if (found !== null) await access(file, constants.W_OK);
  const target = found === null || found.isFile() ? await behindLinks(file) : null;
  if (target === null) return inPlace(file);
  const path = join(dirname(target), `${STAGED_PREFIX}${randomBytes(6).toString("hex")}.tmp`);
  try {
    // At once with the return: whoever handles a signal has either no file or the means to remove it.
    closeSync(openSync(path, "wx"));
  } catch (error) {
    if (found !== null && /^(EACCES|EPERM|EROFS)$/.test((error as { code?: string }).code ?? "")) return inPlace(file);
    throw error;
  }
  const abandon = () => rmSync(path, { force: true });
  return {
    path,
    flag: "r+",
    commit: async () => {
      try {
        if (found !== null) await keepAccess(path, found);
        await flush(path);
        await rename(path, target);
      } catch (error) {
        abandon();
        throw error;
      }
    },
    abandon,
  };
}

/** Waits until a file's content is on disk, so that a loss of power after a rename leaves no empty file. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function inPlace(path: string): StagedFile {
  return { path, flag: "w", commit: async () => {}, abandon: () => {} };
}

/** Where a path leads through its links; `null` where that is an open stream of some process rather than a name. */
async function behindLinks(file: string): Promise<string | null> {
  let path = resolve(file);
  for (let links = 0; links <= MAX_LINKS; links++) {
    path = join(await realpath(dirname(path)), path.slice(dirname(path).length));
    if (/^\/(dev|proc)\//.test(path)) return null;
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink() !== true) return path;
    path = resolve(dirname(path), await readlink(path));
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

async function keepAccess(path: string, { mode, uid, gid }: Stats): Promise<void> {
  const made = await stat(path);
  if (made.uid !== uid || made.gid !== gid) await chown(path, uid, gid).catch(() => {});
  await chmod(path, mode & 0o7777);
}
