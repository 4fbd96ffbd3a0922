/** Paths of fields by what is said of them, in the order in which reasons first come. */
export function byReason(
  fields: readonly { readonly path: string; readonly reason: string }[],
): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const { path, reason } of fields) {
    const known = paths.get(reason);
    if (known === undefined) paths.set(reason, [path]);
    else known.push(path);
  }
  return paths;
}
