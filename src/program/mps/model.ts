import { InputError, type Place } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import { INFINITE_BOUND } from "../decimal.js";
import type { Field } from "./lines.js";

export type RowType = "N" | "L" | "G" | "E";

/** A row while its file is being read. */
export interface MpsRow {
  readonly name: string;
  readonly type: RowType;
  readonly terms: [column: number, coefficient: Rational][];
  /** The last column with an entry in this row: columns are contiguous, so a second entry shows here. */
  lastColumn: number;
  rhs: Rational | undefined;
  range: Rational | undefined;
}

/** A column while its file is being read; a bound is `undefined` until one is given and `null` when given as infinite. */
export interface MpsColumn {
  readonly name: string;
  integer: boolean;
  /** Integer by its MARKER block, and without a line in BOUNDS so far. */
  isDefault: boolean;
  lower: Rational | null | undefined;
  upper: Rational | null | undefined;
  /** Where a negative upper bound was given by UP or UI. */
  negativeUpper?: Field;
}

/** Everything read so far. */
export interface MpsModel {
  readonly file: string;
  name: string;
  sense: "minimize" | "maximize" | undefined;
  objectiveName: Field | undefined;
  readonly rows: MpsRow[];
  readonly rowIndex: Map<string, number>;
  readonly columns: MpsColumn[];
  readonly columnIndex: Map<string, number>;
  /** The header of RHS. */
  rhsSection: Place | undefined;
  /** The INTORG marker whose INTEND has not come yet. */
  integerBlock: Field | undefined;
  /** The name of the first set of each of the sections RHS, RANGES and BOUNDS; `""` when the file leaves names out. */
  readonly setNames: Map<string, string>;
  /** What the reader has to say, see `ReadModel`. */
  readonly notes: string[];
}

export function emptyModel(file: string): MpsModel {
  return {
    file,
    name: "",
    sense: undefined,
    objectiveName: undefined,
    rows: [],
    rowIndex: new Map(),
    columns: [],
    columnIndex: new Map(),
    rhsSection: undefined,
    integerBlock: undefined,
    setNames: new Map(),
    notes: [],
  };
}

/** Adds a note about a place in the file. */
export function note(model: MpsModel, { line }: Place, text: string): void {
  model.notes.push(`line ${line}: ${text}`);
}

export function inputError(model: MpsModel, place: Place, message: string): InputError {
  return new InputError(message, model.file, place);
}

/** The exact value of a decimal field. Throws `InputError` when it is none. */
export function numberField(model: MpsModel, field: Field): Rational {
  // Rational.parse also reads fractions; other readers of MPS stop at the slash and take the numerator.
  if (/^[+-]?\d+\/\d+$/.test(field.text)) {
    throw inputError(
      model,
      field,
      `expected a decimal number, found the fraction ${shown(field.text)}, of which other programs read the numerator alone; write a decimal, or multiply the row`,
    );
  }
  try {
    if (!field.text.includes("/")) return Rational.parse(field.text);
  } catch (error) {
    if (error instanceof RangeError)
      throw inputError(model, field, `expected a number of sensible size: ${error.message}`);
  }
  throw inputError(
    model,
    field,
    `expected a number, found "${shown(field.text)}"; fields are separated by blanks, names must not contain any`,
  );
}

/** A bound: an exact value, or an infinity for `inf`, `infinity` and absolute values from 1e30 on. */
export function boundField(model: MpsModel, field: Field): Rational | "+inf" | "-inf" {
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(field.text);
  if (infinity) return infinity[1] === "-" ? "-inf" : "+inf";
  const value = numberField(model, field);
  if (value.absolute().compare(INFINITE_BOUND) < 0) return value;
  return value.sign() < 0 ? "-inf" : "+inf";
}

/** Looks a row up. Throws `InputError` at the field when there is none. */
export function rowField(model: MpsModel, field: Field): MpsRow {
  return model.rows[model.rowIndex.get(field.text) ?? -1] ?? undeclared(model, field, "row", "ROWS");
}

/** Looks a column up. Throws `InputError` at the field when there is none. */
export function columnField(model: MpsModel, field: Field): MpsColumn {
  return model.columns[model.columnIndex.get(field.text) ?? -1] ?? undeclared(model, field, "column", "COLUMNS");
}

function undeclared(model: MpsModel, field: Field, what: string, section: string): never {
  const expected = `expected the name of a ${what} from ${section}, found "${shown(field.text)}"`;
  throw inputError(model, field, `${expected}; declare it there or correct it`);
}

/** Holds every line of a section to the name of its first set. Throws `InputError` for a second one. */
export function requireOneSet(model: MpsModel, section: string, name: string, place: Place): void {
  const first = model.setNames.get(section);
  if (first === undefined) model.setNames.set(section, name);
  else if (first !== name) {
    const quoted = (text: string) => (text === "" ? "no set name" : `set "${text}"`);
    throw inputError(
      model,
      place,
      `expected ${quoted(first)} as on the first line of ${section}, found ${quoted(name)}; only one set is read, remove the others`,
    );
  }
}
