import { createHash } from "node:crypto";

/** JSON without white space and with the keys of every object in the order of their code units: one text per value. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    // Long lists of names and numbers are written at once.
    return value.every(isPlain) ? JSON.stringify(value) : `[${value.map(canonicalJson).join(",")}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`;
}

/** Whether a value is neither a list nor an object. */
export function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null;
}

/** SHA-256 (hexadecimal) of a plan's canonical JSON, its fields `timing` and `digest` left out. */
export function planDigest(plan: object): string {
  const { timing: _timing, digest: _digest, ...rest } = plan as Record<string, unknown>;
  return createHash("sha256").update(canonicalJson(rest)).digest("hex");
}
