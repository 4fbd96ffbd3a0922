import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { evaluate, formValue, objectiveValue } from "../../../src/program/evaluate.js";
import { coefficientAt, linearForm, makeProgram } from "../../../src/program/program.js";
import { programs, rationals } from "./random-programs.js";

const rational = (text: string) => Rational.parse(text);
const point = (...texts: string[]) => texts.map(rational);

const PROGRAM = makeProgram({
  columns: [
    { name: "x", lower: rational("0"), upper: rational("4"), integer: true },
    { name: "y", lower: null, upper: null, integer: false },
  ],
  rows: [
    {
      name: "r",
      form: linearForm([
        [0, rational("1/2")],
        [1, rational("1/3")],
      ]),
      lower: rational("-1"),
      upper: rational("1"),
    },
    { name: "free", form: linearForm([[1, rational("7")]]), lower: null, upper: null },
  ],
  objective: { form: linearForm([[0, rational("0.1")]]), constant: rational("-2") },
});

const violationsAt = (...texts: string[]) =>
  evaluate(PROGRAM, point(...texts)).violations.map(
    ({ kind, index, name, amount }) => `${kind} ${index} ${name} ${amount}`,
  );

describe("evaluate", () => {
  it("gives objective and activities exactly", () => {
    const evaluation = evaluate(PROGRAM, point("2", "-3/5"));
    expect(evaluation.objective).toEqual(rational("-9/5"));
    expect(evaluation.rowActivities).toEqual(point("4/5", "-21/5"));
    expect(evaluation.violations).toEqual([]);
  });

  it("has no tolerance: bounds hold with equality and break by any amount", () => {
    expect(violationsAt("4", "-3")).toEqual([]);
    expect(violationsAt("0", "3")).toEqual([]);
    expect(violationsAt("0", "-3")).toEqual([]);
    expect(violationsAt("0", "3.000000000000000000003")).toEqual(["row-upper 0 r 1/1000000000000000000000"]);
    expect(violationsAt("0", "-6")).toEqual(["row-lower 0 r 1"]);
    expect(violationsAt("5", "-6")).toEqual(["column-upper 0 x 1"]);
    expect(violationsAt("-1", "0")).toEqual(["column-lower 0 x 1"]);
    expect(violationsAt("1/3", "0")).toEqual(["integrality 0 x 1/3"]);
    expect(violationsAt("2/3", "0")).toEqual(["integrality 0 x 1/3"]);
    expect(violationsAt("1/2", "0")).toEqual(["integrality 0 x 1/2"]);
  });

  it("reports every condition a point breaks, columns first", () => {
    expect(violationsAt("-1/4", "-12")).toEqual(["column-lower 0 x 1/4", "integrality 0 x 1/4", "row-lower 0 r 25/8"]);
  });

  it("refuses a point of another length", () => {
    expect(() => evaluate(PROGRAM, point("1"))).toThrow("a point of 2 values was expected, 1 were given");
  });

  it("agrees with term-by-term rational arithmetic", () => {
    fc.assert(
      fc.property(programs, fc.array(rationals, { minLength: 5, maxLength: 5 }), (program, values) => {
        const at = values.slice(0, program.columns.length);
        const sum = (form: (typeof program.rows)[number]["form"]) =>
          form.columns.reduce(
            (total, index, k) => total.add(coefficientAt(form, k).multiply(at[index] as Rational)),
            Rational.zero,
          );
        const evaluation = evaluate(program, at);
        expect(evaluation.rowActivities).toEqual(program.rows.map(({ form }) => sum(form)));
        expect(evaluation.objective).toEqual(sum(program.objective.form).add(program.objective.constant));
        expect(objectiveValue(program, at)).toEqual(evaluation.objective);
        expect(formValue(program.objective.form, at)).toEqual(sum(program.objective.form));
        const broken = new Set(evaluation.violations.map(({ kind, name }) => `${kind} ${name}`));
        program.rows.forEach((row, index) => {
          const activity = evaluation.rowActivities[index] as Rational;
          expect(broken.has(`row-lower ${row.name}`)).toBe(row.lower !== null && activity.compare(row.lower) < 0);
          expect(broken.has(`row-upper ${row.name}`)).toBe(row.upper !== null && activity.compare(row.upper) > 0);
        });
        for (const { amount } of evaluation.violations) expect(amount.sign()).toBe(1);
      }),
    );
  });
});
