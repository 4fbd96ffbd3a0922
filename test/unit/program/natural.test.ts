import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { readLp } from "../../../src/program/lp/read.js";
import { writeLp } from "../../../src/program/lp/write.js";
import { readMps } from "../../../src/program/mps/read.js";
import { writeMps } from "../../../src/program/mps/write.js";
import { plainLabels } from "../../../src/program/natural/labels.js";
import { BYTES, plainMeasure } from "../../../src/program/natural/measures.js";
import { naturalProgram } from "../../../src/program/natural/natural-program.js";
import type { Words } from "../../../src/program/natural/words.js";
import { linearForm, makeProgram, type Program } from "../../../src/program/program.js";

const COSTS = plainMeasure("costs", "ms");
const cost = (per: Rational) => ({ measure: COSTS, per });
const memory = { measure: BYTES, per: Rational.one };

const WORDS: Words = {
  title: "a test",
  letters: { T: { says: "a thing", label: (t) => `thing${t}` } },
  columns: [
    { own: "n_T", name: "count.T", says: "how many" },
    { own: "z", name: "largest", says: "the largest", quantity: cost(Rational.of(1n, 3n)) },
  ],
  rows: [
    { own: "load_T", name: "cost.T", says: "no more than the largest", quantity: cost(Rational.of(1n, 3n)) },
    { own: "memory_T", name: "memory.T", says: "has room", quantity: memory },
  ],
  objective: cost(Rational.one),
  legend: [],
};

const rational = (text: string) => Rational.parse(text);
const zeroTo = (upper: string) => ({ lower: Rational.zero, upper: rational(upper), integer: true });

/** Two things, costs in thirds, memory of a sum that is just full; z counts thirds too. */
const PROGRAM = makeProgram({
  name: "näme\n",
  columns: [
    { name: "n_0", ...zeroTo("1") },
    { name: "n_1", ...zeroTo("1") },
    { name: "z", lower: Rational.zero, upper: rational("100/7"), integer: false },
  ],
  rows: [
    {
      name: "load_0",
      form: linearForm([
        [0, rational("6")],
        [1, rational("0.5")],
        [2, rational("-1")],
      ]),
      lower: null,
      upper: Rational.zero,
    },
    {
      name: "memory_0",
      form: linearForm([
        [0, rational("1000000000/3")],
        [1, rational("2000000000/3")],
      ]),
      lower: rational("1/3"),
      upper: rational("1000000000"),
    },
  ],
  objective: { name: "cost", form: linearForm([[2, rational("1/3")]]) },
});

describe("a program in natural units", () => {
  const { program, dress } = naturalProgram(PROGRAM, WORDS);

  test("has columns and rows in their units, by names that say what they are", () => {
    expect(program.columns.map(({ name }) => name)).toEqual(["count.thing0", "count.thing1", "largest"]);
    expect(program.rows.map(({ name }) => name)).toEqual(["cost.thing0", "memory.thing0", "memory.thing0.most"]);
    expect(writeMps(program, dress)).toContain("    count.thing0  cost.thing0  2\n");
    expect(writeMps(program, dress)).toContain("    count.thing0  memory.thing0.most  0.3104408582051595\n");
    expect(program.objective.form.coefficients).toEqual([1n]);
  });

  test("says its units, what rounding cost, and what its names stand for", () => {
    const text = dress.comments.join("\n");
    expect(text).toContain("units: costs in ms, memory in GiB");
    expect(text).toMatch(/numbers: doubles; \d of \d+ are rounded, each by at most 1\.\de-16 of itself/);
    expect(text).toContain("  count.T  how many");
    expect(text).toContain("  T  a thing");
  });

  test.each([
    ["MPS", writeMps, readMps],
    ["LP", writeLp, readLp],
  ])("is read back from %s, doubles and name included", (_, write, read) => {
    const back = read(write(program, dress));
    expect(back.name).toBe("näme\n");
    // LP's columns come in the order in which its rows name them.
    expect(byName(back)).toEqual(byName(program));
  });

  test("with all numbers doubles, it says that it is exactly the program", () => {
    const plain = makeProgram({ ...PROGRAM, columns: PROGRAM.columns.slice(0, 2), rows: [], objective: {} });
    expect(naturalProgram(plain, WORDS).dress.comments).toContain(
      "numbers: doubles, exactly those of the program that is proved, in these units",
    );
  });
});

function byName({ columns, rows, objective }: Program) {
  const terms = ({ columns: at, coefficients, denominator }: Program["objective"]["form"]) =>
    Object.fromEntries(at.map((j, k) => [columns[j]?.name, Rational.of(coefficients[k] as bigint, denominator)]));
  return {
    columns: Object.fromEntries(columns.map((column) => [column.name, column])),
    rows: rows.map(({ form, ...row }) => ({ ...row, terms: terms(form) })),
    objective: terms(objective.form),
  };
}

test("no point of a program is lost by rounding, whatever its numbers", () => {
  const random = seededRandom(5);
  const part = () => Rational.of(BigInt(random.integer(2000) - 1000), BigInt(1 + random.integer(999)));
  let tight = 0;
  for (let run = 0; run < 300; run++) {
    const columns = Array.from({ length: 3 }, (_, j) => ({ name: `n_${j}`, ...zeroTo("5") }));
    const point = columns.map(() => Rational.of(BigInt(random.integer(6))));
    const rows = ["memory_0", "memory_1", "other"].map((name, i) => {
      const form = linearForm(columns.map((_, j) => [j, part()] as const));
      // Rows that hold at the point with nothing to spare.
      const value = evaluate(makeProgram({ columns, rows: [], objective: { form } }), point).objective;
      return { name, form, lower: i === 1 ? null : value, upper: i === 2 ? null : value };
    });
    const exact: Program = makeProgram({ columns, rows });
    const { program } = naturalProgram(exact, WORDS);
    expect(evaluate(program, point).violations).toEqual([]);
    const nearest = evaluate(roundedToNearest(exact), point);
    if (nearest.violations.length > 0) tight++;
  }
  // To the nearest doubles, many would be.
  expect(tight).toBeGreaterThan(100);
});

function roundedToNearest(program: Program): Program {
  const double = (value: Rational | null) => (value === null ? null : Rational.fromNumber(value.toNumber()));
  const rows = program.rows.map(({ name, form, lower, upper }) => ({
    name,
    form: linearForm(
      form.columns.map((j, k) => [
        j,
        double(Rational.of(form.coefficients[k] as bigint, form.denominator)) as Rational,
      ]),
    ),
    lower: double(lower),
    upper: double(upper),
  }));
  return makeProgram({ ...program, rows });
}

test("labels are plain, none twice, whatever the case", () => {
  expect(plainLabels(["a b", "a_b", "A_B", "", "é", "x".repeat(300)])).toEqual([
    ...["a_b", "a_b_1", "A_B_2", "_", "__1", "x".repeat(48)],
  ]);
});
