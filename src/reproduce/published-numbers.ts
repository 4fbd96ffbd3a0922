import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instancesFolder } from "../input/instances-folder.js";

/** What a paper prints, from `instances/paper`: one of this package's own files, so that its shape is its reader's type. */
export function publishedNumbers<Numbers>(paper: "autoshard" | "dmt" | "flexshard"): Numbers {
  return JSON.parse(readFileSync(join(instancesFolder(), "paper", `${paper}.published.json`), "utf8")) as Numbers;
}
