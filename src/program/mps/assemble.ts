import type { Place } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import type { Draft, DraftRow } from "../draft.js";
import type { Column } from "../program.js";
import { inputError, type MpsColumn, type MpsModel, type MpsRow } from "./model.js";

/**
 * What the sections say together: row types, right-hand sides and ranges as bounds, default bounds, the objective.
 * Throws `InputError` when there is no objective row: at OBJNAME, or else at the file's end.
 */
export function draftOf(model: MpsModel, end: Place): Draft {
  const objective = objectiveRow(model, end);
  return {
    file: model.file,
    name: model.name,
    columns: model.columns.map(finishedColumn),
    rows: model.rows.filter((row) => row !== objective).map(boundedRow),
    objective: {
      name: objective.name,
      sense: model.sense ?? "minimize",
      terms: objective.terms,
      constant: (objective.rhs ?? Rational.zero).negate(),
    },
  };
}

function objectiveRow(model: MpsModel, end: Place): MpsRow {
  const wanted = model.objectiveName;
  const row = model.rows.find(({ type, name }) => type === "N" && (wanted === undefined || name === wanted.text));
  if (row) return row;
  if (wanted) {
    throw inputError(model, wanted, `expected OBJNAME to name a row of type N, found "${wanted.text}"; correct it`);
  }
  throw inputError(model, end, "expected an objective, found no row of type N; add one to ROWS, such as N COST");
}

function boundedRow({ name, type, terms, rhs = Rational.zero, range }: MpsRow): DraftRow {
  if (type === "N") return { name, terms, lower: null, upper: null };
  if (range === undefined) {
    return { name, terms, lower: type === "L" ? null : rhs, upper: type === "G" ? null : rhs };
  }
  if (type === "L") return { name, terms, lower: rhs.subtract(range.absolute()), upper: rhs };
  if (type === "G") return { name, terms, lower: rhs, upper: rhs.add(range.absolute()) };
  const other = rhs.add(range);
  return range.sign() < 0 ? { name, terms, lower: other, upper: rhs } : { name, terms, lower: rhs, upper: other };
}

function finishedColumn({ name, integer, lower, upper = null }: MpsColumn): Column {
  const defaultLower = upper !== null && upper.sign() < 0 ? null : Rational.zero;
  return { name, integer, lower: lower === undefined ? defaultLower : lower, upper };
}
