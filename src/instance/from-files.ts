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

/**
 * The part that matters of the plan file that `from.plan` names; `expected` says which plan is meant and what such a one has.
 * Throws `InputError` at the key where the file cannot be read or is none.
 */
export function readPlanFrom<Part>(
  document: PlacedDocument,
  path: string,
  part: z.ZodType<Part>,
  expected: { readonly problem: string; readonly has: string },
): { readonly plan: Part; readonly text: string } {
  const text = readFromFile(document, "plan", path, "a plan file");
  const plan = planPartIn(text, part);
  if (plan !== null) return { plan, text };
  return refusingFrom(document)(
    "plan",
    `expected a ${expected.problem} plan (shardproof plan --out), received ${path}, which is none that has ${expected.has}; name another file`,
  );
}

/** The part of a plan file that matters; `null` where the file has none. */
function planPartIn<Part>(text: string, part: z.ZodType<Part>): Part | null {
  try {
    const parsed = part.safeParse(parseJson(text, "plan"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
