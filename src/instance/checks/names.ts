import { type Finding, received } from "../findings.js";

/** That the entries of a list have names of their own; `key` is where an entry has its, if it is not one. */
export function checkNamesOnce(names: readonly string[], list: string, key?: string): Finding[] {
  const firstWithName = new Map<string, number>();
  return names.flatMap((name, index): Finding[] => {
    const first = firstWithName.get(name);
    if (first === undefined) {
      firstWithName.set(name, index);
      return [];
    }
    const message = `expected a name used once, received ${received(name)}, which ${list}[${first}] has too; rename one`;
    return [{ path: key === undefined ? [list, index] : [list, index, key], message }];
  });
}
