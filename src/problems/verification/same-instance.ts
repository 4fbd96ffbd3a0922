import type { AnyInstance } from "../../instance/reader.js";
import { differencesOf, type VerificationDraft } from "./verification.js";

/** Whether the instance at hand is the one that a plan was made for: told by its hash and name. */
export function checkSameInstance(
  draft: VerificationDraft,
  written: { readonly name: string; readonly sha256: string },
  { name, sha256, file }: Pick<AnyInstance, "name" | "sha256" | "file">,
): boolean {
  const same = written.sha256 === sha256 && written.name === name;
  draft.check(
    "instance",
    same,
    same
      ? `${file} is the instance "${name}" that the plan was made for`
      : `${file} is "${name}" with SHA-256 ${sha256}; the plan was made for another`,
  );
  if (same) return true;
  const found = { name: written.name, sha256: written.sha256 };
  for (const { path, expected, found: there } of differencesOf({ name, sha256 }, found, ["instance"])) {
    draft.differ(path, expected, there);
  }
  return false;
}
