import type { Place } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Draft, DraftRow } from "../draft.js";
import type { Column } from "../program.js";
import { inputError, type MpsColumn, type MpsModel, type MpsRow, note } from "./model.js";

/**
 * What the sections say together: row types, right-hand sides and ranges as bounds, default bounds, the objective.
 * Throws `InputError` when there is no objective row: at OBJNAME, or else at the file's end.
 */
export function draftOf(model: MpsModel, end: Place): Draft {
  const objective = objectiveRow(model, end);
  noteDefaults(model);
  return {
    file: model.file,
    name: model.name,
    columns: model.columns.map((column) => finishedColumn(model, column)),
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
    throw inputError(
      model,
      wanted,
      `expected OBJNAME to name a row of type N, found "${shown(wanted.text)}"; correct it`,
    );
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

function finishedColumn(model: MpsModel, column: MpsColumn): Column {
  const { name, integer, isDefault, lower, upper = null, negativeUpper } = column;
  if (isDefault) return { name, integer, lower: Rational.zero, upper: Rational.one };
  if (lower === undefined && negativeUpper !== undefined) {
    throw inputError(
      model,
      negativeUpper,
      `expected a lower bound of "${shown(name)}" beside the negative upper bound ${shown(negativeUpper.text)}, found none, and programs differ on whether it is 0 or minus infinity; add a line LO or MI`,
    );
  }
  return { name, integer, lower: lower === undefined ? Rational.zero : lower, upper };
}

/** The defaults of the format that other programs do not share, or that hide a part that was lost. */
function noteDefaults(model: MpsModel): void {
  const { columns, rows, rhsSection } = model;
  const binary = columns.filter(({ isDefault }) => isDefault).length;
  if (binary > 0) {
    const text =
      binary === 1 ? "1 integer column has no bounds and is" : `${binary} integer columns have no bounds and are`;
    model.notes.push(`${text} in [0, 1], the default of MPS; some programs take [0, infinity)`);
  }
  if (rhsSection && rows.every(({ rhs }) => rhs === undefined)) {
    note(model, rhsSection, "RHS has no entries: every right-hand side is 0");
  }
}
