import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";

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
