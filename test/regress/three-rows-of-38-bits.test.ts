import { expect, test } from "vitest";
import { readLp } from "../../src/program/lp/read.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";

const BITS = 38;
const bits = Array.from({ length: BITS }, (_, k) => k);
const number = (name: string, sign: "+" | "-") => bits.map((k) => `${sign} ${2 ** k} ${name}${k}`).join(" ");

/**
 * Three numbers of 38 binary digits: a ≥ b, b ≥ c, c ≥ a + 1. The rows add up to 0 ≥ 1, but the solver's point breaks them by
 * less than its tolerance beside coefficients of 2^37: once the tree over it did not end (scipopt/scip#214).
 */
test("three rows of 38 bits whose sum reads 0 >= 1 are infeasible at the root", async () => {
  const rows = [
    ` g: ${number("a", "+")} ${number("b", "-")} >= 0`,
    ` h: ${number("b", "+")} ${number("c", "-")} >= 0`,
    ` l: ${number("c", "+")} ${number("a", "-")} >= 1`,
  ];
  const names = ["a", "b", "c"].flatMap((name) => bits.map((k) => `${name}${k}`)).join(" ");
  const text = `Minimize\n obj: a0\nSubject To\n${rows.join("\n")}\nBinaries\n ${names}\nEnd\n`;
  const { verdict, nodes } = await solveExactly(readLp(text), { timeLimitSeconds: 30 });
  expect([verdict?.status, nodes]).toEqual(["infeasible", 1]);
});
