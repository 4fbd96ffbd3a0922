import { COUNT_NAMES } from "../access/counts/parquet-layout.js";
import type { ProfileOptions } from "./options.js";

/**
 * Which columns of an aggregate are the row ids and their counts, by their names or numbers: the counts have a name that
 * counts have, and of two columns the other one has the ids. Where no name says it, ids come first. Undefined for what is no
 * aggregate.
 */
export function aggregateColumns(
  names: readonly string[],
  { isAggregate }: ProfileOptions,
): { readonly row: string; readonly weight: string } | undefined {
  if (isAggregate !== true) return undefined;
  const usual = ["row_id", "row"].find((name) => names.includes(name));
  const counts = COUNT_NAMES.map((name) =>
    names.findIndex((one, k) => names[k] !== usual && one.toLowerCase() === name),
  );
  const weight = counts.find((index) => index !== -1) ?? (names[0] === usual || usual === undefined ? 1 : 0);
  const other = usual === undefined ? (weight === 0 ? 1 : 0) : names.indexOf(usual);
  return { row: String(other + 1), weight: String(weight + 1) };
}

/** A column by a name of counts weighs no access unless it is said to. */
export function noteUnreadCounts(names: readonly string[], { table, weight, onNote }: ProfileOptions): void {
  const counts = names.find((name) => COUNT_NAMES.includes(name.toLowerCase()));
  if (table === undefined || weight !== undefined || counts === undefined) return;
  onNote?.(`column "${counts}" is not read, and a line is one access; if it counts several, say --weight ${counts}`);
}
