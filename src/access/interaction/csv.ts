import { InputError } from "../../errors/input-error.js";
import { decimalIn } from "../../input/decimal.js";
import { readBytes } from "../../input/files.js";
import { utf8Text } from "../../input/utf8.js";

/** A matrix with where its entries were written. */
export interface CsvMatrix {
  readonly entry: (row: number, column: number) => number;
  /** Throws `InputError` at the place of an entry. */
  readonly fail: (row: number, column: number, message: string) => never;
}

interface Line {
  /** From 1. */
  readonly number: number;
  /** As it is in the file. */
  readonly written: string;
  readonly fields: readonly Field[];
}

interface Field {
  readonly text: string;
  /** From 1. */
  readonly column: number;
}

/**
 * An F × F matrix as UTF-8 text: one line of F numbers for each feature, in the order of `names`. The first line may be a header
 * of the names, which may be numbers themselves; then the first column may have them too, under an empty field or a word of
 * its own, as pandas writes it. Empty lines and lines that begin with `#` are skipped.
 *
 * Throws `InputError` for other bytes than UTF-8 and, with the line and column, for what is no number, a name that is not the
 * feature's, numbers that are not parted by commas, and more or fewer lines or numbers than features.
 */
export async function readCsvMatrix(path: string, names: readonly string[]): Promise<CsvMatrix> {
  const lines = linesOf(utf8Text(await readBytes(path), path, "save the file as UTF-8"));
  const [first] = lines;
  if (first === undefined) throw new InputError(`expected ${names.length} lines of numbers, received none`, path);
  const hasHeader = isHeader(first, names, lines.length);
  if (!hasHeader || !isOfNames(first, names)) refuseOtherSeparators(path, first, names);
  // A feature's name in the first field of a header with one too many is a column, not the corner over the labels.
  const isCorner = isOfNames(first, names) || !names.includes(first.fields[0]?.text ?? "");
  const hasLabels = hasHeader && first.fields.length === names.length + 1 && isCorner;
  const skipped = hasLabels ? 1 : 0;
  if (hasHeader) checkHeader(path, first, names, skipped);
  const body = hasHeader ? lines.slice(1) : lines;
  const rows = body.slice(0, names.length).map((line, row) => numbersOf(path, line, names, { row, skipped }));
  if (body.length !== names.length) {
    const place = { line: body[names.length]?.number ?? (lines.at(-1) as Line).number, column: 1 };
    const message = `expected ${names.length} lines of numbers, one for each feature, received ${body.length}; correct features or the file`;
    throw new InputError(message, path, place);
  }
  return {
    entry: (row, column) => rows[row]?.[column] as number,
    fail: (row, column, message) => {
      const line = body[row] as Line;
      throw new InputError(message, path, placeOf(line, column + skipped));
    },
  };
}

/**
 * Whether the first line is one of names. Names may be numbers: then only a line that is not needed as one of the matrix is a
 * header. A line with one word among numbers is one of the matrix, with a fault.
 */
function isHeader(first: Line, names: readonly string[], lines: number): boolean {
  const numbers = first.fields.filter(({ text }) => !Number.isNaN(decimalIn(text))).length;
  return numbers <= first.fields.length / 2 || (isOfNames(first, names) && lines > names.length);
}

/** Whether a line has the names, with or without a field before them. */
function isOfNames({ fields }: Line, names: readonly string[]): boolean {
  const skipped = fields.length - names.length;
  return (skipped === 0 || skipped === 1) && names.every((name, k) => fields[k + skipped]?.text === name);
}

/** Semicolons and tabs part the fields of files that spreadsheets write. */
function refuseOtherSeparators(path: string, first: Line, names: readonly string[]): void {
  for (const [separator, word] of [
    [";", "semicolons"],
    ["\t", "tabs"],
  ] as const) {
    const parts = first.written.trim().split(separator).length;
    const isParted = parts === names.length || parts === names.length + 1;
    if (!isParted || !first.fields.some(({ text }) => text.includes(separator))) continue;
    const message = `expected fields parted by commas, received ${word}; write the file with commas, and numbers with decimal points`;
    throw new InputError(message, path, placeOf(first, 0));
  }
}

function checkHeader(path: string, header: Line, names: readonly string[], skipped: number): void {
  if (header.fields.length - skipped !== names.length) {
    const message = `expected a header of ${names.length} names, one for each feature, received ${header.fields.length}; correct features or the file`;
    throw new InputError(message, path, placeOf(header, 0));
  }
  for (const [k, name] of names.entries()) {
    const found = header.fields[k + skipped]?.text as string;
    if (found === name) continue;
    const message = `expected the name ${JSON.stringify(name)}, as features[${k}] has it, received ${JSON.stringify(found)}; write the columns in the order of features`;
    throw new InputError(message, path, placeOf(header, k + skipped));
  }
}

function numbersOf(
  path: string,
  line: Line,
  names: readonly string[],
  { row, skipped }: { readonly row: number; readonly skipped: number },
): Float64Array {
  const found = line.fields.length - skipped;
  if (found !== names.length) {
    const message = `expected ${names.length} numbers, one for each feature, received ${found}; the matrix is square`;
    throw new InputError(message, path, placeOf(line, 0));
  }
  const label = line.fields[0] as Field;
  if (skipped === 1 && label.text !== names[row]) {
    const message = `expected the name ${JSON.stringify(names[row])}, as features[${row}] has it, received ${JSON.stringify(label.text)}; write the lines in the order of features`;
    throw new InputError(message, path, placeOf(line, 0));
  }
  return Float64Array.from(names, (_, k) => {
    const { text } = line.fields[k + skipped] as Field;
    const value = decimalIn(text);
    if (Number.isFinite(value)) return value;
    const received = text === "" ? "nothing" : JSON.stringify(text);
    throw new InputError(`expected a finite number, received ${received}`, path, placeOf(line, k + skipped));
  });
}

function placeOf(line: Line, field: number): { line: number; column: number } {
  return { line: line.number, column: line.fields[field]?.column ?? 1 };
}

function linesOf(text: string): Line[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((written, index) => ({ number: index + 1, written: written.replace(/\r$/, "") }))
    .filter(({ written }) => written.trim() !== "" && !written.startsWith("#"))
    .map(({ number, written }) => ({ number, written, fields: fieldsOf(written) }));
}

/** Fields between commas; one in double quotes may hold commas, and two quotes for one. */
function fieldsOf(line: string): Field[] {
  const fields: Field[] = [];
  for (let start = 0; start <= line.length; ) {
    const leading = line.slice(start).search(/\S|$/);
    const quoted = /^"((?:[^"]|"")*)"\s*(?=,|$)/.exec(line.slice(start + leading));
    const comma = line.indexOf(",", quoted === null ? start : start + leading + quoted[0].length);
    const end = comma === -1 ? line.length : comma;
    const text = quoted === null ? line.slice(start, end).trim() : (quoted[1] as string).replaceAll('""', '"');
    fields.push({ text, column: start + leading + 1 });
    start = end + 1;
  }
  return fields;
}
