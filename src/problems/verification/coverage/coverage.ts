/**
 * What verifying a file makes of one of its fields.
 *
 * - `computed`: computed again from the instance and the fields that are `chosen`, and compared;
 * - `chosen`: a decision or a proof. It is free: whatever stands there is checked to be one, and all that is `computed` has to
 *   follow from it;
 * - `told`: the verifier says of each file whether it was computed again, and why not where it was not;
 * - a reason: not checked, and why.
 */
export type Coverage = "computed" | "chosen" | "told" | NotCovered;

/** Why a field cannot be computed again. */
export interface NotCovered {
  readonly reason: string;
}

/** A path with `[]` for every index: `tables[].runs[][]`. */
export type FieldPath = string;

/** Every field of a file without fields of its own. A path whose shape a schema leaves open stands for all below it. */
export type CoverageTable = Readonly<Record<FieldPath, Coverage>>;

/** Entries of a table: the same coverage for many fields below one path. */
export function under(path: string, fields: string, coverage: Coverage): CoverageTable {
  return Object.fromEntries(fields.split(" ").map((field) => [`${path}${path === "" ? "" : "."}${field}`, coverage]));
}

/** Of a field that no table knows. */
export const UNKNOWN: NotCovered = { reason: "no check is known for it" };
