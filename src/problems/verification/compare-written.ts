import type { z } from "zod";
import { coverageOf } from "../../plan-file/fields.js";
import { some } from "../../text/units.js";
import { computedNumbers, uncoveredIn } from "./uncovered.js";
import { type Difference, differencesOf, type VerificationDraft } from "./verification.js";

/**
 * Compares a file with the one computed again; `from` says from what. What no check covers by the schema is passed on from the
 * file: it is not counted, and listed as not checked.
 */
export function compareWritten(
  draft: VerificationDraft,
  { expected, written }: { readonly expected: object; readonly written: object },
  schema: z.ZodType,
  from: string,
): void {
  const table = coverageOf(schema);
  for (const { path, reason } of uncoveredIn(written, table)) draft.leaveOut(path, reason);
  // By way of JSON, as the file was: what is undefined there is not there.
  const all = differencesOf(JSON.parse(JSON.stringify(expected)), written);
  const isOlder = ({ path, found }: Difference) =>
    found === undefined && table[path.replaceAll(/\[\d+\]/g, "[]")] === "later";
  // The digest of an older file is of what it has: that it is right was looked at before.
  const differences = all.some(isOlder) ? all.filter((one) => !isOlder(one) && one.path !== "digest") : all;
  for (const { path, expected: wanted, found } of differences) draft.differ(path, wanted, found);
  const numbers = computedNumbers(written, table, draft.leftOut);
  draft.check(
    "numbers",
    differences.length === 0,
    differences.length === 0
      ? `${some(numbers, "number")} computed again from ${from}, all equal`
      : `${some(differences.length, "field")} ${differences.length === 1 ? "differs" : "differ"} from what ${from} give`,
  );
}
