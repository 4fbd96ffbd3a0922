import { InputError, placeAt } from "../errors/input-error.js";
import { Rational } from "../exact/rational.js";
import { planDigest } from "../plan/canonical-json.js";
import { hasRepeatedKeys } from "../plan/read-plan.js";
import type { VerificationDraft } from "./verification.js";

/** Parses a JSON object. Throws `InputError` with the place when the text is no JSON, or no object. */
export function parseObject(text: string, file: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const offset = /position (\d+)/.exec((error as Error).message)?.[1];
    const place = placeAt(text, offset === undefined ? text.length : Number(offset));
    throw new InputError(`expected ${what} (JSON), received text that is not JSON`, file, place);
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
      ? `: no number is written as ${inexact}`
      : same
        ? null
        : "";
  const detail = why === null ? `the file is as it was written${timed}` : `the file was changed${why}`;
  draft.check("digest", why === null, detail);
  if (!same) draft.differ("digest", digest, json.digest);
  return why === null;
}

/**
 * The first number of a JSON text whose digits say something else than the double that it is read as, so that a change
 * of it would not be seen in the value.
 */
function firstInexactNumber(text: string): string | null {
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  for (const [literal] of unquoted.matchAll(/-?\d[\d.eE+-]*/g)) {
    const double = Number(literal);
    if (!Number.isFinite(double) || !Rational.parse(literal).equals(Rational.parse(String(double)))) return literal;
  }
  return null;
}
