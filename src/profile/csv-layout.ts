import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { columnIndex } from "./columns.js";
import { CsvFault, CsvRecords, type Field } from "./csv-records.js";
import { firstEntry, isInteger, looksLikeList } from "./ids.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { NO_DELIMITER, rawLines, type TextFile } from "./raw-lines.js";

/** How the lines of a text file are cut, and which columns are what; indices count from 0. */
export interface CsvLayout {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly hasHeader: boolean;
  readonly names: readonly string[] | undefined;
  readonly columns: number;
  readonly row: number;
  readonly isList: boolean;
  readonly sample: number | undefined;
  readonly weight: number | undefined;
  /** Whether every id must be an integer. */
  readonly isInteger: boolean;
  /** Whether a line may have none. */
  readonly mayBeMissing: boolean;
}

/** Lines that are looked at to tell how a file is written. */
const LINES = 1000;

/** Throws `InputError` when the file is empty, its first lines are no CSV, or the columns asked for are not there. */
export async function csvLayout(
  connection: DuckDBConnection,
  textFile: TextFile,
  options: LogOptions,
): Promise<CsvLayout> {
  const { name: file } = textFile;
  const lines: string[] = [];
  for await (const some of rawLines(connection, textFile, LINES)) lines.push(...some);
  const written = lines.filter((line) => line.trim() !== "");
  if (written.length === 0) throw new InputError("expected a log of accesses, received an empty file", file);
  const cut = cutOf(file, written, options);
  const records = recordsOf(file, lines, cut);
  const [first = [], ...others] = records;
  const header = headerOf(first, options);
  const data = header === undefined ? records : others;
  const find = (column: string, option: string) => columnIndex(column, header, first.length, option, file);
  const { list, sample, ids } = options;
  const row = find(list ?? options.row ?? defaultRow(file, first, options), rowOption(options));
  const values = data.map((record) => record[row]?.text ?? "").filter((text) => text !== "");
  const isList =
    list !== undefined ||
    (!isAccessPerLine(options) && values.some((text) => looksLikeList(text, hasSamples(options))));
  const example = values.map((text) => (isList ? firstEntry(text) : text.trim())).find((id) => id !== undefined);
  return {
    ...cut,
    hasHeader: header !== undefined,
    names: header,
    columns: first.length,
    row,
    isList,
    sample: sample === undefined ? undefined : find(sample, "--sample"),
    weight: weightOf(options, first, find),
    isInteger: ids === undefined ? example !== undefined && isInteger(example) : ids === "integers",
    mayBeMissing: options.mayBeMissing === true,
  };
}

/** What says which column has the row ids. */
export function rowOption({ list, option }: LogOptions): string {
  return option ?? (list === undefined ? "--row" : "--list");
}

/** Whether something else than the lines says how many samples there are. */
export function hasSamples({ sample, samples, mayBeMissing }: LogOptions): boolean {
  return sample !== undefined || samples !== undefined || mayBeMissing === true;
}

/** A weight belongs to one access. */
function isAccessPerLine({ weight, isAggregate }: ProfileOptions): boolean {
  return weight !== undefined || isAggregate === true;
}

function weightOf(
  { weight, isAggregate }: ProfileOptions,
  first: readonly Field[],
  find: (column: string, option: string) => number,
): number | undefined {
  if (weight !== undefined) return find(weight, "--weight");
  if (isAggregate !== true) return undefined;
  return first.some(({ text }) => text === "accesses") ? find("accesses", "--weight") : find("2", "--weight");
}

function defaultRow(file: string, first: readonly Field[], { isAggregate }: ProfileOptions): string {
  const usual = ["row_id", "row"].find((name) => first.some(({ text }) => text === name));
  if (usual !== undefined) return usual;
  if (first.length === 1 || isAggregate === true) return "1";
  const columns = first.map(({ text }) => text).join(", ");
  throw new InputError(`expected --row COLUMN or --list COLUMN, received neither; the columns are ${columns}`, file);
}

function cutOf(file: string, lines: readonly string[], { delimiter, format }: ProfileOptions) {
  if (delimiter !== undefined) return { delimiter, isQuoted: true };
  const [first = "", second = first] = lines;
  if (format === "tsv" || /\.tsv(\.gz|\.zst)?$/i.test(file) || first.includes("\t")) {
    // A list in brackets may have quotes of its own.
    return { delimiter: "\t", isQuoted: !/(^|\t)\[.*"/.test(second) };
  }
  const isWhole = [first, second].some((line) => /^\s*\[.*\]\s*$/.test(line));
  return isWhole ? { delimiter: NO_DELIMITER, isQuoted: false } : { delimiter: ",", isQuoted: true };
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
  const asked = [options.list ?? options.row, options.sample, options.weight].filter((name) => name !== undefined);
  // A column that is asked for by name must be there; columnIndex says so if it is not.
  if (asked.some((name) => !/^[1-9]\d*$/.test(name))) return names;
  const isData = options.isAggregate === true ? isInteger(names[1] ?? "") : names.some(isIdLike);
  return isData ? undefined : names;
}

/** Whether a first line's field is rather an id, or a list, than a name. */
function isIdLike(text: string): boolean {
  return isInteger(text) || looksLikeList(text);
}
