import { describe, expect, test } from "vitest";
import { readLp } from "../../../../src/program/lp/read.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { certificateOf, type FalseProof, refusalOf, refuseEach } from "./false-proof.js";

const oneColumn = (objective: string, row: string, bounds: string, general = "General\n x") => `obj: ${objective}
Subject To
 r: ${row}
Bounds
 ${bounds}
${general}`;

/** A cut c: form ≥ least by the split at `at`, with multipliers of the halves' own inequalities and of r. */
const cut = (
  form: string,
  least: string,
  split: string,
  at: string,
  below: [string, string],
  above: [string, string],
) => ({
  cut: "c",
  form: { x: form },
  least,
  split: { x: split },
  at,
  below: { side: below[0], rows: below[1] === "0" ? {} : { r: below[1] } },
  above: { side: above[0], rows: above[1] === "0" ? {} : { r: above[1] } },
});

const closed = { bound: { c: "1" } };

const splits: readonly FalseProof[] = [
  {
    condition: "the split's columns are integers",
    program: oneColumn("x", "2 x = 1", "0 <= x <= 1", ""),
    claim: "1",
    steps: [cut("1", "1", "1", "0", ["1", "1"], ["1", "0"]), closed],
    says: 'column "x" is not an integer',
  },
  {
    condition: "the split's coefficients are integers",
    program: oneColumn("x", "x = 1", "0 <= x <= 3"),
    claim: "2",
    steps: [cut("1", "2", "1/2", "0", ["2", "2"], ["2", "0"]), closed],
    says: 'a split needs integers, the coefficient of "x" is 1/2',
  },
  {
    condition: "it is split at an integer",
    program: oneColumn("x", "x = 1", "0 <= x <= 3"),
    claim: "2",
    steps: [cut("1", "3/2", "1", "1/2", ["1", "2"], ["1", "0"]), closed],
    says: "a split needs an integer, 1/2 is there",
  },
  {
    condition: "the half below is not priced below zero",
    program: oneColumn("x", "x >= 0", "0 <= x <= 3"),
    claim: "1",
    steps: [cut("1", "1", "1", "1", ["-1", "0"], ["1", "0"]), closed],
    says: "a half is priced at -1, which is below zero",
  },
  {
    condition: "the half above is not priced below zero",
    program: oneColumn("x", "x >= 0", "0 <= x <= 3"),
    claim: "1",
    steps: [cut("1", "4", "1", "-5", ["1", "0"], ["-1", "0"]), closed],
    says: "a half is priced at -1, which is below zero",
  },
  {
    condition: "the half below proves the cut",
    program: oneColumn("x", "x >= 0", "0 <= x <= 3"),
    claim: "1",
    steps: [cut("1", "1", "1", "0", ["0", "0"], ["1", "0"]), closed],
    says: "below the split the multipliers prove 0 of the cut, not 1",
  },
  {
    condition: "the half above proves the cut",
    program: oneColumn("- x", "x >= 0", "0 <= x <= 3"),
    claim: "0",
    steps: [cut("-1", "0", "1", "0", ["1", "0"], ["0", "0"]), closed],
    says: "above the split the multipliers prove -3 of the cut, not 0",
  },
  {
    condition: "the half below ends at the integer",
    program: oneColumn("- x", "x >= 0", "0 <= x <= 1"),
    claim: "0",
    steps: [cut("-1", "0", "1", "1", ["1", "0"], ["1", "0"]), closed],
    says: "below the split the multipliers prove -1 of the cut, not 0",
  },
  {
    condition: "the half above begins at the next integer",
    program: oneColumn("x", "x >= 0", "1 <= x <= 3"),
    claim: "2",
    steps: [cut("1", "2", "1", "0", ["1", "0"], ["1", "0"]), closed],
    says: "above the split the multipliers prove 1 of the cut, not 2",
  },
  {
    condition: "a half without a bound of the cut proves nothing",
    program: oneColumn("x", "x <= 3", "x free"),
    claim: "1",
    steps: [cut("1", "1", "1", "0", ["0", "0"], ["1", "0"]), closed],
    says: "below the split the multipliers prove nothing of the cut, not 1",
  },
  {
    condition: "the multipliers of the half below price sides that rows have",
    program: oneColumn("x", "x <= 3", "0 <= x <= 9"),
    claim: "3",
    steps: [cut("1", "3", "1", "9", ["0", "1"], ["1", "0"]), closed],
    says: "prices a side that row 0 does not have",
  },
  {
    condition: "a cut is priced at its lower side",
    program: oneColumn("- x", "x >= 0", "0 <= x <= 3"),
    claim: "-1",
    steps: [cut("1", "1", "1", "0", ["1", "0"], ["1", "0"]), { bound: { c: "-1" } }].map((step) =>
      "cut" in step ? { ...step, least: "0" } : step,
    ),
    says: "prices a side that row 1 does not have",
  },
  {
    condition: "a cut of one half of a branching counts nothing in the other",
    program: oneColumn("- x", "x >= 0", "0 <= x <= 3"),
    claim: "0",
    steps: [{ branch: "x", at: "0" }, cut("-1", "0", "1", "0", ["0", "0"], ["0", "0"]), closed, closed],
    says: "step 4: the multipliers prove -3, below the claim of 0",
  },
];

describe("a cut holds where", () => refuseEach(splits));

/** A cut c: form ≥ least by the knapsack of r with a multiplier. */
const knapsack = (form: Record<string, string>, least: string, multiplier: string) => ({
  knapsack: "c",
  form,
  least,
  rows: multiplier === "0" ? {} : { r: multiplier },
});

const knapsacks: readonly FalseProof[] = [
  {
    condition: "points below the side break the rows",
    program: oneColumn("x", "2 x >= 1", "0 <= x <= 3"),
    claim: "2",
    steps: [knapsack({ x: "1" }, "2", "1"), closed],
    says: "points that the rows allow are below 2",
  },
  {
    condition: "a point that keeps the rows to a hair is one that they allow",
    program: oneColumn("x", "2 x >= 2", "0 <= x <= 3"),
    claim: "2",
    steps: [knapsack({ x: "1" }, "2", "1"), closed],
    says: "points that the rows allow are below 2",
  },
  {
    condition: "the form's columns are integers",
    program: oneColumn("x", "2 x >= 1", "0 <= x <= 3", ""),
    claim: "1",
    steps: [knapsack({ x: "1" }, "1", "1"), closed],
    says: "a knapsack's columns are integers between bounds",
  },
  {
    condition: "the form's columns have both bounds",
    program: oneColumn("x", "- x >= -1", "x <= 3\n x >= -inf"),
    claim: "0",
    steps: [knapsack({ x: "1" }, "0", "1"), closed],
    says: "a knapsack's columns are integers between bounds",
  },
  {
    condition: "other columns have a bound on the side that raises the sum",
    program: `obj: x\nSubject To\n r: 2 x + y >= 1\nBounds\n 0 <= x <= 3\n y free\nGeneral\n x`,
    claim: "1",
    steps: [knapsack({ x: "1" }, "1", "1"), closed],
    says: "points that the rows allow are below 1",
  },
  {
    condition: "other columns are where they raise the sum",
    program: `obj: x\nSubject To\n r: 2 x + y >= 1\nBounds\n 0 <= x <= 3\n 0 <= y <= 1\nGeneral\n x`,
    claim: "1",
    steps: [knapsack({ x: "1" }, "1", "1"), closed],
    says: "points that the rows allow are below 1",
  },
  {
    condition: "the multipliers price sides that rows have",
    program: oneColumn("x", "2 x <= 1", "0 <= x <= 3"),
    claim: "1",
    steps: [knapsack({ x: "1" }, "1", "1"), closed],
    says: "prices a side that row 0 does not have",
  },
  {
    condition: "a column may be between its bounds",
    program: oneColumn("- x", "- 2 x >= -5", "0 <= x <= 3"),
    claim: "-1",
    steps: [knapsack({ x: "-1" }, "-1", "1"), closed],
    says: "points that the rows allow are below -1",
  },
];

describe("a cut of a knapsack holds where", () => refuseEach(knapsacks));

/** Of rows that were rounded, what prices a cut is compared as well: without that, the best point is left for one that the cut rules out. */
const rounded: readonly FalseProof[] = [
  {
    condition: "the cut came before the rounding",
    program: `obj: 2 x + y + 2 w
Subject To
 r: 6 <= 3 x + 3 y + 4 w <= 100
Bounds
 x <= 1
 y <= 1
 w <= 1
General
 x y w`,
    claim: "4",
    steps: [
      {
        ...{ cut: "c", form: { x: "3", y: "3", w: "4" }, least: "6", split: { x: "1" }, at: "0" },
        ...{ below: { side: "0", rows: { r: "1" } }, above: { side: "0", rows: { r: "1" } } },
      },
      { round: { r: "1" } },
      { enumerate: [{ c: "1" }] },
    ],
    says: "the node has a point that is better than the claim",
  },
  {
    condition: "the cut came after it, from the sum that a group keeps",
    program: `obj: 4 a + 4 b + 3 d + 2 e
Subject To
 g: a + b + d + e = 2
Bounds
 a <= 1
 b <= 1
 d <= 1
 e <= 1
General
 a b d e`,
    claim: "6",
    steps: [
      { round: { g: "1" } },
      {
        ...{ cut: "c", form: { a: "1", b: "1", d: "1", e: "1" }, least: "2", split: { a: "1" }, at: "0" },
        ...{ below: { side: "0", rows: {} }, above: { side: "0", rows: {} } },
      },
      { enumerate: [{ c: "6" }] },
    ],
    says: "the node has a point that is better than the claim",
  },
];

describe("an enumeration by a cut holds where", () => refuseEach(rounded));

test("a cut of a knapsack is read where it says all and no more, and its numbers are short", () => {
  const text = `Minimize\n${oneColumn("x", "2 x >= 1", "0 <= x <= 3")}\nEnd\n`;
  const program = readLp(text, "knapsack.lp");
  const good = knapsack({ x: "1" }, "1", "1");
  const refusal = (change: object) => refusalOf(program, certificateOf(program, "1", [{ ...good, ...change }, closed]));
  expect(checkCertificate(program, certificateOf(program, "1", [good, closed])).bound?.toString()).toBe("1");
  expect(refusal({ knapsack: "" })).toContain("the name of a cut was expected");
  expect(refusal({ knapsack: "r" })).toContain('there is a row or cut "r" already');
  expect(refusal({ form: { y: "1" } })).toContain('there is no column "y"');
  expect(refusal({ rows: { c: "1" } })).toContain('there is no row "c"');
  expect(refusal({ least: "2/2" })).toContain("a fraction in lowest terms was expected");
  expect(refusal({ also: 1 })).toContain('"also" is not known here');
  expect(refusal({ form: { x: "1000000000" }, least: "3000000000" })).toContain("tables are too long");
});

describe("a cut is read where", () => {
  const text = `Minimize\n${oneColumn("x", "2 x >= 1", "0 <= x <= 3")}\nEnd\n`;
  const program = readLp(text, "cut.lp");
  const good = cut("1", "1", "1", "0", ["1", "1"], ["1", "0"]);
  const with_ = (change: object) => certificateOf(program, "1", [{ ...good, ...change }, closed]);

  test("it is one", () => {
    expect(checkCertificate(program, certificateOf(program, "1", [good, closed])).bound?.toString()).toBe("1");
  });

  test.each([
    ["its name is a text", { cut: "" }, "the name of a cut was expected"],
    ["its columns are there", { form: { y: "1" } }, 'there is no column "y"'],
    ["its split's columns are there", { split: { y: "1" } }, 'there is no column "y"'],
    ["its rows are there", { below: { side: "1", rows: { s: "1" } } }, 'there is no row "s"'],
    ["its name is no row's", { cut: "r" }, 'there is a row or cut "r" already'],
    ["it prices no cut that comes later", { above: { side: "1", rows: { c: "1" } } }, 'there is no row "c"'],
    ["its numbers are in lowest terms", { least: "2/2" }, "a fraction in lowest terms was expected"],
    ["its halves say all", { below: { side: "1" } }, '"rows" is missing'],
    ["it says no more", { also: 1 }, '"also" is not known here'],
  ])("%s", (_, change, says) => {
    expect(refusalOf(program, with_(change))).toContain(says);
  });

  test("its name is no earlier cut's", () => {
    expect(refusalOf(program, certificateOf(program, "1", [good, good, closed]))).toContain(
      'there is a row or cut "c" already',
    );
  });
});
