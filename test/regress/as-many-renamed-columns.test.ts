import { expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { readLp } from "../../src/program/lp/read.js";
import { writeLp } from "../../src/program/lp/write.js";
import { readMps } from "../../src/program/mps/read.js";
import { writeMps } from "../../src/program/mps/write.js";
import { linearForm, makeProgram } from "../../src/program/program.js";

const COLUMNS = 150_000;

// A comment for each name that a format cannot hold: they were arguments of one call, and more than its stack holds.
test.each([
  ["LP", writeLp, readLp, (k: number) => `${k}x`],
  ["MPS", writeMps, readMps, (k: number) => `x ${k}`],
] as const)("%s: 150,000 columns whose names it cannot hold", (_, write, read, nameOf) => {
  const program = makeProgram({
    name: "many",
    columns: Array.from({ length: COLUMNS }, (_, k) => ({
      ...{ name: nameOf(k), lower: Rational.zero, upper: Rational.one, integer: false },
    })),
    rows: [{ name: "r", form: linearForm([[COLUMNS - 1, Rational.one]]), lower: Rational.one, upper: null }],
    objective: { name: "o", sense: "minimize", form: linearForm([[0, Rational.one]]), constant: Rational.zero },
  });
  const { columns } = read(write(program));
  expect(columns.length).toBe(COLUMNS);
  expect(columns.at(-1)?.name).toBe(nameOf(COLUMNS - 1));
});
