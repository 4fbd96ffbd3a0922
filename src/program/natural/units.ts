import { Rational } from "../../exact/rational.js";
import { coefficientAt, type LinearForm, type Program } from "../program.js";
import type { Named } from "./names.js";
import type { Measure, Quantity, Unit, Words } from "./words.js";

/** HiGHS takes coefficients up to 1e-9 for 0, and from 1e15 on for mistakes; tolerances are 1e-6 and 1e-7. */
const LEAST = 1e-7;
const MOST = 1e9;

/** The unit of every measure of a file. */
export interface Units {
  readonly chosen: ReadonlyMap<Measure, Unit>;
  /** What a number of this kind is multiplied by to be told in its unit. */
  factor(quantity: Quantity | undefined): Rational;
}

/** The units in which the numbers of a program's rows and objective are of a size that other solvers can tell from 0. */
export function chosenUnits({ columns, rows, objective }: Program, words: Words, names: readonly Named[]): Units {
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
