import { shown } from "../../errors/shown.js";
import type { Rational } from "../../exact/rational.js";
import type { Field } from "./lines.js";
import { inputError, type MpsModel, numberField, type RowType, requireOneSet, rowField } from "./model.js";

type Fields = readonly [Field, ...Field[]];

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
export function readSense(model: MpsModel, fields: Fields): void {
  const sense = senseOf(fields[0].text);
  if (!sense)
    throw inputError(model, fields[0], `expected MAX or MIN, found "${shown(fields[0].text)}"; write MAX or MIN`);
  requireAtMost(model, fields, 1, "OBJSENSE");
  if (model.sense)
    throw inputError(model, fields[0], `expected one sense, found "${shown(fields[0].text)}" too; remove one`);
  model.sense = sense;
}

/** OBJNAME: the name of the N row that is the objective. */
export function readObjectiveName(model: MpsModel, fields: Fields): void {
  requireAtMost(model, fields, 1, "OBJNAME");
  if (model.objectiveName) {
    throw inputError(model, fields[0], `expected one objective name, found "${shown(fields[0].text)}" too; remove one`);
  }
  model.objectiveName = fields[0];
}

/** ROWS: a type and a name. */
export function readRow(model: MpsModel, fields: Fields): void {
  const type = fields[0].text.toUpperCase();
  if (!isRowType(type)) {
    throw inputError(
      model,
      fields[0],
      `expected a row type N, L, G or E, found "${shown(fields[0].text)}"; correct it`,
    );
  }
  const name = requireField(model, fields, 1, "a row name");
  requireAtMost(model, fields, 2, "ROWS");
  if (model.rowIndex.has(name.text)) {
    throw inputError(
      model,
      name,
      `expected a new row name, found "${shown(name.text)}" a second time; rename one of the two`,
    );
  }
  model.rowIndex.set(name.text, model.rows.length);
  model.rows.push({ name: name.text, type, terms: [], lastColumn: -1, rhs: undefined, range: undefined });
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
    model.columns.push({ name: name.text, integer, isDefault: integer, lower: undefined, upper: undefined });
  } else if (index !== last) {
    throw inputError(
      model,
      name,
      `expected the entries of a column together, found "${shown(name.text)}" again after other columns; move these entries up, or rename the column`,
    );
  }
  for (const [field, value] of pairs(model, fields, 1, "COLUMNS")) {
    const row = rowField(model, field);
    const coefficient = numberField(model, value);
    if (row.lastColumn === index) {
      throw inputError(
        model,
        field,
        `expected one entry per row and column, found "${shown(field.text)}" twice; remove one`,
      );
    }
    row.lastColumn = index;
    if (coefficient.sign() !== 0) row.terms.push([index, coefficient]);
  }
}

function readMarker(model: MpsModel, fields: Fields): void {
  const kind = requireField(model, fields, 2, "'INTORG' or 'INTEND'");
  requireAtMost(model, fields, 3, "COLUMNS");
  if (kind.text !== "'INTORG'" && kind.text !== "'INTEND'") {
    throw inputError(
      model,
      kind,
      `expected the marker 'INTORG' or 'INTEND', found ${shown(kind.text)}; special ordered sets are not supported`,
    );
  }
  if ((kind.text === "'INTORG'") !== (model.integerBlock === undefined)) {
    const expected = model.integerBlock === undefined ? "'INTORG'" : "'INTEND'";
    throw inputError(model, kind, `expected ${expected} next, found ${shown(kind.text)}; markers come in pairs`);
  }
  model.integerBlock = kind.text === "'INTORG'" ? kind : undefined;
}

/** RHS: an optional set name and one or two pairs of row and value. */
export function readRhs(model: MpsModel, fields: Fields): void {
  readRowValues(model, fields, "RHS", (row, value, field) => {
    if (row.rhs !== undefined) throw inputError(model, field, repeated("right-hand side", row.name));
    row.rhs = value;
  });
}

/** RANGES: an optional set name and one or two pairs of row and range. */
export function readRange(model: MpsModel, fields: Fields): void {
  readRowValues(model, fields, "RANGES", (row, value, field) => {
    if (row.range !== undefined) throw inputError(model, field, repeated("range", row.name));
    if (row.type === "N") {
      throw inputError(
        model,
        field,
        `expected a row of type L, G or E, found "${row.name}" of type N, which has no bounds; remove the range`,
      );
    }
    row.range = value;
  });
}

function readRowValues(
  model: MpsModel,
  fields: Fields,
  section: "RHS" | "RANGES",
  put: (row: ReturnType<typeof rowField>, value: Rational, field: Field) => void,
): void {
  // Pairs fill an even number of fields, so an odd one begins with the set's name.
  const named = fields.length % 2 === 1;
  const entries = pairs(model, fields, named ? 1 : 0, section);
  requireOneSet(model, section, named ? fields[0].text : "", fields[0]);
  for (const [field, value] of entries) put(rowField(model, field), numberField(model, value), field);
}

function repeated(what: string, row: string): string {
  return `expected one ${what} per row, found a second one for "${row}"; remove one`;
}

/** One or two pairs of fields from index `from` on. */
function pairs(model: MpsModel, fields: Fields, from: number, section: string): [Field, Field][] {
  const first: [Field, Field] = [
    requireField(model, fields, from, "a row name"),
    requireField(model, fields, from + 1, "a number"),
  ];
  if (fields.length === from + 2) return [first];
  const second: [Field, Field] = [
    requireField(model, fields, from + 2, "a row name"),
    requireField(model, fields, from + 3, "a number"),
  ];
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
  if (extra) {
    throw inputError(
      model,
      extra,
      `expected the end of the line (${section} takes at most ${count} fields here), found "${shown(extra.text)}"; remove it, or remove the blanks from a name`,
    );
  }
}

function isRowType(text: string): text is RowType {
  return text === "N" || text === "L" || text === "G" || text === "E";
}
