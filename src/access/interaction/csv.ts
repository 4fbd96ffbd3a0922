import { readFile } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A matrix with where its entries were written. */
export interface CsvMatrix {
  readonly entry: (row: number, column: number) => number;
  /** Throws `InputError` at the place of an entry. */
  readonly fail: (row: number, column: number, message: string) => never;
}

interface Line {
  /** From 1. */
  readonly number: number;
  readonly fields: readonly Field[];
}

interface Field {
  readonly text: string;
  /** From 1. */
  readonly column: number;
}

/**
 * An F × F matrix as text: one line of F numbers for each feature, in the order of `names`. The first line may be a header
 * of the names; then the first column may have them too, under an empty field or a word of its own, as pandas writes it.
 * Empty lines and lines that begin with `#` are skipped.
 *
 * Throws `InputError` with the line and column of what is no number, of a name that is not the feature's, and where there
 * are more or fewer lines or numbers than features.
 */
export async function readCsvMatrix(path: string, names: readonly string[]): Promise<CsvMatrix> {
  const lines = linesOf(await readFile(path, "utf8"));
  const [first] = lines;
  if (first === undefined) throw new InputError(`expected ${names.length} lines of numbers, received none`, path);
  const hasHeader = first.fields.some(({ text }) => !NUMBER.test(text));
  const hasLabels = hasHeader && first.fields.length === names.length + 1;
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
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
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
    .map(({ number, written }) => ({ number, fields: fieldsOf(written) }));
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
