import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { coefficientAt, linearForm, makeProgram, type Program } from "../../../src/program/program.js";
import { scaleProgram } from "../../../src/solvers/scaling.js";
import { type Written, written } from "../../conformance/written-program.js";

const positive = ["0", null] as const;

describe("scaleProgram", () => {
  it("clears denominators: thirds and sevenths become integers", () => {
    const { model, rowFactors } = scaleProgram(
      written({ rows: ["1/3 x + 1/7 y >= 1"], columns: { x: positive, y: positive } }),
    );
    expect([...model.values]).toEqual([7, 3]);
    expect(model.rowLower[0]).toBe(21);
    expect(rowFactors[0]).toBe(21);
  });

  it("divides by the common divisor and leaves small integers alone", () => {
    const { model } = scaleProgram(written({ rows: ["30x + 20y <= 50"], columns: { x: positive, y: positive } }));
    expect([...model.values]).toEqual([3, 2]);
    expect(model.rowUpper[0]).toBe(5);
  });

  it("brings large rows to 2^9…2^10 by a power of two", () => {
    const { model, rowFactors } = scaleProgram(
      written({ rows: ["40000000001x + 3y <= 40000000000"], columns: { x: positive, y: positive } }),
    );
    expect(model.values[0]).toBe(40000000001 / 2 ** 26);
    expect(rowFactors[0]).toBe(2 ** -26);
    expect(model.rowUpper[0]).toBe(40000000000 / 2 ** 26);
  });

  it("minimises always: a maximisation changes sign", () => {
    const { model, objectiveFactor, constant } = scaleProgram(
      written({ maximize: "3x - 2y + 7", columns: { x: positive, y: positive } }),
    );
    expect([...model.cost]).toEqual([-3, 2]);
    expect(objectiveFactor).toBe(-1);
    expect(constant).toBe(7);
  });

  it("scales a thin continuous column, but no integer one", () => {
    const parts = { rows: ["t - 1e-9 x >= 0"], columns: { t: positive, x: ["0", "4e9"] as const } };
    const continuous = scaleProgram(written(parts));
    expect(continuous.columnFactors[1]).toBeGreaterThan(2 ** 15);
    expect(continuous.model.columnUpper[1]).toBe(4e9 / (continuous.columnFactors[1] as number));
    const integer = scaleProgram(written({ ...parts, integers: ["x"] }));
    expect([...integer.columnFactors]).toEqual([1, 1]);
    expect(scaleProgram(written({ ...parts, integers: ["x"] }), true).columnFactors).toEqual(continuous.columnFactors);
  });

  it("raises a wide row until its smallest entry is clear of 1e-9", () => {
    const program = written({
      rows: ["1e12 x + y <= 1e12"],
      columns: { x: positive, y: positive },
      integers: ["x", "y"],
    });
    const { model } = scaleProgram(program);
    expect(Math.min(...model.values)).toBeGreaterThan(1e-8);
    expect(Math.max(...model.values)).toBeLessThan(1e15);
  });

  it("rounds bounds inwards where only integers can be, and nowhere else", () => {
    const parts: Written = {
      rows: ["2x + 4y <= 7", "x + 0.5z <= 7/3"],
      columns: { x: ["-5/2", "7/2"], y: positive, z: positive },
    };
    const { model } = scaleProgram(written({ ...parts, integers: ["x", "y"] }));
    expect([model.columnLower[0], model.columnUpper[0]]).toEqual([-2, 3]);
    expect(model.rowUpper[0]).toBe(3);
    expect(model.rowUpper[1]).toBeCloseTo(14 / 3, 14);
    const relaxed = scaleProgram(written({ ...parts, integers: ["x", "y"] }), true);
    expect([relaxed.model.columnLower[0], relaxed.model.columnUpper[0]]).toEqual([-2.5, 3.5]);
    expect(relaxed.model.rowUpper[0]).toBe(3.5);
    expect(relaxed.model.integrality).toBeUndefined();
  });

  it.each<[string, Written]>([
    ["crossed column bounds", { columns: { x: ["2", "1"] } }],
    ["an integer column without an integer", { columns: { x: ["1/3", "2/3"] }, integers: ["x"] }],
    ["an integer row without an integer", { rows: ["2x = 3"], columns: { x: positive }, integers: ["x"] }],
    ["an empty row that cannot hold", { rows: ["0x <= -1"], columns: { x: positive } }],
  ])("sees by itself: %s", (_, parts) => {
    expect(scaleProgram(written(parts)).infeasible).toMatch(/no value/);
  });

  it("does not see more than that", () => {
    expect(scaleProgram(written({ rows: ["0x <= 1"], columns: { x: positive } })).infeasible).toBeUndefined();
  });

  it.each([
    ["1e20 x + 1e-20 y <= 1", /row "row0": the coefficient of "y"/],
    ["x + y <= 1e25", /row "row0": a bound/],
  ])("refuses %s", (row, message) => {
    const program = written({ rows: [row], columns: { x: positive, y: positive }, integers: ["x", "y"] });
    expect(() => scaleProgram(program)).toThrow(message);
  });

  it("is exact for rows of integers: values, bounds and factors are the program's own, times powers of two", () => {
    fc.assert(
      fc.property(integerProgram(), (program) => {
        const { model, rowFactors, columnFactors, objectiveFactor } = scaleProgram(program);
        const exact = (value: number | undefined) => Rational.fromNumber(value as number);
        program.rows.forEach((row, i) => {
          const factor = exact(rowFactors[i]);
          expect(factor.sign()).toBe(1);
          row.form.columns.forEach((j, k) => {
            const position = (model.starts[i] as number) + k;
            expect(model.indices[position]).toBe(j);
            const expected = coefficientAt(row.form, k).multiply(factor).multiply(exact(columnFactors[j]));
            expect(near(exact(model.values[position]), expected)).toBe(true);
          });
          expect(near(exact(model.rowUpper[i]), (row.upper as Rational).multiply(factor))).toBe(true);
          expect(model.rowLower[i]).toBe(Number.NEGATIVE_INFINITY);
          const largest = Math.max(...model.values.slice(model.starts[i], model.starts[(i ?? 0) + 1]).map(Math.abs));
          if (row.form.columns.length > 0) expect(largest).toBeGreaterThanOrEqual(1);
        });
        program.objective.form.columns.forEach((j, k) => {
          const expected = coefficientAt(program.objective.form, k).multiply(exact(objectiveFactor));
          expect(near(exact(model.cost[j]), expected.multiply(exact(columnFactors[j])))).toBe(true);
        });
      }),
    );
  });
});

function near(a: Rational, b: Rational): boolean {
  // One rounding of the factor to a double and one of the value.
  const allowed = b.absolute().multiply(Rational.of(1n, 1n << 51n));
  return a.subtract(b).absolute().compare(allowed) <= 0;
}

function integerProgram(): fc.Arbitrary<Program> {
  const magnitude = fc.constantFrom(1, 10, 1000, 1e6, 1e9);
  const coefficient = fc
    .tuple(fc.integer({ min: -99, max: 99 }), magnitude)
    .map(([a, b]) => Rational.fromNumber(a * b));
  const form = fc.array(coefficient, { minLength: 4, maxLength: 4 }).map((values) => linearForm(values.entries()));
  const row = fc.tuple(form, coefficient);
  return fc.tuple(fc.array(row, { maxLength: 4 }), form, fc.boolean()).map(([rows, objective, maximize]) =>
    makeProgram({
      columns: [0, 1, 2, 3].map((j) => ({ name: `x${j}`, lower: null, upper: null, integer: false })),
      rows: rows.map(([rowForm, upper], i) => ({ name: `r${i}`, form: rowForm, lower: null, upper })),
      objective: { form: objective, sense: maximize ? "maximize" : "minimize" },
    }),
  );
}
