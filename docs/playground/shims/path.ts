/** What the program uses of node:path, as on POSIX. Nothing is opened by these paths; they stand in messages. */

export function dirname(path: string): string {
  const end = path.lastIndexOf("/");
  return end === -1 ? "." : path.slice(0, end) || "/";
}

export function join(...parts: readonly string[]): string {
  return parts.join("/");
}

/** From the last part that begins at the root; a page is in no folder. */
export function resolve(...parts: readonly string[]): string {
  const start = parts.findLastIndex((part) => part.startsWith("/"));
  return join(...parts.slice(Math.max(0, start)));
}
