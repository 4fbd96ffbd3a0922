import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError, type Place } from "../errors/input-error.js";
import { shown } from "../errors/shown.js";
import { type AskedColumns, askedColumns, columnIndex } from "./asked-columns.js";
import { CsvFault, CsvRecords, type Field } from "./csv-records.js";
import { bareText, entriesOf, isInteger, LIST_EXPECTED, listFault, looksLikeList } from "./ids.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { type LogFile, NO_DELIMITER, rawLines } from "./raw-lines.js";
import { readTexts, type Texts } from "./texts.js";

/** How the lines of a text file are cut, and which columns are what; indices count from 0. */
export interface CsvLayout extends Texts, AskedColumns<number> {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly hasHeader: boolean;
  readonly names: readonly string[] | undefined;
  readonly columns: number;
  /** Whether a line may have no id. */
  readonly mayBeMissing: boolean;
  /** Fields without quotes that are no value. */
  readonly missing: readonly string[];
}

/** What Hive, MySQL, Postgres and ClickHouse write for no value. */
const NULL = "\\N";

/** Lines that are looked at to tell how a file is written. */
const LINES = 1000;

/** Throws `InputError` when the file is empty, its first lines are no CSV, or the columns asked for are not there. */
export async function csvLayout(
  connection: DuckDBConnection,
  textFile: LogFile,
  options: LogOptions,
): Promise<CsvLayout> {
  const { name: file } = textFile;
  const lines: string[] = [];
  for await (const some of rawLines(connection, textFile, LINES)) lines.push(...some);
  const written = lines.filter((line) => line.trim() !== "");
  if (written.length === 0) throw new InputError("expected a log of accesses, received an empty file", file);
  const cut = cutOf(file, written, options);
  const records = recordsOf(file, lines, cut);
  const [first = []] = records;
  const header = headerOf(first, options);
  const data = header === undefined ? records : records.slice(1);
  const find = (column: string, option: string) => columnIndex(column, header, first.length, option, file);
  const names = first.map(({ text }) => text.trim());
  const neither = { rows: "--row COLUMN or --list COLUMN, received neither", file };
  const { row, ...others } = askedColumns(names, options, find, neither);
  const missing = [NULL, ...(options.missing ?? [])];
  const fields = data.flatMap((record) => record[row] ?? []).filter((field) => !isMissing(field, missing));
  const texts = fields.map(({ text }) => text);
  return {
    ...cut,
    ...readTexts(header?.[row] ?? String(row + 1), texts, options),
    hasHeader: header !== undefined,
    names: header,
    columns: first.length,
    ...{ row, ...others },
    mayBeMissing: options.mayBeMissing === true,
    missing,
  };
}

/** Whether a field is no value: empty, or one of `missing` without quotes. */
export function isMissing({ text, isQuoted }: Field, missing: readonly string[]): boolean {
  return text === "" || (!isQuoted && missing.includes(text));
}

function cutOf(file: string, lines: readonly string[], { delimiter, format }: ProfileOptions) {
  if (delimiter !== undefined) return { delimiter, isQuoted: true };
  const [first = "", second = first] = lines;
  if (format === "tsv" || /\.tsv(\.gz|\.zst)?$/i.test(file) || first.includes("\t")) {
    // A list in brackets may have quotes of its own.
    return { delimiter: "\t", isQuoted: !/(^|\t)\[.*"/.test(second) };
  }
  const isWhole = [first, second].some((line) => /^\s*\[.*\]\s*$/.test(line));
  if (isWhole) return { delimiter: NO_DELIMITER, isQuoted: false };
  return { delimiter: OTHER_CUTS.find((other) => isHeaderCutBy(first, second, other)) ?? ",", isQuoted: true };
}

/** What else parts the names of a header, where it has no comma. */
const OTHER_CUTS = [";", "|"];

/** Whether a line is a header of names between `delimiter`, and the next one has as many fields. */
function isHeaderCutBy(first: string, second: string, delimiter: string): boolean {
  const names = first.split(delimiter);
  if (first.includes(",") || names.length === 1 || names.some(isIdLike)) return false;
  return new CsvRecords(delimiter, true).line(second)?.length === names.length;
}

function recordsOf(file: string, lines: readonly string[], cut: { delimiter: string; isQuoted: boolean }) {
  const reader = new CsvRecords(cut.delimiter, cut.isQuoted);
  const records: (readonly Field[])[] = [];
  try {
    for (const line of lines) {
      const record = reader.line(line);
      if (record !== undefined && !(record.length === 1 && record[0]?.text.trim() === "")) records.push(record);
    }
  } catch (error) {
    throw error instanceof CsvFault ? new InputError(error.message, file, error.place) : error;
  }
  return records;
}

/** The names in the first record, if it is meant as a header. */
function headerOf(first: readonly Field[], options: ProfileOptions): string[] | undefined {
  const names = first.map(({ text }) => text.trim());
  if (options.header !== undefined) return options.header ? names : undefined;
  const asked = [options.list ?? options.row, options.table, options.sample, options.weight].filter(
    (name) => name !== undefined,
  );
  // A column that is asked for by name must be there; columnIndex says so if it is not.
  if (asked.some((name) => !/^[1-9]\d*$/.test(name))) return names;
  const isData = options.isAggregate === true ? names.some(isInteger) : names.some(isIdLike);
  return isData ? undefined : names;
}

/** Whether a first line's field is rather an id, or a list, than a name. */
function isIdLike(text: string): boolean {
  return isInteger(text) || looksLikeList(text);
}

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
