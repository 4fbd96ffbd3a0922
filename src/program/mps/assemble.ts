import type { Place } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Draft, DraftRow } from "../draft.js";
import { type Column, freeName } from "../program.js";
import { othersWhere, READER_NAMES, verb } from "../reading/dialect.js";
import { noteCosts } from "../reading/notes.js";
import type { Field } from "./lines.js";
import { expected, inputError, type MpsColumn, type MpsModel, type MpsRow, note, type Side } from "./model.js";

/**
 * What the sections say together: row types, right-hand sides and ranges as bounds, default bounds, the objective. A file
 * without a row of type N has objective 0. Throws `InputError` where OBJNAME names no such row, for sides that leave
 * nothing, and for what the dialect refuses.
 */
export function draftOf(model: MpsModel, end: Place): Draft {
  const objective = objectiveRow(model);
  const columns = model.columns.map((column) => finishedColumn(model, column));
  const rows = model.rows.filter((row) => row !== objective).map((row) => boundedRow(model, row));
  noteDefaults(model, end);
  noteCosts(model.notes, objective?.terms ?? [], (column) => model.columns[column]?.field.line ?? end.line);
  const names = new Set(model.rows.map(({ name }) => name));
  return {
    file: model.file,
    name: model.name,
    columns,
    rows,
    objective: {
      name: objective?.name ?? freeName("obj", names),
      sense: senseOf(model),
      terms: objective?.terms ?? [],
      constant: objective === undefined ? Rational.zero : constantOf(model, objective),
    },
  };
}

function objectiveRow(model: MpsModel): MpsRow | undefined {
  const wanted = model.objectiveName;
  const first = model.rows.find(({ type }) => type === "N");
  if (!wanted) return first;
  const row = model.rows.find(({ type, name }) => type === "N" && name === wanted.text);
  if (!row) {
    throw expected(model, wanted, "OBJNAME to name a row of type N", "; correct it");
  }
  if (row !== first) {
    const text = `the objective is "${shown(row.name)}", by OBJNAME; HiGHS takes the first row of type N`;
    note(model, "objective-name", wanted, `${text}, GLPK and CBC refuse OBJNAME`);
  }
  return row;
}

/** The sense by OBJSENSE, as far as the dialect obeys it. */
function senseOf(model: MpsModel): "minimize" | "maximize" {
  if (model.sense === undefined) return "minimize";
  const { sense, field, onHeader, afterRows } = model.sense;
  const isShort = /^(max|min)$/i.test(field.text);
  const ruleOf = ({ senseOnHeader, senseOnOwnLine }: MpsModel["rules"]) => {
    const rule = onHeader ? senseOnHeader : senseOnOwnLine;
    if (rule === "short") return isShort ? "obeyed" : "ignored";
    // CBC skips the section in front of ROWS, and refuses it elsewhere.
    return rule === "ignored" && afterRows && !onHeader ? "refused" : rule;
  };
  const rule = ruleOf(model.rules);
  if (rule === "refused") {
    const advice = "remove it, and negate the objective to maximise";
    const refused = `expected no OBJSENSE, as ${READER_NAMES[model.dialect]} refuses it here`;
    throw inputError(model, field, `${refused}; ${advice}`);
  }
  const taken = rule === "ignored" ? "minimize" : sense;
  const others = othersWhere((rules) => {
    const other = ruleOf(rules);
    return other !== "refused" && (other === "ignored" ? "minimize" : sense) !== taken;
  });
  if (others !== "") {
    const [here, there] = taken === "maximize" ? ["maximised", "minimise"] : ["minimised", "maximise"];
    const text = `the objective is ${here}, by OBJSENSE ${shown(field.text)}`;
    note(model, "objective-sense", field, `${text}; ${others} ${verb(others, there)} it`);
  }
  return taken;
}

/** The objective's constant, from its right-hand side. */
function constantOf(model: MpsModel, { rhs, rhsField }: MpsRow): Rational {
  // An infinite one is refused where it is read.
  if (!(rhs instanceof Rational) || rhsField === undefined || rhs.sign() === 0) return Rational.zero;
  const { constantSign } = model.rules;
  const constant = constantSign < 0 ? rhs.negate() : rhs;
  const others = othersWhere((rules) => rules.constantSign !== constantSign);
  const text = `the constant of the objective is ${signed(constant)}, from RHS; ${others} ${verb(others, "take")} ${signed(constant.negate())}`;
  note(model, "objective-constant", rhsField, text);
  return constant;
}

function signed(value: Rational): string {
  const text = shown(value.absolute().toString());
  return value.sign() < 0 ? `-${text}` : `+${text}`;
}

function boundedRow(model: MpsModel, row: MpsRow): DraftRow {
  const { name, type, terms, rhs = Rational.zero, rhsField, range } = row;
  if (type === "N") {
    if (rhsField !== undefined && rhs !== "+inf" && rhs !== "-inf" && rhs.sign() !== 0) {
      const text = `the right-hand side of "${shown(name)}", a row of type N that is not the objective, is skipped`;
      note(model, "free-row-rhs", rhsField, `${text}; HiGHS takes it as the objective's constant`);
    }
    return { name, terms, lower: null, upper: null };
  }
  if (typeof rhs === "string") return openRow(model, row, rhs);
  if (range === undefined) {
    return { name, terms, lower: type === "L" ? null : rhs, upper: type === "G" ? null : rhs };
  }
  const isDown = type === "L" || (type === "E" && (range === "-inf" || (range !== "+inf" && range.sign() < 0)));
  if (typeof range === "string") return { name, terms, lower: isDown ? null : rhs, upper: isDown ? rhs : null };
  noteWidth(model, row, rhs, range);
  const width = range.absolute();
  return isDown
    ? { name, terms, lower: rhs.subtract(width), upper: rhs }
    : { name, terms, lower: rhs, upper: rhs.add(width) };
}

/** A row whose side is infinite has none, where that is what its type lets be. */
function openRow(model: MpsModel, { name, type, terms, rhsField, range }: MpsRow, rhs: Side & string): DraftRow {
  if (range === undefined && ((type === "L" && rhs === "+inf") || (type === "G" && rhs === "-inf"))) {
    return { name, terms, lower: null, upper: null };
  }
  const kind = range === undefined ? `a row of type ${type}` : "a row with a range";
  const what = `a finite right-hand side of "${shown(name)}", ${kind}`;
  throw expected(model, rhsField as Field, what, ", which is infinite; correct it or remove the row");
}

/** A column with the bounds that the dialect gives it where the file gives none. */
function finishedColumn(model: MpsModel, column: MpsColumn): Column {
  const { name, integer, isMarked, bounded, lower } = column;
  const { markedIsBinary } = model.rules;
  if (isMarked && bounded === undefined) {
    const others = othersWhere((rules) => rules.markedIsBinary !== markedIsBinary);
    const [here, there] = markedIsBinary ? ["[0, 1]", "[0, infinity)"] : ["[0, infinity)", "[0, 1]"];
    const text = `the integer column "${shown(name)}" has no bounds and is in ${here}, the default of MPS`;
    note(model, "integer-default-bounds", column.field, `${text}; ${others} ${verb(others, "take")} ${there}`);
    return { name, integer, lower: Rational.zero, upper: markedIsBinary ? Rational.one : null };
  }
  return {
    name,
    integer,
    lower: lower === undefined ? belowUpper(model, column) : lower,
    upper: upperOf(model, column),
  };
}

/** The upper bound; where a marked column has a lower one alone, GLPK keeps the default of 1. */
function upperOf(model: MpsModel, { name, isMarked, bounded, byLower, upper }: MpsColumn): Rational | null {
  if (upper !== undefined) return upper;
  if (!isMarked || bounded === undefined || !byLower) return null;
  const { lowerKeepsOne } = model.rules;
  const others = othersWhere((rules) => rules.lowerKeepsOne !== lowerKeepsOne);
  const [here, there] = lowerKeepsOne ? ["the upper bound 1", "none"] : ["no upper bound", "1"];
  const text = `the integer column "${shown(name)}" has a lower bound alone and ${here}`;
  note(model, "integer-lower-alone", bounded, `${text}; ${others} ${verb(others, "take")} ${there}`);
  return lowerKeepsOne ? Rational.one : null;
}

/** The lower bound where none is given: 0, unless a negative upper bound stands alone. */
function belowUpper(model: MpsModel, { name, negativeUpper, negativeType }: MpsColumn): Rational | null {
  if (negativeUpper === undefined) return Rational.zero;
  // CBC does not treat UI as it treats UP.
  const ruleOf = ({ belowNegativeUpper: rule }: MpsModel["rules"]) =>
    rule === "none" && negativeType === "UI" ? "zero" : rule;
  const rule = ruleOf(model.rules);
  const zero = othersWhere((rules) => ruleOf(rules) === "zero");
  const none = othersWhere((rules) => ruleOf(rules) === "none");
  const who = `${zero} ${verb(zero, "take")} 0${none === "" ? "" : `, ${none} ${verb(none, "take")} minus infinity`}`;
  if (rule === "refused") {
    const wanted = `a lower bound of "${shown(name)}" beside the negative upper bound ${shown(negativeUpper.text)}`;
    const found = `found none, and programs differ on what it is (${who}); add a line LO or MI`;
    throw inputError(model, negativeUpper, `expected ${wanted}, ${found}`);
  }
  const text = `the lower bound of "${shown(name)}" is ${rule === "zero" ? "0" : "minus infinity"} beside its negative upper bound`;
  note(model, "negative-upper-alone", negativeUpper, `${text}; ${who}`);
  return rule === "zero" ? Rational.zero : null;
}

/** CBC has the upper side and the range in doubles, and computes the lower side from them. */
function noteWidth(model: MpsModel, { name, type, rangeField }: MpsRow, rhs: Rational, range: Rational): void {
  if (type === "L" || rangeField === undefined || (type === "E" && range.sign() < 0)) return;
  const [side, width] = [rhs.toNumber(), range.absolute().toNumber()];
  const kept = side + width - width;
  if (Math.abs(kept - side) <= 1e-14 * Math.max(Math.abs(kept), Math.abs(side))) return;
  const text = `the lower side of "${shown(name)}" is ${shown(rhs.toString())} beside the range ${shown(rangeField.text)}`;
  note(model, "wide-range", rangeField, `${text}; CBC rounds it to ${kept}`);
}

/** What the format demands or leaves to a default, and others read otherwise or lose. */
function noteDefaults(model: MpsModel, end: Place): void {
  const { rows, rhsSection, firstSection } = model;
  if (!model.hasName) {
    const text = "there is no line NAME; CBC reads nothing then and calls 0 optimal, GLPK and SCIP refuse the file";
    note(model, "no-name", firstSection ?? end, text);
  }
  if (rows.every(({ type }) => type !== "N")) {
    note(model, "no-objective", end, "there is no row of type N: the objective is 0, in other readers too");
  }
  if (rhsSection === undefined) {
    const text = "there is no section RHS: every right-hand side is 0";
    note(model, "no-rhs", end, `${text}; lp_solve loses the last column, CBC and SCIP refuse the file`);
  } else if (rows.every(({ rhsField }) => rhsField === undefined)) {
    note(model, "empty-rhs", rhsSection, "RHS has no entries: every right-hand side is 0");
  }
}
