import { shown } from "../../errors/shown.js";
import { firstInexactNumber, hasRepeatedKeys } from "../../input/json.js";
import { planDigest } from "../../plan-file/canonical-json.js";
import type { VerificationDraft } from "./verification.js";

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
