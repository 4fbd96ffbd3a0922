import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError, type Place } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { type CsvLayout, isMissing } from "./csv-layout.js";
import { CsvFault, CsvRecords, type Field } from "./csv-records.js";
import { bareText, entriesOf, isInteger, LIST_EXPECTED, listFault } from "./ids.js";
import { type LogFile, rawLines } from "./raw-lines.js";

/**
 * Reads text files again, line by line, up to the first line that is malformed: the database that found one names neither
 * the file nor the column. Throws `InputError` for it; returns when there is none in the first `most` lines.
 */
export async function findFault(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  layout: CsvLayout,
  most?: number,
): Promise<void> {
  for (const file of files) {
    const records = new CsvRecords(layout.delimiter, layout.isQuoted);
    let isHeader = layout.hasHeader;
    try {
      for await (const lines of rawLines(connection, file, most)) {
        for (const line of lines) {
          const record = records.line(line);
          if (record === undefined || isBlank(record, layout)) continue;
          if (isHeader) checkHeader(record, layout);
          else checkRecord(record, layout);
          isHeader = false;
        }
      }
      if (most === undefined) records.end();
    } catch (error) {
      throw error instanceof CsvFault ? new InputError(error.message, file.name, error.place) : error;
    }
  }
}

/** An empty line is an empty list where lines are lists, and nothing elsewhere. */
function isBlank(record: readonly Field[], { columns }: CsvLayout): boolean {
  return columns > 1 && record.length === 1 && record[0]?.text === "";
}

function checkHeader(record: readonly Field[], { names }: CsvLayout): void {
  const found = record.map(({ text }) => text.trim()).join(",");
  if (found === names?.join(",")) return;
  fault(`expected the columns ${names?.join(",")} of the first file, received ${found}`, record[0]);
}

function checkRecord(record: readonly Field[], layout: CsvLayout): void {
  const { columns, isList, row, table, sample, weight, mayBeMissing } = layout;
  if (record.length !== columns) {
    const last = record.at(-1) as Field;
    // Too many: the first that is too much; too few: where the next would be.
    const place = record[columns]?.place ?? { ...last.place, column: last.place.column + last.text.length };
    throw new CsvFault(`expected ${fieldsText(columns)}, received ${record.length}; correct the line`, place);
  }
  const id = record[row] as Field;
  const isNone = isMissing(id, layout.missing);
  if (isList && !isNone) checkList(id, layout);
  else if (!isList && (!mayBeMissing || !(isNone || id.text.trim() === ""))) {
    checkId(isNone ? "" : id.text, id.place, layout);
  }
  for (const [column, what] of [
    [table, "a table"],
    [sample, "a sample"],
  ] as const) {
    if (column === undefined || !isMissing(record[column] as Field, layout.missing)) continue;
    fault(`expected ${what}, received nothing`, record[column]);
  }
  if (weight === undefined) return;
  const field = record[weight] as Field;
  if (!/^ *[0-9]{1,15} *$/.test(field.text)) {
    fault(`expected a whole number of accesses, received ${said(field.text)}; correct the line`, field);
  }
}

function checkList({ text: written, place }: Field, layout: CsvLayout): void {
  const text = bareText(written, layout);
  const fault = listFault(text);
  if (fault !== undefined) {
    const message = `expected ${LIST_EXPECTED}, received ${said(written)}; correct the line`;
    throw new CsvFault(message, { line: place.line, column: place.column + fault });
  }
  for (const { id, offset } of entriesOf(text)) {
    checkId(id, { line: place.line, column: place.column + offset }, layout);
  }
}

function checkId(text: string, place: Place, { isInteger: mustBeInteger }: CsvLayout): void {
  if (text.trim() === "") throw new CsvFault("expected a row id, received nothing; correct the line", place);
  if (!mustBeInteger || isInteger(text)) return;
  const message = `expected an integer, as most of the first row ids are, received ${said(text)}; correct the line, say --null ${JSON.stringify(text.trim())} where that is no value, or --ids texts`;
  throw new CsvFault(message, place);
}

function fault(message: string, field: Field | undefined): never {
  throw new CsvFault(message, field?.place ?? { line: 1, column: 1 });
}

function fieldsText(fields: number): string {
  return fields === 1 ? "1 field" : `${fields} fields`;
}

function said(text: string): string {
  return text === "" ? "nothing" : JSON.stringify(shown(text));
}
