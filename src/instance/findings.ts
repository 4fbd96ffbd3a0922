import { InputError } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import type { Path, PlacedDocument } from "./document.js";

/** One thing wrong with a document that was read. */
export interface Finding {
  readonly path: Path;
  /** What was expected, what was received, what to do; without the path. */
  readonly message: string;
  /** The offending thing is the key that ends the path and not its value. */
  readonly atKey?: boolean;
}

/** Findings whose places are compared: each costs a search in the text. */
const MAX_PLACED = 100;

/**
 * Throws the first finding as an {@link InputError}, with the number of the others; does nothing when there are none.
 * Unknown keys come first, because a misspelt key is also reported as a missing one; then the order of the text.
 */
export function throwFindings(document: PlacedDocument, findings: readonly Finding[]): void {
  const named = uniqueFindings(findings.map((finding) => inOtherCase(document.value, finding) ?? finding));
  const keysFirst = named.toSorted((a, b) => Number(b.atKey ?? false) - Number(a.atKey ?? false));
  const placed = keysFirst.slice(0, MAX_PLACED).map((finding) => ({
    finding,
    place: finding.atKey ? document.placeOfKey(finding.path) : document.placeOf(finding.path),
  }));
  placed.sort(
    (a, b) =>
      Number(b.finding.atKey ?? false) - Number(a.finding.atKey ?? false) ||
      a.place.line - b.place.line ||
      a.place.column - b.place.column,
  );
  const first = placed[0];
  if (!first) return;
  const path = pathText(document.pathOf?.(first.finding.path) ?? first.finding.path);
  const more = named.length > 1 ? ` (and ${named.length - 1} more)` : "";
  throw new InputError(`${path}${path && ": "}${first.finding.message}${more}`, document.file, first.place);
}

/** What is missing, and there in letters of another case or with a line between words, is an unknown key: `costmodel`, `cost_model`. */
function inOtherCase(value: unknown, { path, atKey }: Finding): Finding | undefined {
  const name = path.at(-1);
  if (atKey === true || typeof name !== "string") return undefined;
  let map = value as Readonly<Record<string | number, unknown>> | null | undefined;
  for (const step of path.slice(0, -1)) map = map?.[step] as typeof map;
  if (typeof map !== "object" || map === null || name in map) return undefined;
  const letters = (key: string) => key.replace(/[-_]/g, "").toLowerCase();
  const there = Object.keys(map).find((key) => letters(key) === letters(name));
  if (there === undefined) return undefined;
  return { path: [...path.slice(0, -1), there], atKey: true, message: `unknown key; did you mean ${name}?` };
}

function uniqueFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** `tables[0].access.histogram[2]`. */
export function pathText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text ? `.${step}` : step;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** A received value on one line, short enough for a message. */
export function received(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "nothing (null)";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") {
    const keys = Object.keys(value);
    return keys.length === 0 ? "an empty map" : `a map with ${shown(keys.join(", "))}`;
  }
  return `${typeof value} ${shown(JSON.stringify(value))}`;
}
