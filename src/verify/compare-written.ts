import { some } from "../text/units.js";
import { differencesOf, type VerificationDraft } from "./verification.js";

/** Compares a plan file with the one computed again; `from` says from what. */
export function compareWritten(draft: VerificationDraft, expected: object, written: object, from: string): void {
  // By way of JSON, as the plan was: what is undefined there is not there.
  const differences = differencesOf(JSON.parse(JSON.stringify(expected)), written);
  for (const { path, expected: wanted, found } of differences) draft.differ(path, wanted, found);
  draft.check(
    "numbers",
    differences.length === 0,
    differences.length === 0
      ? `${some(countNumbers(written), "number")} computed again from ${from}, all equal`
      : `${some(differences.length, "field")} ${differences.length === 1 ? "differs" : "differ"} from what ${from} give`,
  );
}

function countNumbers(value: unknown): number {
  if (typeof value === "number") return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, field) => sum + countNumbers(field), 0);
}
