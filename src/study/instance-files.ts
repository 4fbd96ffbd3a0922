import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileReason } from "../errors/file-error.js";
import { readNamedText } from "../input/files.js";
import { parseJson } from "../input/json.js";

/** What instance files end in; JSON has to look like an instance, because plans and results are JSON too. */
const ENDINGS = /\.(ya?ml|json)$/;

/**
 * The files that paths and patterns name, each once, in the order in which they are named and by name within one: a file is
 * itself, a folder all instances in it, a pattern (`*` within a name, `**` across folders) the instances that it fits.
 *
 * Throws `RangeError` for what names nothing.
 */
export function filesOf(patterns: readonly string[], folder: string): readonly string[] {
  return [...new Set(patterns.flatMap((pattern) => namedBy(pattern, folder)))];
}

function namedBy(pattern: string, folder: string): readonly string[] {
  if (!pattern.includes("*")) {
    const path = resolve(folder, pattern);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new RangeError(`received ${pattern}: no such file or folder`);
    return found.isDirectory()
      ? oneAtLeast(instancesIn(path, false), `${pattern}: a folder without instances`)
      : [path];
  }
  const fixed = pattern.slice(0, pattern.indexOf("*"));
  const root = resolve(folder, fixed.endsWith("/") ? fixed : dirname(`${fixed}x`));
  const fits = fitting(relative(root, resolve(folder, pattern)));
  const found = instancesIn(
    root,
    (pattern.includes("/") && pattern.slice(fixed.length).includes("/")) || pattern.includes("**"),
  );
  return oneAtLeast(
    found.filter((file) => fits.test(relative(root, file).split(sep).join("/"))),
    `${pattern}, which no instance fits`,
  );
}

function oneAtLeast(files: readonly string[], otherwise: string): readonly string[] {
  if (files.length === 0) throw new RangeError(`received ${otherwise}`);
  return files;
}

function fitting(pattern: string): RegExp {
  const steps = pattern
    .split(sep)
    .join("/")
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => (part === "**/" ? "(?:.*/)?" : part === "**" ? ".*" : part === "*" ? "[^/]*" : escaped(part)));
  return new RegExp(`^${steps.join("")}$`);
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}

function instancesIn(folder: string, deep: boolean): readonly string[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(folder);
  } catch (error) {
    throw new RangeError(`received ${folder}: ${fileReason(error, "folder")}`);
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return deep && entry.name !== "node_modules" ? instancesIn(path, true) : [];
    return ENDINGS.test(entry.name) && looksLikeInstance(path) ? [path] : [];
  });
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function looksLikeInstance(path: string): boolean {
  try {
    const text = readNamedText(path);
    if (!text.trimStart().startsWith("{")) return /^shardproof:/m.test(text) && /^problem:/m.test(text);
    const keys = parseJson(text, path) as Readonly<Record<string, unknown>>;
    // A plan says of which instance it is, one made by hand too.
    return "shardproof" in keys && "problem" in keys && !("instance" in keys || "digest" in keys);
  } catch {
    // What cannot be read is none that a folder is taken to mean; named by itself, it is an error.
    return false;
  }
}
