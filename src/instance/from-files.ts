import type { z } from "zod";
import { readNamedText } from "../input/files.js";
import { parseJson } from "../input/json.js";
import type { PlacedDocument } from "./document.js";
import { throwFindings } from "./findings.js";
import { resolveBeside } from "./load.js";

/** Refuses a key of an instance's `from` at its place. */
export type RefuseFrom = (key: string, message: string) => never;

export function refusingFrom(document: PlacedDocument): RefuseFrom {
  return (key, message) => {
    throwFindings(document, [{ path: ["from", key], message }]);
    throw new Error("a finding ends the reading");
  };
}

/** The text of a file that a key of `from` names; `what` it is meant to be. Throws `InputError` at the key. */
export function readFromFile(document: PlacedDocument, key: "plan" | "instance", path: string, what: string): string {
  try {
    return readNamedText(resolveBeside(document.file, path));
  } catch {
    const message = `expected ${what} that can be read, received ${path}; paths are relative to the instance's file`;
    return refusingFrom(document)(key, message);
  }
}

/** The part of a plan file that matters; `null` where the file has none. */
export function planPartIn<Part>(text: string, part: z.ZodType<Part>): Part | null {
  try {
    const parsed = part.safeParse(parseJson(text, "plan"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
