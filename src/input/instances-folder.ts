import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The folder `instances` of this package, as a path. This file runs from `src/input` or, compiled, from
 * `build/src/input`, bundled as from `dist/src/input`: the folder is two or three levels up. Throws when it is at neither.
 */
export function instancesFolder(): string {
  for (const relative of ["../../instances/", "../../../instances/"]) {
    const folder = fileURLToPath(new URL(relative, import.meta.url));
    if (existsSync(folder)) return folder;
  }
  throw new Error("the folder instances of the package is missing; install the package again");
}
