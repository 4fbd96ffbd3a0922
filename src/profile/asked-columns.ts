import { COUNT_NAMES } from "../access/counts/parquet-layout.js";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import type { LogOptions, ProfileOptions } from "./options.js";

/** Which columns of a log are what. */
export interface AskedColumns<Found> {
  readonly row: Found;
  readonly table: Found | undefined;
  readonly sample: Found | undefined;
  readonly weight: Found | undefined;
}

/**
 * The columns that the options ask for, or that the names say; a note tells of counts that are not read. `find` says of one,
 * by its name or number, what it is, and `rows` what says which has the row ids. Throws `InputError` where nothing says that,
 * and what `find` throws.
 */
export function askedColumns<Found>(
  names: readonly string[],
  options: LogOptions,
  find: (column: string, option: string) => Found,
  missing: { readonly rows: string; readonly file: string },
): AskedColumns<Found> {
  const { list, table, sample } = options;
  const usual = aggregateColumns(names, options);
  const byName = ["row_id", "row"].find((name) => names.includes(name)) ?? (names.length === 1 ? "1" : undefined);
  const row = list ?? options.row ?? usual?.row ?? byName;
  const weight = options.weight ?? usual?.weight;
  if (row === undefined) {
    throw new InputError(`expected ${missing.rows}; the columns are ${names.join(", ")}`, missing.file);
  }
  const found = {
    row: find(row, options.option ?? (list === undefined ? "--row" : "--list")),
    table: table === undefined ? undefined : find(table, options.option ?? "--table"),
    sample: sample === undefined ? undefined : find(sample, "--sample"),
    weight: weight === undefined ? undefined : find(weight, "--weight"),
  };
  noteUnreadCounts(names, options);
  return found;
}

/**
 * Which columns of an aggregate are the row ids and their counts, by their names or numbers: the counts have a name that
 * counts have, and of two columns the other one has the ids. Where no name says it, ids come first. Undefined for what is no
 * aggregate.
 */
function aggregateColumns(
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
function noteUnreadCounts(names: readonly string[], { table, weight, onNote }: ProfileOptions): void {
  const counts = names.find((name) => COUNT_NAMES.includes(name.toLowerCase()));
  if (table === undefined || weight !== undefined || counts === undefined) return;
  onNote?.(`column "${counts}" is not read, and a line is one access; if it counts several, say --weight ${counts}`);
}

/**
 * The index, from 0, of a column that is named, or numbered from 1. Throws `InputError` when there is none, or more than
 * one of the name.
 */
export function columnIndex(
  column: string,
  names: readonly string[] | undefined,
  columns: number,
  option: string,
  file: string,
): number {
  const index = names?.indexOf(column) ?? -1;
  if (index !== -1) {
    if (names?.indexOf(column, index + 1) === -1) return index;
    throw new InputError(`${option}: expected one column "${column}", received several; give its number`, file);
  }
  const number = /^[1-9]\d*$/.test(column) ? Number(column) : Number.NaN;
  if (number <= columns) return number - 1;
  if (names === undefined) {
    const message = `${option}: expected a column number from 1 to ${columns}, received ${JSON.stringify(column)}; the file has no header`;
    throw new InputError(message, file);
  }
  const meant = didYouMean(column, names);
  const advice = meant === undefined ? "" : `; ${meant}`;
  const message = `${option}: expected one of the columns ${names.join(", ")}, received ${JSON.stringify(column)}${advice}`;
  throw new InputError(message, file);
}
