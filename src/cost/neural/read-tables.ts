import { InputError } from "../../errors/input-error.js";
import { decimalIn } from "../../input/decimal.js";
import { BINS, type NetworkTable } from "./features.js";

/** A table without the width and the type of its elements, which the file of measured costs gives. */
export type TableShape = Pick<NetworkTable, "rows" | "poolingFactor" | "accessBins">;

const COLUMNS = ["rows", "poolingFactor", ...Array.from({ length: BINS }, (_, bin) => `bin${bin}`)];

/**
 * Reads a list of tables: CSV with the header `rows,poolingFactor,bin0,…,bin16` and one table per line. Empty lines, and
 * lines that begin with `#`, are skipped. Throws `InputError` at the first line that is not so.
 */
export function readTables(text: string, file: string): readonly TableShape[] {
  let hasHeader = false;
  const tables: TableShape[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const fields = line.split(",").map((field) => field.trim());
    if (hasHeader) tables.push(tableOf(fields, file, index + 1));
    else requireHeader(fields, file, index + 1);
    hasHeader = true;
  }
  if (tables.length === 0) throw new InputError("expected a header and at least one table, received none", file);
  return tables;
}

function requireHeader(fields: readonly string[], file: string, line: number): void {
  if (fields.join() === COLUMNS.join()) return;
  const message = `expected the header ${COLUMNS.slice(0, 3).join()},…,${COLUMNS.at(-1)}, received ${fields.length} columns that begin with ${fields[0]}`;
  throw new InputError(message, file, { line, column: 1 });
}

function tableOf(fields: readonly string[], file: string, line: number): TableShape {
  if (fields.length !== COLUMNS.length) {
    const message = `expected ${COLUMNS.length} fields, one per column of the header, received ${fields.length}`;
    throw new InputError(message, file, { line, column: 1 });
  }
  let column = 1;
  const [rows, poolingFactor, ...accessBins] = fields.map((field, f): number => {
    const value = /^[+-]/.test(field) ? Number.NaN : decimalIn(field);
    const isRight = f === 0 ? Number.isSafeInteger(value) && value > 0 : Number.isFinite(value);
    if (!isRight) {
      const wanted = f === 0 ? "an integer of at least 1" : "a number of at least 0";
      throw new InputError(`${COLUMNS[f]}: expected ${wanted}, received "${field}"`, file, { line, column });
    }
    column += field.length + 1;
    return value;
  }) as [number, number, ...number[]];
  return { rows, poolingFactor, accessBins };
}
