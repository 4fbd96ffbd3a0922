import { readdirSync, readFileSync } from "node:fs";
import type { Instance } from "../../src/problems/planning/instances.js";

/** Paths of the instances of a problem in the named folders of instances/, told by their text. */
export function instanceFiles(folders: readonly string[], problem: Instance["problem"] = "row-tiers"): string[] {
  return folders.flatMap((folder) =>
    readdirSync(`instances/${folder}`)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => `instances/${folder}/${name}`)
      .filter((file) => new RegExp(`^problem: ${problem}$`, "m").test(readFileSync(file, "utf8"))),
  );
}
