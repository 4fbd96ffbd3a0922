import { InputError, type Place } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import { type Dialect, othersWhere, type ReadingRules, RULES } from "../reading/dialect.js";
import { isInfinite, noteInfinity } from "../reading/infinity.js";
import { type NoteCode, Notes, noteTiny } from "../reading/notes.js";
import type { ReadingOptions } from "../reading/read-model.js";
import type { Field } from "./lines.js";

/** The fields of a line. */
export type Fields = readonly [Field, ...Field[]];

export type RowType = "N" | "L" | "G" | "E";

/** A right-hand side or a bound: an exact value, or an infinity. */
export type Side = Rational | "+inf" | "-inf";

/** A row while its file is being read. */
export interface MpsRow {
  readonly name: string;
  readonly type: RowType;
  readonly terms: [column: number, coefficient: Rational][];
  /** The last column with an entry in this row: columns are contiguous, so a second entry shows here. */
  lastColumn: number;
  rhs?: Side;
  rhsField?: Field;
  range?: Side;
  rangeField?: Field;
}

/** A column while its file is being read; a bound is `undefined` until one is given and `null` when given as infinite. */
export interface MpsColumn {
  readonly name: string;
  integer: boolean;
  /** Where it appeared first. */
  readonly field: Field;
  /** Integer by its MARKER block. */
  readonly isMarked: boolean;
  /** The line of BOUNDS that came first. */
  bounded?: Field;
  /** Whether LO or MI gave the lower bound. */
  byLower: boolean;
  lower?: Rational | null;
  upper?: Rational | null;
  /** Where a negative upper bound was given by UP or UI, and by which. */
  negativeUpper?: Field;
  negativeType?: string;
}

/** What OBJSENSE says, and where. */
export interface Sense {
  readonly sense: "minimize" | "maximize";
  readonly field: Field;
  readonly onHeader: boolean;
  readonly afterRows: boolean;
}

/** Everything read so far. */
export class MpsModel {
  readonly file: string;
  readonly dialect: Dialect;
  readonly rules: ReadingRules;
  name = "";
  sense: Sense | undefined;
  objectiveName: Field | undefined;
  readonly rows: MpsRow[] = [];
  readonly rowIndex = new Map<string, number>();
  readonly columns: MpsColumn[] = [];
  readonly columnIndex = new Map<string, number>();
  /** Whether there is a line NAME. */
  hasName = false;
  /** The header that comes first. */
  firstSection: Place | undefined;
  /** The header of RHS. */
  rhsSection: Place | undefined;
  /** The INTORG marker whose INTEND has not come yet. */
  integerBlock: Field | undefined;
  /** The name of the first set of each of the sections RHS, RANGES and BOUNDS; `""` when the file leaves names out. */
  readonly setNames = new Map<string, string>();
  /** What the reader has to say, see `ReadModel`. */
  readonly notes = new Notes();

  constructor(file: string, { dialect = "cplex", rules = RULES[dialect] }: ReadingOptions) {
    this.file = file;
    this.dialect = dialect;
    this.rules = rules;
  }
}

/** Adds a note about a place in the file. */
export function note(model: MpsModel, code: NoteCode, { line }: Place, text: string): void {
  model.notes.add(code, line, text);
}

export function inputError(model: MpsModel, place: Place, message: string): InputError {
  return new InputError(message, model.file, place);
}

/** An error at a field that also says what stands there; `rest` goes after that. */
export function expected(model: MpsModel, field: Field, what: string, rest: string): InputError {
  return inputError(model, field, `expected ${what}, found "${shown(field.text)}"${rest}`);
}

/** The exact value of a decimal field. Throws `InputError` when it is none. */
export function numberField(model: MpsModel, field: Field): Rational {
  // Rational.parse also reads fractions; other readers of MPS stop at the slash and take the numerator.
  if (/^[+-]?\d+\/\d+$/.test(field.text)) {
    const found = `found the fraction ${shown(field.text)}, of which other programs read the numerator alone`;
    throw inputError(model, field, `expected a decimal number, ${found}; write a decimal, or multiply the row`);
  }
  try {
    if (!field.text.includes("/")) {
      const value = Rational.parse(field.text);
      noteDigits(model, field);
      noteTiny(model.notes, value, field);
      return value;
    }
  } catch (error) {
    if (error instanceof RangeError)
      throw inputError(model, field, `expected a number of sensible size: ${error.message}`);
  }
  const advice = /^[+-]?inf(inity)?$/i.test(field.text)
    ? "an infinity can be a bound, a right-hand side or a range alone"
    : "fields are separated by blanks, names must not contain any";
  throw expected(model, field, "a number", `; ${advice}`);
}

/** Digits beyond which lp_solve rounds what it reads. */
const LP_SOLVE_DIGITS = 12;

function noteDigits(model: MpsModel, field: Field): void {
  const { text } = field;
  const exponent = /[dD](.*)$/.exec(text);
  if (exponent) {
    const read = `${shown(text)} is taken as ${shown(text.replace(/[dD]/, "e"))}`;
    note(model, "exponent-d", field, `${read}; SCIP stops at the letter, GLPK, CBC and lp_solve refuse it`);
  }
  if (text.length <= LP_SOLVE_DIGITS) return;
  const digits = text
    .replace(/[eEdD].*$/, "")
    .replace(/[+\-.]/g, "")
    .replace(/^0+/, "")
    .replace(/0+$/, "");
  if (digits.length > LP_SOLVE_DIGITS) {
    const kept = `all ${digits.length} digits of ${shown(text)} are kept`;
    note(model, "long-number", field, `${kept}; lp_solve keeps some ${LP_SOLVE_DIGITS}`);
  }
}

/**
 * A number that may be infinite: an exact value, or an infinity for `inf`, `infinity` and absolute values from the
 * dialect's limit on.
 */
export function sideField(model: MpsModel, field: Field, limit: "infiniteBound" | "infiniteSide"): Side {
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(field.text);
  if (infinity) return infinity[1] === "-" ? "-inf" : "+inf";
  const value = numberField(model, field);
  noteInfinity(model.notes, model.dialect, limit, value, field);
  if (!isInfinite(model.rules, limit, value)) return value;
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
  throw expected(model, field, `the name of a ${what} from ${section}`, "; declare it there or correct it");
}

/**
 * Whether a line of a section is read, by the name of its set: the first set's lines are; those of others are refused
 * (`InputError`), skipped or read too, by the dialect.
 */
export function isSetRead(model: MpsModel, section: string, name: string, place: Place): boolean {
  const first = model.setNames.get(section);
  if (first === undefined) model.setNames.set(section, name);
  if (first === undefined || first === name) return true;
  const quoted = (text: string) => (text === "" ? "no set name" : `set "${shown(text)}"`);
  const { severalSets } = model.rules;
  if (severalSets === "refused") {
    const wanted = `expected ${quoted(first)} as on the first line of ${section}`;
    throw inputError(model, place, `${wanted}, found ${quoted(name)}; only one set is read, remove the others`);
  }
  const taken = severalSets === "first" ? "is skipped beside the first" : "is read as if it were the first";
  const firsts = othersWhere((rules) => rules.severalSets === "first");
  const merging = othersWhere((rules) => rules.severalSets === "merged");
  const text = `${quoted(name)} of ${section} ${taken}; ${merging} read all sets as one, ${firsts} the first alone`;
  note(model, "several-sets", place, text);
  return severalSets === "merged";
}
