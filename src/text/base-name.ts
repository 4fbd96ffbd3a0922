/** The last part of a path of any system: what a page or a file says of a path, which whoever reads it need not know. */
export function baseName(path: string): string {
  return path.replace(/^.*[/\\](?=[^/\\])/s, "");
}
