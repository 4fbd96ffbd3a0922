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
  sideField,
} from "./model.js";
import { noteSetName, requireAtMost, requireField } from "./sections.js";

const WITH_VALUE = new Set(["LO", "UP", "FX", "LI", "UI"]);
const WITHOUT_VALUE = new Set(["FR", "MI", "PL", "BV"]);

/** BOUNDS: a type, an optional set name, a column, and a value where the type takes one (a superfluous one is skipped). */
export function readBound(model: MpsModel, fields: Fields): void {
  const type = fields[0].text.toUpperCase();
  const withValue = WITH_VALUE.has(type);
  if (type === "SC" || type === "SI") {
    const found = `found ${type}: semi-continuous columns are not supported; model them with a binary column`;
    throw inputError(model, fields[0], `expected a bound of a continuous or integer column, ${found}`);
  }
  if (!withValue && !WITHOUT_VALUE.has(type)) {
    throw expected(model, fields[0], "a bound type LO, UP, FX, FR, MI, PL, BV, LI or UI", "; correct it");
  }
  requireField(model, fields, 1, "a column name");
  const { setName, name, value } = withValue ? splitWithValue(model, fields) : splitWithoutValue(model, fields);
  if (!isSetRead(model, "BOUNDS", setName, fields[1] as Field)) return;
  if (setName !== "") noteSetName(model, "BOUNDS", fields[1] as Field);
  const column = columnField(model, name);
  column.bounded ??= fields[0];
  if (type === "LO" || type === "MI") column.byLower = true;
  if (withValue) setValue(model, column, type, name, value as Field);
  else {
    if (value) numberField(model, value);
    setWithoutValue(model, column, type, name);
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

function setValue(model: MpsModel, column: MpsColumn, type: string, name: Field, field: Field): void {
  const bound = sideField(model, field, "infiniteBound");
  if (type === "LI" || type === "UI") column.integer = true;
  if (type === "FX") {
    if (typeof bound === "string") {
      throw expected(model, field, `a finite value to fix "${column.name}" at`, "; use FR, MI or PL");
    }
    setLower(model, column, bound, name);
    setUpper(model, column, bound, name);
  } else if (type === "LO" || type === "LI") {
    if (bound === "+inf") throw expected(model, field, "a lower bound below infinity", "; correct it");
    setLower(model, column, bound === "-inf" ? null : bound, name);
  } else {
    if (bound === "-inf") throw expected(model, field, "an upper bound above minus infinity", "; correct it");
    setUpper(model, column, bound === "+inf" ? null : bound, name);
    if (bound !== "+inf" && bound.sign() < 0) {
      column.negativeUpper = field;
      column.negativeType = type;
    }
  }
}

function setWithoutValue(model: MpsModel, column: MpsColumn, type: string, name: Field): void {
  if (type === "BV") {
    column.integer = true;
    setLower(model, column, Rational.zero, name);
    setUpper(model, column, Rational.one, name);
  }
  if (type === "FR" || type === "MI") setLower(model, column, null, name);
  if (type === "FR" || type === "PL") setUpper(model, column, null, name);
}

function setLower(model: MpsModel, column: MpsColumn, bound: Rational | null, name: Field): void {
  if (column.lower !== undefined) throw repeated(model, "lower", name, column);
  const { name: named, isMarked, upper } = column;
  if (isMarked && upper instanceof Rational && upper.compare(Rational.one) <= 0) {
    const text = `the upper bound of the integer column "${shown(named)}", given before its lower one, is kept`;
    note(model, "upper-then-lower", name, `${text}; SCIP loses it`);
  }
  column.lower = bound;
}

function setUpper(model: MpsModel, column: MpsColumn, bound: Rational | null, name: Field): void {
  if (column.upper !== undefined) throw repeated(model, "upper", name, column);
  column.upper = bound;
}

function repeated(model: MpsModel, side: string, at: Field, { name }: MpsColumn) {
  return inputError(model, at, `expected one ${side} bound per column, found a second one for "${name}"; remove one`);
}
