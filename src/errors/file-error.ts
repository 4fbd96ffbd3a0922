import { InputError } from "./input-error.js";

/** What the file system's codes mean, as words that go after "received". */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EISDIR: "a directory",
  ENOTDIR: "a path through something that is no directory",
  ENOSPC: "no space left",
  EROFS: "a file system that is read-only",
  EMFILE: "too many open files",
  ENAMETOOLONG: "a name that is too long",
  ELOOP: "a link that leads to itself",
  // Of src/input.
  ENOTREG: "a device or socket, no regular file",
};

/** Why the file system refused a file (or a folder), in words; the error's own code or message where there are none here. */
export function fileReason(error: unknown, kind: "file" | "folder" = "file"): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code === "ENOENT") return `no such ${kind}`;
  // The message of src/input has the limit in it.
  if (code === "EFBIG" && message !== undefined) return message;
  return REASONS[code ?? ""] ?? code ?? message ?? String(error);
}

/** What the file system refused: nothing is known of what stands in the file. */
export class FileError extends InputError {
  /** By this it is known on the other side of a thread. */
  get kind(): "file" {
    return "file";
  }
}

/**
 * An error of the file system as one that a user can mend: `FILE: expected a plan file that can be read, received no such file`.
 * `expected` is what goes after that word, a file or a folder; `advice` is what to do.
 */
export function fileError(
  error: unknown,
  file: string,
  expected: string,
  { kind = "file", advice }: { readonly kind?: "file" | "folder"; readonly advice?: string } = {},
): FileError {
  const received = `expected ${expected}, received ${fileReason(error, kind)}`;
  return new FileError(advice === undefined ? received : `${received}; ${advice}`, file);
}
