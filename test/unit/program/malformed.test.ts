import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { readLp } from "../../../src/program/lp/read.js";
import { readMps } from "../../../src/program/mps/read.js";

function errorOf(read: () => unknown): InputError {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("the text was read without an error");
}

const MPS = `NAME T FREE
ROWS
 N COST
 L R1
 E R2
COLUMNS
 x COST 1 R1 2
 y R2 1
RHS
 RHS R1 4
BOUNDS
 UP BND x 3
ENDATA
`;

/** [what, text replaced, replacement, line:column, what the message must say]. */
const MPS_CASES: [string, string, string, string, RegExp][] = [
  ["a missing ENDATA", "ENDATA\n", "", "13:1", /expected ENDATA, found the end of the file/],
  [
    "text after ENDATA",
    "ENDATA\n",
    "ENDATA\nROWS\n",
    "14:1",
    /expected nothing of the program after ENDATA, found "ROWS"/,
  ],
  ["data before any section", "NAME T FREE", " N COST", "1:2", /expected a section such as ROWS, found "N"/],
  ["data under NAME", "ROWS\n", " x\nROWS\n", "2:2", /expected a section such as ROWS, found "x"/],
  [
    "an unknown section",
    "RHS\n",
    "RSH\n",
    "9:1",
    /expected a section \(NAME, .*found "RSH"; lines of data begin with a blank/,
  ],
  ["data that is not indented", " y R2 1", "y R2 1", "8:1", /found "y"; lines of data begin with a blank/],
  ["quadratic terms", "RHS\n", "QUADOBJ\n x x 1\nRHS\n", "9:1", /found QUADOBJ, which is not supported/],
  ["special ordered sets", "ENDATA", "SOS\n S1 SOS s1\nENDATA", "13:1", /found SOS, which is not supported/],
  ["a section twice", "ENDATA", "RHS\nENDATA", "13:1", /expected each section once, found RHS again/],
  ["COLUMNS before ROWS", "ROWS\n", "COLUMNS\n", "2:1", /expected the section ROWS before COLUMNS/],
  [
    "no COLUMNS",
    "COLUMNS\n x COST 1 R1 2\n y R2 1\nRHS\n RHS R1 4\nBOUNDS\n UP BND x 3\n",
    "",
    "6:1",
    /expected the section COLUMNS before ENDATA/,
  ],
  ["something after a header", "BOUNDS\n", "BOUNDS BND\n", "11:8", /expected nothing after BOUNDS, found "BND"/],
  ["an unknown row type", " E R2", " X R2", "5:2", /expected a row type N, L, G or E, found "X"/],
  ["a row without a name", " E R2", " E", "5:3", /expected a row name, found the end of the line/],
  [
    "a row name with a blank",
    " E R2",
    " E R 2",
    "5:6",
    /expected the end of the line .* found "2"; .*remove the blanks from a name/,
  ],
  ["a row twice", " E R2", " E R1", "5:4", /expected a new row name, found "R1" a second time/],
  ["an unknown row", " y R2 1", " y R3 1", "8:4", /expected the name of a row from ROWS, found "R3"/],
  ["a word for a number", " y R2 1", " y R2 one", "8:7", /expected a number, found "one"/],
  ["a fraction", " y R2 1", " y R2 1/3", "8:7", /expected a decimal number, found the fraction 1\/3, of which/],
  ["an infinite coefficient", " y R2 1", " y R2 inf", "8:7", /expected a number, found "inf"/],
  [
    "an absurd exponent",
    " y R2 1",
    " y R2 1e999999",
    "8:7",
    /expected a number of sensible size.*exponent beyond 5000/,
  ],
  ["a coefficient missing", " y R2 1", " y R2", "8:6", /expected a number, found the end of the line/],
  ["half a second pair", " y R2 1", " y R2 1 R1", "8:11", /expected a number, found the end of the line/],
  ["too many fields", " y R2 1", " y R2 1 R1 2 COST 3", "8:14", /at most 5 fields here\), found "COST"/],
  [
    "a row twice in a line",
    " x COST 1 R1 2",
    " x R1 1 R1 2",
    "7:9",
    /expected one entry per row and column, found "R1" twice/,
  ],
  [
    "a row twice in a column",
    " y R2 1",
    " y R2 1\n y R2 0",
    "9:4",
    /expected one entry per row and column, found "R2" twice/,
  ],
  [
    "a column in two places",
    " y R2 1",
    " y R2 1\n x R2 1",
    "9:2",
    /expected the entries of a column together, found "x" again/,
  ],
  ["INTEND alone", " y R2 1", " M 'MARKER' 'INTEND'", "8:13", /expected 'INTORG' next, found 'INTEND'/],
  [
    "INTORG twice",
    " y R2 1",
    " M 'MARKER' 'INTORG'\n M 'MARKER' 'INTORG'",
    "9:13",
    /expected 'INTEND' next, found 'INTORG'/,
  ],
  [
    "a marker for special ordered sets",
    " y R2 1",
    " M 'MARKER' 'SOSORG'",
    "8:13",
    /special ordered sets are not supported/,
  ],
  [
    "a second set of right-hand sides",
    " RHS R1 4",
    " RHS R1 4\n OTHER R2 4",
    "11:2",
    /expected set "RHS" as on the first line of RHS, found set "OTHER"/,
  ],
  ["a set name on some lines only", " RHS R1 4", " R1 4\n RHS R2 4", "11:2", /expected no set name .* found set "RHS"/],
  [
    "a right-hand side twice",
    " RHS R1 4",
    " RHS R1 4 R1 5",
    "10:11",
    /expected one right-hand side per row, found a second one for "R1"/,
  ],
  ["a range twice", "BOUNDS\n", "RANGES\n RNG R1 4\n RNG R1 4\nBOUNDS\n", "13:6", /expected one range per row/],
  ["a semi-continuous column", " UP BND x 3", " SC BND x 3", "12:2", /semi-continuous columns are not supported/],
  ["an unknown bound type", " UP BND x 3", " XX BND x 3", "12:2", /expected a bound type LO, UP, .* found "XX"/],
  [
    "an unknown column in BOUNDS",
    " UP BND x 3",
    " UP BND z 3",
    "12:9",
    /expected the name of a column from COLUMNS, found "z"/,
  ],
  [
    "an unknown column without a value",
    " UP BND x 3",
    " FR BND z",
    "12:9",
    /expected the name of a column from COLUMNS, found "z"/,
  ],
  ["a bound without a value", " UP BND x 3", " UP BND x", "12:10", /expected a number, found the end of the line/],
  ["a bound type alone", " UP BND x 3", " UP", "12:4", /expected a column name, found the end of the line/],
  [
    "an upper bound twice",
    " UP BND x 3",
    " UP BND x 3\n BV BND x",
    "13:9",
    /expected one upper bound per column, found a second one for "x"/,
  ],
  [
    "a lower bound of infinity",
    " UP BND x 3",
    " LO BND x 1e30",
    "12:11",
    /expected a lower bound below infinity, found "1e30"/,
  ],
  [
    "an upper bound of minus infinity",
    " UP BND x 3",
    " UP BND x -inf",
    "12:11",
    /expected an upper bound above minus infinity/,
  ],
  ["fixed at infinity", " UP BND x 3", " FX BND x inf", "12:11", /expected a finite value to fix "x" at/],
  [
    "a comment that is indented",
    " y R2 1",
    " * a comment",
    "8:4",
    /expected the name of a row from ROWS, found "a".*a line of comment has its \* in the first column/,
  ],
  [
    "a negative upper bound alone",
    " UP BND x 3",
    " UP BND x -3",
    "12:11",
    /expected a lower bound of "x" beside the negative upper bound -3, found none.*add a line LO or MI/,
  ],
  ["an unknown sense", "ROWS\n", "OBJSENSE\n UP\nROWS\n", "3:2", /expected MAX or MIN, found "UP"/],
  ["an empty OBJSENSE", "ROWS\n", "OBJSENSE\nROWS\n", "3:1", /expected MAX or MIN after OBJSENSE, found ROWS/],
  ["two senses", "ROWS\n", "OBJSENSE\n MAX\n MIN\nROWS\n", "4:2", /expected one sense, found "MIN" too/],
  [
    "OBJNAME without such a row",
    "ROWS\n",
    "OBJNAME\n R1\nROWS\n",
    "3:2",
    /expected OBJNAME to name a row of type N, found "R1"/,
  ],
  [
    "a malformed directive",
    "ROWS\n",
    "* shardproof scale R1\nROWS\n",
    "2:1",
    /expected "shardproof scale ROW FACTOR".*found "scale R1"/,
  ],
  ["a negative scale", "ROWS\n", "* shardproof scale R1 -1/3\nROWS\n", "2:1", /found "scale R1 -1\/3"/],
  [
    "a scale of no row",
    "ROWS\n",
    "* shardproof scale R9 1/3\nROWS\n",
    "2:1",
    /expected the name of a row or of the objective, found "R9"/,
  ],
  [
    "a bound directive that does not agree",
    "ROWS\n",
    "* shardproof bound upper x 1/3\nROWS\n",
    "2:1",
    /expected the upper bound of "x" to be 1\/3 rounded outwards, found 3/,
  ],
  [
    "a bound directive of no column",
    "ROWS\n",
    "* shardproof bound lower z 1/3\nROWS\n",
    "2:1",
    /expected the name of a column, found "z"/,
  ],
  [
    "a join of rows that differ",
    "ROWS\n",
    "* shardproof join R1 R2\nROWS\n",
    "2:1",
    /expected rows "R1" \(lower bound only\)/,
  ],
];

const LP = `Minimize
 cost: x + 2 y
Subject To
 c1: x + y >= 1
 c2: x - y <= 3
Bounds
 x <= 4
Generals
 y
End
`;

const LP_CASES: [string, string, string, string, RegExp][] = [
  ["an empty beginning", "Minimize\n", "\n", "2:2", /expected Minimize or Maximize, found "cost"/],
  ["a missing End", "End\n", "", "10:1", /expected a section header or End, found the end of the file/],
  ["text after End", "End\n", "End\n x\n", "11:2", /expected nothing after End, found "x"/],
  ["a second objective", "Bounds", "Maximize", "6:1", /expected one objective, found the section header "Maximize"/],
  [
    "a misspelt header after the objective",
    "Subject To",
    "Subjct To",
    "3:1",
    /expected a sign or a section header such as Subject To, found "Subjct"/,
  ],
  ["a misspelt header after a constraint", "Bounds\n x", "Boundz\n x", "7:2", /expected <=, >= or =, found "x"/],
  [
    "a misspelt header in Generals",
    "End",
    "Binaris\n x\nEnd",
    "10:1",
    /expected a variable that appeared before, or a section header, found "Binaris"/,
  ],
  ["an infinite objective", "x + 2 y", "inf", "2:8", /expected a finite objective, found "inf"/],
  ["a term missing", "x + 2 y", "x +", "3:1", /expected a term such as 2 x, found the section header "Subject To"/],
  ["two numbers", "x + 2 y", "x + 2 3 y", "2:14", /expected a sign or a section header such as Subject To, found "3"/],
  ["a squared variable", "x + 2 y", "x + 2 y^2", "2:15", /quadratic terms/],
  ["a quadratic bracket", "x + 2 y", "x + [ y * y ] / 2", "2:12", /quadratic terms/],
  ["a multiplication sign", "x + 2 y", "x + 2 * y", "2:14", /write 2 x for 2 \* x/],
  ["a fraction", "x + 2 y", "x + 1/3 y", "2:13", /found "\/"; fractions/],
  ["a parenthesis", "x + 2 y", "2 (x + y)", "2:10", /found "\("; .*parentheses/],
  ["no relation", "x + y >= 1", "x + y 1", "4:12", /expected <=, >= or =, found "1"/],
  ["no right side", "x + y >= 1", "x + y >=", "5:2", /expected a term such as 2 x, found "c2"/],
  ["two relations", "x + y >= 1", "x + y >= <= 1", "4:15", /expected a term such as 2 x, found "<="/],
  ["a range in two directions", "x + y >= 1", "1 <= x + y >= 0", "4:17", /expected another <=, found ">="/],
  ["a range with an equation", "x + y >= 1", "1 = x + y = 2", "4:16", /expected another constraint, found "="/],
  [
    "a range with variables at an end",
    "x + y >= 1",
    "x <= y <= 5",
    "4:6",
    /expected a constant at both ends of a range, found "x"/,
  ],
  [
    "a right side with variables over two lines",
    "x + y >= 1",
    "x >= y\n + 3",
    "5:2",
    /expected the end of a right side that has variables, found "\+"/,
  ],
  [
    "an infinite lower bound above",
    "x + y >= 1",
    "x + y >= inf",
    "4:15",
    /expected a bound below infinity, found "inf"/,
  ],
  ["an infinite equation", "x + y >= 1", "x + y = -inf", "4:14", /expected a finite value of an equation/],
  ["an infinity among terms", "x + y >= 1", "x + inf >= 1", "4:10", /expected a finite term, found "inf"/],
  ["an infinity with a coefficient", "x + y >= 1", "x + 2 inf >= 1", "4:12", /expected a variable, found "inf"/],
  ["infinities on both sides", "x + y >= 1", "-inf <= inf", "4:6", /expected an expression beside the infinity/],
  ["a constraint name twice", "c2:", "c1:", "5:2", /expected a new constraint name, found "c1"/],
  ["the objective's name for a constraint", "c2:", "cost:", "5:2", /expected a new constraint name, found "cost"/],
  ["an absurd exponent", "x + y >= 1", "x + y >= 1e999999", "4:15", /sensible size/],
  ["a coefficient in Bounds", "x <= 4", "2 x <= 4", "7:4", /expected <=, >=, = or free, found "x"/],
  ["a bound without a number", "x <= 4", "x <= y", "7:7", /expected a number or an infinity, found "y"/],
  ["a bound without a variable", "x <= 4", "3 <= 4", "7:7", /expected a variable, found "4"/],
  ["a two-sided bound in two directions", "x <= 4", "1 <= x >= 0", "7:9", /expected another <=, found ">="/],
  ["a lower bound of infinity", "x <= 4", "x >= inf", "7:7", /expected a lower bound below infinity for "x"/],
  [
    "an upper bound of minus infinity",
    "x <= 4",
    "x <= -1e30",
    "7:7",
    /expected an upper bound above minus infinity for "x"/,
  ],
  ["fixed at infinity", "x <= 4", "x = inf", "7:6", /expected a finite value for "x"/],
  ["a number in Generals", " y\nEnd", " y 3\nEnd", "9:4", /expected the name of a variable, found "3"/],
  [
    "a binary with wide bounds",
    "Generals\n y",
    "Binaries\n x",
    "9:2",
    /bounds in \[0, 1\] \(those given are 0 and 4\), found "x"/,
  ],
  [
    "semi-continuous variables",
    "Generals",
    "Semi-continuous",
    "8:1",
    /found "Semi-continuous", which is not supported/,
  ],
  ["special ordered sets", "Generals", "SOS1", "8:1", /found "SOS1", which is not supported/],
  [
    "general constraints",
    "Generals",
    "General Constraints",
    "8:1",
    /found "General Constraints", which is not supported/,
  ],
  ["lazy constraints", "Generals", "Lazy Constraints", "8:1", /found "Lazy Constraints", which is not supported/],
  [
    "a malformed directive",
    "Bounds",
    "\\ shardproof bound middle x 1\nBounds",
    "6:1",
    /expected "shardproof scale ROW FACTOR"/,
  ],
];

describe.each([
  ["MPS", MPS, MPS_CASES, readMps],
  ["LP", LP, LP_CASES, readLp],
] as const)("malformed %s files", (_, good, cases, read) => {
  it("the text they are made from is well formed", () => {
    expect(read(good).columns.map(({ name }) => name)).toEqual(["x", "y"]);
  });

  it.each(cases)("%s", (_what, from, to, place, message) => {
    expect(good).toContain(from);
    const error = errorOf(() => read(good.replace(from, to), "model.txt"));
    expect(`${error.place?.line}:${error.place?.column}`).toBe(place);
    expect(error.message).toMatch(message);
    expect(error.message.startsWith(`model.txt:${place}: expected `)).toBe(true);
  });
});
