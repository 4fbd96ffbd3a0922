import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { greatestCommonDivisor, Rational } from "../../../src/exact/rational.js";
import { programHash } from "../../../src/program/hash.js";
import {
  type Column,
  coefficientAt,
  integerForm,
  type LinearForm,
  linearForm,
  makeProgram,
  ProgramError,
} from "../../../src/program/program.js";
import { programs, rationals } from "./random-programs.js";

const column = (name: string): Column => ({ name, lower: Rational.zero, upper: null, integer: false });
const row = (name: string, form: LinearForm) => ({ name, form, lower: Rational.zero, upper: null });
const empty = linearForm([]);

function expectCanonical(form: LinearForm): void {
  expect(form.coefficients).toHaveLength(form.columns.length);
  expect(form.denominator > 0n).toBe(true);
  form.columns.forEach((index, k) => {
    if (k > 0) expect(index).toBeGreaterThan(form.columns[k - 1] as number);
    expect(form.coefficients[k]).not.toBe(0n);
  });
  expect(form.coefficients.reduce(greatestCommonDivisor, form.denominator)).toBe(1n);
}

describe("linearForm", () => {
  it("sums repeated columns, drops zeros and sorts", () => {
    const form = linearForm([
      [3, Rational.parse("1/2")],
      [1, Rational.parse("1/3")],
      [3, Rational.parse("1/4")],
      [2, Rational.one],
      [2, Rational.parse("-1")],
    ]);
    expect(form).toEqual({ columns: [1, 3], coefficients: [4n, 9n], denominator: 12n });
  });

  it("is canonical and holds the sums", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), rationals)), (terms) => {
        const form = linearForm(terms);
        expectCanonical(form);
        for (let index = 0; index <= 4; index++) {
          const sum = terms.reduce((total, [at, value]) => (at === index ? total.add(value) : total), Rational.zero);
          const k = form.columns.indexOf(index);
          expect(k === -1 ? Rational.zero : coefficientAt(form, k)).toEqual(sum);
        }
      }),
    );
  });
});

describe("integerForm", () => {
  it("agrees with linearForm", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -60n, max: 60n }), { maxLength: 6 }),
        fc.bigInt({ min: 1n, max: 60n }),
        (coefficients, denominator) => {
          const form = integerForm([...coefficients.keys()], coefficients, denominator);
          expectCanonical(form);
          expect(form).toEqual(
            linearForm(coefficients.map((value, index) => [index, Rational.of(value, denominator)])),
          );
        },
      ),
    );
  });
});

describe("makeProgram", () => {
  it("fills in the objective and freezes", () => {
    const program = makeProgram({ columns: [column("x")], rows: [row("r", empty)] });
    expect(program).toMatchObject({ name: "", objective: { name: "obj", sense: "minimize", form: empty } });
    expect(program.objective.constant).toEqual(Rational.zero);
    for (const part of [program, program.columns, program.rows, program.objective])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it("freezes columns, rows and forms too: a hash that was computed stays true", () => {
    const form = linearForm([[0, Rational.one]]);
    const { columns, rows, objective } = makeProgram({
      columns: [column("x")],
      rows: [row("r", form)],
      objective: { form },
    });
    const forms = [objective.form, ...rows.map((one) => one.form)];
    const lists = forms.flatMap((one) => [one.columns, one.coefficients]);
    for (const part of [...columns, ...rows, ...forms, ...lists]) expect(Object.isFrozen(part)).toBe(true);
  });

  it("finds a free name for an objective without one", () => {
    const rows = [row("obj", empty), row("obj_1", empty)];
    expect(makeProgram({ columns: [], rows }).objective.name).toBe("obj_2");
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "a column twice",
      () => makeProgram({ columns: [column("x"), column("x")], rows: [] }),
      /two columns are called "x"/,
    ],
    ["a row twice", () => makeProgram({ columns: [], rows: [row("r", empty), row("r", empty)] }), /are called "r"/],
    [
      "the objective's name for a row",
      () => makeProgram({ columns: [], rows: [row("r", empty)], objective: { name: "r" } }),
      /are called "r"/,
    ],
    ["an empty column name", () => makeProgram({ columns: [column("")], rows: [] }), /a column needs a name/],
    ["an empty row name", () => makeProgram({ columns: [], rows: [row("", empty)] }), /a row needs a name/],
    [
      "an empty objective name",
      () => makeProgram({ columns: [], rows: [], objective: { name: "" } }),
      /a row needs a name/,
    ],
    [
      "a column that does not exist",
      () => makeProgram({ columns: [column("x")], rows: [row("r", linearForm([[1, Rational.one]]))] }),
      /row "r": column 1 is out of order or does not exist/,
    ],
    [
      "terms out of order",
      () =>
        makeProgram({
          columns: [column("x"), column("y")],
          rows: [row("r", { columns: [1, 0], coefficients: [1n, 1n], denominator: 1n })],
        }),
      /column 0 is out of order/,
    ],
    [
      "a zero coefficient",
      () =>
        makeProgram({
          columns: [column("x")],
          rows: [row("r", { columns: [0], coefficients: [0n], denominator: 1n })],
        }),
      /coefficient of column 0 is zero/,
    ],
    [
      "a denominator of zero",
      () =>
        makeProgram({
          columns: [column("x")],
          rows: [row("r", { columns: [0], coefficients: [1n], denominator: 0n })],
        }),
      /denominator must be positive/,
    ],
    [
      "lists of different lengths",
      () =>
        makeProgram({ columns: [column("x")], rows: [row("r", { columns: [0], coefficients: [], denominator: 1n })] }),
      /1 columns but 0 coefficients/,
    ],
    [
      "a bad objective",
      () => makeProgram({ columns: [], rows: [], objective: { form: linearForm([[0, Rational.one]]) } }),
      /row "obj": column 0/,
    ],
  ])("refuses %s", (_, make, message) => {
    expect(make).toThrow(ProgramError);
    expect(make).toThrow(message);
  });

  it("allows crossed bounds", () => {
    const crossed = { name: "x", lower: Rational.one, upper: Rational.zero, integer: true };
    expect(makeProgram({ columns: [crossed], rows: [] }).columns).toEqual([crossed]);
  });
});

describe("programHash", () => {
  it("ignores the program's own name alone", () => {
    fc.assert(
      fc.property(programs, fc.string(), (program, name) => {
        const hash = programHash(program);
        const { columns, rows, objective } = program;
        expect(programHash(makeProgram({ name, columns, rows, objective }))).toBe(hash);
        const changes = [
          { columns, rows, objective: { ...objective, constant: objective.constant.add(Rational.one) } },
          {
            columns,
            rows,
            objective: {
              ...objective,
              sense: objective.sense === "minimize" ? ("maximize" as const) : ("minimize" as const),
            },
          },
          { columns: [...columns, column("new")], rows, objective },
          { columns, rows: [...rows, row("new", empty)], objective },
        ];
        const [first, ...rest] = columns;
        if (first) {
          const changed: Column[] = [
            { ...first, name: "new" },
            { ...first, integer: !first.integer },
            { ...first, lower: first.lower === null ? Rational.zero : null },
            { ...first, upper: first.upper === null ? Rational.zero : null },
          ];
          for (const other of changed) changes.push({ columns: [other, ...rest], rows, objective });
        }
        for (const change of changes) expect(programHash(makeProgram(change))).not.toBe(hash);
      }),
    );
  });
});
