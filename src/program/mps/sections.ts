import type { InputError } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Field } from "./lines.js";
import {
  columnField,
  expected,
  type Fields,
  inputError,
  isSetRead,
  type MpsColumn,
  type MpsModel,
  note,
  numberField,
  type RowType,
  rowField,
  type Side,
  sideField,
} from "./model.js";

const SENSES = new Map<string, "minimize" | "maximize">([
  ["MAX", "maximize"],
  ["MAXIMIZE", "maximize"],
  ["MIN", "minimize"],
  ["MINIMIZE", "minimize"],
]);

/** The sense a word of OBJSENSE stands for. */
export function senseOf(word: string): "minimize" | "maximize" | undefined {
  return SENSES.get(word.toUpperCase());
}

/** OBJSENSE: one of MAX, MAXIMIZE, MIN, MINIMIZE. */
export function readSense(model: MpsModel, fields: Fields, onHeader = false): void {
  const sense = senseOf(fields[0].text);
  if (!sense) throw expected(model, fields[0], "MAX or MIN", "; write MAX or MIN");
  requireAtMost(model, fields, 1, "OBJSENSE");
  if (model.sense) throw expected(model, fields[0], "one sense", " too; remove one");
  model.sense = { sense, field: fields[0], onHeader, afterRows: model.rows.length > 0 };
}

/** OBJNAME: the name of the N row that is the objective. */
export function readObjectiveName(model: MpsModel, fields: Fields): void {
  requireAtMost(model, fields, 1, "OBJNAME");
  if (model.objectiveName) throw expected(model, fields[0], "one objective name", " too; remove one");
  model.objectiveName = fields[0];
}

/** ROWS: a type and a name. */
export function readRow(model: MpsModel, fields: Fields): void {
  const type = fields[0].text.toUpperCase();
  if (!isRowType(type)) throw expected(model, fields[0], "a row type N, L, G or E", "; correct it");
  const name = requireField(model, fields, 1, "a row name");
  requireAtMost(model, fields, 2, "ROWS");
  if (model.rowIndex.has(name.text)) {
    throw expected(model, name, "a new row name", " a second time; rename one of the two");
  }
  model.rowIndex.set(name.text, model.rows.length);
  model.rows.push({ name: name.text, type, terms: [], lastColumn: -1 });
}

/** COLUMNS: a column and one or two pairs of row and coefficient, or a MARKER line. */
export function readColumn(model: MpsModel, fields: Fields): void {
  const [name, second] = fields;
  if (second?.text === "'MARKER'") {
    readMarker(model, fields);
    return;
  }
  const last = model.columns.length - 1;
  let index = model.columnIndex.get(name.text);
  if (index === undefined) {
    index = last + 1;
    model.columnIndex.set(name.text, index);
    const integer = model.integerBlock !== undefined;
    model.columns.push({ name: name.text, integer, field: name, isMarked: integer, byLower: false });
  } else if (index !== last) {
    const rest = " again after other columns; move these entries up, or rename the column";
    throw expected(model, name, "the entries of a column together", rest);
  } else if ((model.integerBlock !== undefined) !== model.columns[index]?.isMarked) {
    const text = `the column "${shown(name.text)}" goes on behind a marker, and is what it was before`;
    note(model, "column-over-marker", name, `${text}; lp_solve makes two of it`);
  }
  for (const [field, value] of pairs(model, fields, 1, "COLUMNS")) {
    const row = rowField(model, field);
    const coefficient = numberField(model, value);
    if (row.lastColumn === index) throw expected(model, field, "one entry per row and column", " twice; remove one");
    row.lastColumn = index;
    if (coefficient.sign() !== 0) row.terms.push([index, coefficient]);
  }
}

function readMarker(model: MpsModel, fields: Fields): void {
  const kind = requireField(model, fields, 2, "'INTORG' or 'INTEND'");
  requireAtMost(model, fields, 3, "COLUMNS");
  if (kind.text !== "'INTORG'" && kind.text !== "'INTEND'") {
    const found = `found ${shown(kind.text)}; special ordered sets are not supported`;
    throw inputError(model, kind, `expected the marker 'INTORG' or 'INTEND', ${found}`);
  }
  if ((kind.text === "'INTORG'") !== (model.integerBlock === undefined)) {
    const next = model.integerBlock === undefined ? "'INTORG'" : "'INTEND'";
    throw inputError(model, kind, `expected ${next} next, found ${shown(kind.text)}; markers come in pairs`);
  }
  model.integerBlock = kind.text === "'INTORG'" ? kind : undefined;
}

/** RHS: an optional set name and one or two pairs of row and value. */
export function readRhs(model: MpsModel, fields: Fields): void {
  readRowValues(model, fields, "RHS", (row, value, field, valueField) => {
    if (row.rhs !== undefined) throw repeated(model, field, "right-hand side", "row", row.name);
    row.rhs = value;
    row.rhsField = valueField;
  });
}

/** RANGES: an optional set name and one or two pairs of row and range. */
export function readRange(model: MpsModel, fields: Fields): void {
  readRowValues(model, fields, "RANGES", (row, value, field, valueField) => {
    if (row.rangeField !== undefined) throw repeated(model, field, "range", "row", row.name);
    row.rangeField = valueField;
    if (row.type === "N") {
      const text = `the range of "${row.name}", a row of type N, is skipped; CBC refuses it, others skip it too`;
      note(model, "free-row-range", field, text);
    } else row.range = value;
  });
}

function readRowValues(
  model: MpsModel,
  fields: Fields,
  section: "RHS" | "RANGES",
  put: (row: ReturnType<typeof rowField>, value: Side, field: Field, valueField: Field) => void,
): void {
  // Pairs fill an even number of fields, so an odd one begins with the set's name.
  const named = fields.length % 2 === 1;
  const entries = pairs(model, fields, named ? 1 : 0, section);
  if (!isSetRead(model, section, named ? fields[0].text : "", fields[0])) return;
  if (named && section === "RHS") noteSetName(model, section, fields[0]);
  for (const [field, value] of entries) {
    const row = rowField(model, field);
    put(row, row.type === "N" ? numberField(model, value) : sideField(model, value, "infiniteSide"), field, value);
  }
}

/** HiGHS takes a set that is called like a row, or in BOUNDS like a column, for one. */
export function noteSetName(model: MpsModel, section: string, field: Field): void {
  const isColumn = section === "BOUNDS";
  if (!(isColumn ? model.columnIndex : model.rowIndex).has(field.text)) return;
  const what = isColumn ? "column" : "row";
  const text = `the set of ${section} is called like the ${what} "${shown(field.text)}"`;
  note(model, "set-name", field, `${text}; HiGHS takes it for that ${what}`);
}

function repeated(model: MpsModel, at: Field, what: string, of: "row" | "column", name: string): InputError {
  return inputError(model, at, `expected one ${what} per ${of}, found a second one for "${name}"; remove one`);
}

/** One or two pairs of fields from index `from` on. */
function pairs(model: MpsModel, fields: Fields, from: number, section: string): [Field, Field][] {
  const pair = (at: number): [Field, Field] => [
    requireField(model, fields, at, "a row name"),
    requireField(model, fields, at + 1, "a number"),
  ];
  const first = pair(from);
  if (fields.length === from + 2) return [first];
  const second = pair(from + 2);
  requireAtMost(model, fields, from + 4, section);
  return [first, second];
}

/** The field at an index. Throws `InputError` past the line's end when the line is too short. */
export function requireField(model: MpsModel, fields: Fields, index: number, what: string): Field {
  const field = fields[index];
  if (field) return field;
  const last = fields[fields.length - 1] as Field;
  const end = { line: last.line, column: last.column + last.text.length };
  throw inputError(model, end, `expected ${what}, found the end of the line; complete the line`);
}

/** Throws `InputError` at the first field beyond `count`. */
export function requireAtMost(model: MpsModel, fields: Fields, count: number, section: string): void {
  const extra = fields[count];
  if (extra === undefined) return;
  const what = `the end of the line (${section} takes at most ${count} fields here)`;
  throw expected(model, extra, what, "; remove it, or remove the blanks from a name");
}

function isRowType(text: string): text is RowType {
  return text === "N" || text === "L" || text === "G" || text === "E";
}

/** What a type of BOUNDS sets: a bound of its own, `null` for none, or the value of the line. */
interface BoundType {
  readonly lower?: Rational | "value" | null;
  readonly upper?: Rational | "value" | null;
  readonly integer?: true;
}

const BOUND_TYPES = new Map<string, BoundType>([
  ["LO", { lower: "value" }],
  ["UP", { upper: "value" }],
  ["FX", { lower: "value", upper: "value" }],
  ["FR", { lower: null, upper: null }],
  ["MI", { lower: null }],
  ["PL", { upper: null }],
  ["BV", { lower: Rational.zero, upper: Rational.one, integer: true }],
  ["LI", { lower: "value", integer: true }],
  ["UI", { upper: "value", integer: true }],
]);

/** BOUNDS: a type, an optional set name, a column, and a value where the type takes one (a superfluous one is skipped). */
export function readBound(model: MpsModel, fields: Fields): void {
  const type = fields[0].text.toUpperCase();
  if (type === "SC" || type === "SI") {
    const found = `found ${type}: semi-continuous columns are not supported; model them with a binary column`;
    throw inputError(model, fields[0], `expected a bound of a continuous or integer column, ${found}`);
  }
  const sets = BOUND_TYPES.get(type);
  if (!sets) throw expected(model, fields[0], "a bound type LO, UP, FX, FR, MI, PL, BV, LI or UI", "; correct it");
  const withValue = sets.lower === "value" || sets.upper === "value";
  requireField(model, fields, 1, "a column name");
  const { setName, name, value } = withValue ? splitWithValue(model, fields) : splitWithoutValue(model, fields);
  if (!isSetRead(model, "BOUNDS", setName, fields[1] as Field)) return;
  if (setName !== "") noteSetName(model, "BOUNDS", fields[1] as Field);
  const column = columnField(model, name);
  column.bounded ??= fields[0];
  if (type === "LO" || type === "MI") column.byLower = true;
  const given = withValue ? boundValue(model, column, sets, value as Field) : null;
  if (!withValue && value) numberField(model, value);
  if (sets.integer) column.integer = true;
  if (sets.lower !== undefined) setLower(model, column, sets.lower === "value" ? given : sets.lower, name);
  if (sets.upper !== undefined) setUpper(model, column, sets.upper === "value" ? given : sets.upper, name);
  if (sets.lower === undefined && given !== null && given.sign() < 0) {
    column.negativeUpper = value as Field;
    column.negativeType = type;
  }
}

interface BoundParts {
  readonly setName: string;
  readonly name: Field;
  readonly value: Field | undefined;
}

function splitWithValue(model: MpsModel, fields: Fields): BoundParts {
  requireAtMost(model, fields, 4, "BOUNDS");
  const [, second, third] = fields;
  // "UP BND x": the set's name is there and the value is not.
  const lacksValue = second && third && !model.columnIndex.has(second.text) && model.columnIndex.has(third.text);
  const named = fields.length === 4 || lacksValue === true;
  const value = requireField(model, fields, named ? 3 : 2, "a number");
  return { setName: named ? (fields[1] as Field).text : "", name: fields[named ? 2 : 1] as Field, value };
}

function splitWithoutValue(model: MpsModel, fields: Fields): BoundParts {
  requireAtMost(model, fields, 4, "BOUNDS");
  const [, second, third, fourth] = fields as readonly [Field, Field, Field?, Field?];
  if (!third) return { setName: "", name: second, value: undefined };
  // Three fields are "type set column" or "type column value": the last one tells, unless a column bears a number's name.
  const columnThenValue = !fourth && !model.columnIndex.has(third.text) && model.columnIndex.has(second.text);
  if (columnThenValue) return { setName: "", name: second, value: third };
  return { setName: second.text, name: third, value: fourth };
}

/** The value of a line as a bound, `null` where it is infinite on the bound's own side. */
function boundValue(model: MpsModel, column: MpsColumn, { lower, upper }: BoundType, field: Field): Rational | null {
  const bound = sideField(model, field, "infiniteBound");
  if (typeof bound !== "string") return bound;
  if (lower && upper) throw expected(model, field, `a finite value to fix "${column.name}" at`, "; use FR, MI or PL");
  if (lower && bound === "+inf") throw expected(model, field, "a lower bound below infinity", "; correct it");
  if (upper && bound === "-inf") throw expected(model, field, "an upper bound above minus infinity", "; correct it");
  return null;
}

function setLower(model: MpsModel, column: MpsColumn, bound: Rational | null, name: Field): void {
  if (column.lower !== undefined) throw repeated(model, name, "lower bound", "column", column.name);
  const { name: named, isMarked, upper } = column;
  if (isMarked && upper instanceof Rational && upper.compare(Rational.one) <= 0) {
    const text = `the upper bound of the integer column "${shown(named)}", given before its lower one, is kept`;
    note(model, "upper-then-lower", name, `${text}; SCIP loses it`);
  }
  column.lower = bound;
}

function setUpper(model: MpsModel, column: MpsColumn, bound: Rational | null, name: Field): void {
  if (column.upper !== undefined) throw repeated(model, name, "upper bound", "column", column.name);
  column.upper = bound;
}
