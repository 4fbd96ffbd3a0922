import { Rational } from "../../../src/exact/rational.js";
import { formValue } from "../../../src/program/evaluate.js";
import type { Program } from "../../../src/program/program.js";
import type { IntegerBox } from "./every-point.js";
import { solveLinear } from "./linear.js";
import { better, type Truth, truthOf } from "./truth.js";

/**
 * The optimum of a mixed program: every integer point of a box, and for each the linear program that is left, exactly.
 * `box` speaks of the integer columns, in their order. Throws `RangeError` when one of the linear programs is unbounded.
 */
export function tryEveryInteger(program: Program, box: IntegerBox): Truth {
  const { sense, form, constant } = program.objective;
  const integers = program.columns.flatMap(({ integer }, j) => (integer ? [j] : []));
  const rest = program.columns.flatMap(({ integer }, j) => (integer ? [] : [j]));
  const coefficientsOf = (terms: typeof form) =>
    rest.map((j) => {
      const k = terms.columns.indexOf(j);
      return k === -1 ? Rational.zero : Rational.of(terms.coefficients[k] as bigint, terms.denominator);
    });
  const costs = coefficientsOf(form);
  const rowCoefficients = program.rows.map((row) => coefficientsOf(row.form));
  let best: Rational | null = null;
  const point = program.columns.map(() => Rational.zero);
  const settle = () => {
    const linear = {
      costs: sense === "minimize" ? costs : costs.map((cost) => cost.negate()),
      lower: rest.map((j) => program.columns[j]?.lower ?? null),
      upper: rest.map((j) => program.columns[j]?.upper ?? null),
      rows: program.rows.map((row, r) => {
        const fixed = formValue(row.form, point);
        return {
          coefficients: rowCoefficients[r] as Rational[],
          lower: row.lower?.subtract(fixed) ?? null,
          upper: row.upper?.subtract(fixed) ?? null,
        };
      }),
    };
    const answer = solveLinear(linear);
    if (answer.status === "unbounded") throw new RangeError("unbounded: this program has no optimum to compare with");
    if (answer.status === "infeasible") return;
    const free = sense === "minimize" ? answer.value : answer.value.negate();
    const value = free.add(formValue(form, point)).add(constant);
    if (better(sense, value, best)) best = value;
  };
  const descend = (k: number) => {
    const column = integers[k];
    const range = box[k];
    if (column === undefined || range === undefined) return settle();
    const { lower, upper } = program.columns[column] as Program["columns"][number];
    for (let value = range[0]; value <= range[1]; value++) {
      const at = Rational.of(value);
      if ((lower !== null && at.compare(lower) < 0) || (upper !== null && at.compare(upper) > 0)) continue;
      point[column] = at;
      descend(k + 1);
    }
    point[column] = Rational.zero;
  };
  descend(0);
  return truthOf(best);
}
