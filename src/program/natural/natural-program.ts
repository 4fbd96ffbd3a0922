import { Rational } from "../../exact/rational.js";
import {
  type Column,
  coefficientAt,
  type LinearForm,
  linearForm,
  makeProgram,
  type Objective,
  type Program,
  type Row,
} from "../program.js";
import { type FileDress, shortestDecimal } from "../written.js";
import { commentOf } from "./comment.js";
import { asciiJson, plainLabels } from "./labels.js";
import { type Named, namesBy } from "./names.js";
import { Rounding } from "./rounding.js";
import { chosenUnits } from "./units.js";
import type { Words } from "./words.js";

/** A program for other solvers' readers, and what is to be written around it. */
export interface NaturalProgram {
  readonly program: Program;
  readonly dress: FileDress;
}

/**
 * A program in natural units, with names that say what they stand for and all numbers doubles: the same up to the unit of
 * its rows, of its continuous columns and of its objective, and up to the rounding that its comment tells. No point is
 * lost by that, see {@link Rounding.row}; whole columns stay in ones. Columns and rows keep their order.
 */
export function naturalProgram(program: Program, words: Words): NaturalProgram {
  const columnNames = namesBy(namesOf(program.columns), words.columns, words.letters);
  const rowNames = namesBy(namesOf(program.rows), words.rows, words.letters, [program.objective.name]);
  const units = chosenUnits(program, words, rowNames);
  const rounding = new Rounding();
  const columnFactors = program.columns.map(({ integer }, j) =>
    integer ? Rational.one : units.factor(columnNames[j]?.pattern?.quantity),
  );
  const scaled = (form: LinearForm, factor: Rational) => scaledForm(form, factor, columnFactors);
  const columns = program.columns.map((column, j): Column => {
    const factor = columnFactors[j] as Rational;
    const bounds = rounding.columnBounds({ lower: times(column.lower, factor), upper: times(column.upper, factor) });
    return { ...column, name: (columnNames[j] as Named).name, ...bounds };
  });
  const priced = new Set(program.objective.form.columns.filter((j) => program.columns[j]?.integer === false));
  const rows = program.rows.flatMap((row, i): readonly Row[] => {
    const { name, pattern } = rowNames[i] as Named;
    const factor = units.factor(pattern?.quantity);
    const { lower, upper } = row;
    const told = { lower: times(lower, factor), upper: times(upper, factor) };
    const isPriced = row.form.columns.some((j) => priced.has(j));
    return rounding.row({ name, form: scaled(row.form, factor), ...told }, columns, isPriced);
  });
  const objectiveFactor = units.factor(words.objective ?? undefined);
  const objective: Objective = {
    ...program.objective,
    form: rounding.form(scaled(program.objective.form, objectiveFactor)),
    constant: rounding.nearest(program.objective.constant.multiply(objectiveFactor)),
  };
  const [name] = plainLabels([program.name === "" ? "model" : program.name]);
  return {
    program: makeProgram({ name: name as string, columns, rows, objective }),
    dress: {
      comments: commentOf(words, units, rounding, [...columnNames, ...rowNames]),
      directives: directivesOf(program, objectiveFactor),
      text: shortestDecimal,
    },
  };
}

/** What gives readers of ours the doubles, the plan's unit and the name back. */
function directivesOf({ name, objective }: Program, factor: Rational): readonly string[] {
  const back = Rational.one.divide(factor);
  return [
    "doubles",
    ...(back.equals(Rational.one) ? [] : [`scale ${objective.name} ${back}`]),
    ...(name === "" ? [] : [`name ${asciiJson(name)}`]),
  ];
}

function namesOf(parts: readonly { readonly name: string }[]): readonly string[] {
  return parts.map(({ name }) => name);
}

function times(value: Rational | null, factor: Rational): Rational | null {
  return value === null ? null : value.multiply(factor);
}

/** Times the factor, over columns that are counted in other units. */
function scaledForm(form: LinearForm, factor: Rational, columnFactors: readonly Rational[]): LinearForm {
  const isPlain = factor === Rational.one && form.columns.every((j) => columnFactors[j] === Rational.one);
  if (isPlain) return form;
  return linearForm(
    form.columns.map((j, k) => {
      const own = columnFactors[j] as Rational;
      const coefficient = coefficientAt(form, k).multiply(factor);
      return [j, own === Rational.one ? coefficient : coefficient.divide(own)] as const;
    }),
  );
}
