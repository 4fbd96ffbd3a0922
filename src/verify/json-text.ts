import { InputError } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { firstInexactNumber, hasRepeatedKeys, parseJson, syntaxPlace } from "../input/json.js";
import { planDigest } from "../plan/canonical-json.js";
import type { VerificationDraft } from "./verification.js";

/** Parses a JSON object. Throws `InputError` with the place when the text is no JSON, or no object. */
export function parseObject(text: string, file: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`expected ${what} (JSON), received text that is not JSON`, file, syntaxPlace(text, error));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError(`expected ${what} (a JSON object), received other JSON`, file);
}

/** Checks that a file is as it was written, by its digest; says whether it is. */
export function checkDigest(
  draft: VerificationDraft,
  text: string,
  json: Readonly<Record<string, unknown>>,
  timed: string,
): boolean {
  const digest = planDigest(json);
  const same = json.digest === digest;
  const inexact = firstInexactNumber(text);
  const why = hasRepeatedKeys(text, json)
    ? ": a key is there twice"
    : inexact !== null
      ? `: no number is written as ${shown(inexact)}`
      : same
        ? null
        : "";
  const detail = why === null ? `the file is as it was written${timed}` : `the file was changed${why}`;
  draft.check("digest", why === null, detail);
  if (!same) draft.differ("digest", digest, json.digest);
  return why === null;
}
