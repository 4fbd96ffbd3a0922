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
import { asciiJson, plainLabels } from "./labels.js";
import { type Named, namesBy } from "./names.js";
import { Rounding } from "./rounding.js";
import type { Measure, Pattern, Quantity, Unit, Words } from "./words.js";

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

/** Longer lines are broken; some readers take no more than 255 or 560 characters, comments included. */
const LINE_LENGTH = 120;

/** What a file says of itself: its units, what rounding cost, what its names stand for. */
function commentOf(words: Words, units: Units, rounding: Rounding, names: readonly Named[]): readonly string[] {
  const used = new Set(names.flatMap(({ pattern }) => (pattern === null ? [] : [pattern])));
  const listed = (title: string, patterns: readonly Pattern[]) => {
    const own = patterns.filter((pattern) => used.has(pattern));
    return own.length === 0 ? [] : [`${title}:`, ...own.map(({ name, says }) => `  ${name}  ${says}`)];
  };
  const texts = [...words.columns, ...words.rows].filter((pattern) => used.has(pattern)).map(({ name }) => name);
  const letters = Object.entries(words.letters).filter(([letter]) =>
    texts.some((name) => name.split(".").includes(letter)),
  );
  const lines = [
    words.title,
    `units: ${[...units.chosen].map(([{ name }, unit]) => `${name} in ${unit.name}`).join(", ") || "none"}`,
    roundingText(rounding),
    "export --exact writes the program that is proved, every digit of it",
    ...listed("columns", words.columns),
    ...listed("rows", words.rows),
    ...(letters.length === 0 ? [] : ["where", ...letters.map(([letter, { says }]) => `  ${letter}  ${says}`)]),
    ...words.legend,
  ];
  return lines.flatMap(broken);
}

function roundingText({ numbers, rounded, roundedBounds, most }: Rounding): string {
  const exact = "numbers: doubles, exactly those of the program that is proved, in these units";
  if (rounded === 0) return exact;
  const by = `by at most ${most.toPrecision(2)} of itself`;
  if (rounded === roundedBounds) {
    const bounds = rounded === 1 ? "the bound of one column" : `${rounded} bounds of columns`;
    return `${exact}, but for ${bounds}, moved outwards ${by}`;
  }
  return `numbers: doubles; ${rounded} of ${numbers} are rounded, each ${by}, those of limits so that no plan is lost`;
}

function broken(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > LINE_LENGTH) {
    const blank = rest.lastIndexOf(" ", LINE_LENGTH);
    const at = blank > 40 ? blank : LINE_LENGTH;
    lines.push(rest.slice(0, at));
    rest = `    ${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}

/** HiGHS takes coefficients up to 1e-9 for 0, and from 1e15 on for mistakes; tolerances are 1e-6 and 1e-7. */
const LEAST = 1e-7;
const MOST = 1e9;

/** The unit of every measure of a file. */
interface Units {
  readonly chosen: ReadonlyMap<Measure, Unit>;
  /** What a number of this kind is multiplied by to be told in its unit. */
  factor(quantity: Quantity | undefined): Rational;
}

/** The units in which the numbers of a program's rows and objective are of a size that other solvers can tell from 0. */
function chosenUnits({ columns, rows, objective }: Program, words: Words, names: readonly Named[]): Units {
  const ranges = new Map<Measure, { least: number; most: number }>();
  const add = ({ measure, per }: Quantity, form: LinearForm) => {
    const range = ranges.get(measure) ?? { least: Number.POSITIVE_INFINITY, most: 0 };
    form.columns.forEach((j, k) => {
      // A continuous column is told in the same unit: its coefficient is what it is.
      if (columns[j]?.integer === false) return;
      const size = coefficientAt(form, k).absolute().multiply(per).toNumber();
      range.least = Math.min(range.least, size);
      range.most = Math.max(range.most, size);
    });
    ranges.set(measure, range);
  };
  rows.forEach(({ form }, i) => {
    const quantity = names[i]?.pattern?.quantity;
    if (quantity !== undefined) add(quantity, form);
  });
  if (words.objective !== null) add(words.objective, objective.form);
  const chosen = new Map([...ranges].map(([measure, range]) => [measure, unitFor(measure, range)] as const));
  const factors = new Map<Quantity, Rational>();
  return {
    chosen,
    factor(quantity) {
      if (quantity === undefined) return Rational.one;
      const known = factors.get(quantity);
      if (known !== undefined) return known;
      const { size } = chosen.get(quantity.measure) ?? unitFor(quantity.measure, { least: 1, most: 1 });
      const factor = quantity.per.divide(size);
      factors.set(quantity, factor.equals(Rational.one) ? Rational.one : factor);
      return factors.get(quantity) as Rational;
    },
  };
}

function unitFor({ units }: Measure, { least, most }: { least: number; most: number }): Unit {
  const sizes = units.map((unit) => ({ unit, size: unit.size.toNumber() }));
  const fitting = sizes.find(({ size }) => most === 0 || (least / size >= LEAST && most / size <= MOST));
  if (fitting !== undefined) return fitting.unit;
  // None fits all: the largest is of some hundreds.
  const distance = ({ size }: { size: number }) => Math.abs(Math.log10(most) - Math.log10(size) - 2);
  return sizes.reduce((best, other) => (distance(other) < distance(best) ? other : best)).unit;
}
