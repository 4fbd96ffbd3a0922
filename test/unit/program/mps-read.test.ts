import { describe, expect, it } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { readMps } from "../../../src/program/mps/read.js";
import { columnText, formText, interval, rowText } from "./text.js";

const rational = (text: string) => Rational.parse(text);

const CLASSIC = `* a comment
NAME          TESTPROB
ROWS
 N  COST
 L  LIM1
 G  LIM2
 E  MYEQN
COLUMNS
    X         COST         1.0   LIM1         1.0
    X         LIM2         1.0
    MARKER                 'MARKER'                 'INTORG'
    Y         COST         0.1   LIM1         1.0
    Y         MYEQN       -1.0
    MARKER                 'MARKER'                 'INTEND'
    Z         COST         9e-1  MYEQN        1.0
RHS
    RHS       COST        -2.5   LIM1         4.0
    RHS       LIM2         1.0   MYEQN        7.0
BOUNDS
 UP BND       X            4.0
 LO BND       Y           -1.0
 UP BND       Y            1.0
ENDATA
`;

/** One row and one column x, with the given lines of RHS, RANGES and BOUNDS. */
const small = ({ type = "L", rhs = "", ranges = "", bounds = "", integer = false }) =>
  readMps(`NAME SMALL FREE
ROWS
 N COST
 ${type} R
COLUMNS
${integer ? " M1 'MARKER' 'INTORG'\n" : ""} x R 1
${integer ? " M2 'MARKER' 'INTEND'\n" : ""}RHS
${rhs}
RANGES
${ranges}
BOUNDS
${bounds}
ENDATA
`);

describe("readMps", () => {
  it("reads a fixed-format file exactly: one tenth is one tenth", () => {
    const program = readMps(CLASSIC);
    expect(program.name).toBe("TESTPROB");
    expect(program.objective).toMatchObject({ name: "COST", sense: "minimize", constant: rational("5/2") });
    expect(formText(program, program.objective.form)).toBe("1 X + 1/10 Y + 9/10 Z");
    expect(rowText(program)).toEqual([
      "LIM1: 1 X + 1 Y in [-, 4]",
      "LIM2: 1 X in [1, -]",
      "MYEQN: -1 Y + 1 Z in [7, 7]",
    ]);
    expect(columnText(program)).toEqual(["X [0, 4]", "Y [-1, 1] integer", "Z [0, -]"]);
  });

  it("reads the same program with Windows line ends, tabs and another comment", () => {
    const other = CLASSIC.replace("RHS\n", "*  a comment in between\nRHS\n")
      .replaceAll("    ", "\t")
      .replaceAll("\n", "\r\n");
    expect(readMps(other)).toEqual(readMps(CLASSIC));
  });

  it.each([
    ["OBJSENSE\n    MAX\n", "maximize"],
    ["OBJSENSE\n    MAXIMIZE\n", "maximize"],
    ["OBJSENSE MAX\n", "maximize"],
    ["OBJSENSE\nMAX\n", "maximize"],
    ["OBJSENSE\n    MIN\n", "minimize"],
    ["OBJSENSE MINIMIZE\n", "minimize"],
    ["", "minimize"],
  ])("reads the sense %j", (text, sense) => {
    expect(readMps(CLASSIC.replace("ROWS\n", `${text}ROWS\n`)).objective.sense).toBe(sense);
  });

  it("takes FREE off the name, and keeps a name of several words", () => {
    expect(readMps(CLASSIC.replace("TESTPROB", "MODEL FREE")).name).toBe("MODEL");
    expect(readMps(CLASSIC.replace("TESTPROB", "my model")).name).toBe("my model");
    expect(readMps(CLASSIC.replace("TESTPROB", "")).name).toBe("");
  });

  it("keeps further N rows as rows without bounds, and takes the objective OBJNAME names", () => {
    const text = (name: string) => `NAME\n${name}ROWS\n N A\n N B\nCOLUMNS\n x A 1 B 2\nRHS\n r A 3 B 4\nENDATA\n`;
    const first = readMps(text(""));
    expect([first.objective.name, first.objective.constant.toString(), ...rowText(first)]).toEqual([
      "A",
      "-3",
      "B: 2 x in [-, -]",
    ]);
    const second = readMps(text("OBJNAME\n B\n"));
    expect([second.objective.name, second.objective.constant.toString(), ...rowText(second)]).toEqual([
      "B",
      "-4",
      "A: 1 x in [-, -]",
    ]);
  });

  it.each([
    ["L", "2", "3", "[-1, 2]"],
    ["L", "2", "-3", "[-1, 2]"],
    ["G", "2", "3", "[2, 5]"],
    ["G", "2", "-3", "[2, 5]"],
    ["E", "2", "3", "[2, 5]"],
    ["E", "2", "-3", "[-1, 2]"],
    ["E", "2", "0", "[2, 2]"],
    ["E", "-0.5", "0.2", "[-1/2, -3/10]"],
  ])("reads the range of a %s row: right-hand side %s, range %s", (type, rhs, range, expected) => {
    const program = small({ type, rhs: ` RHS R ${rhs}`, ranges: ` RNG R ${range}` });
    expect(program.rows.map(interval)).toEqual([expected]);
    // The names of the sets may be missing.
    expect(small({ type, rhs: ` R ${rhs}`, ranges: ` R ${range}` })).toEqual(program);
  });

  it.each([
    ["", "x [0, -]"],
    [" LO BND x 2", "x [2, -]"],
    [" UP BND x 2", "x [0, 2]"],
    [" UP BND x 0", "x [0, 0]"],
    [" UP BND x -2\n MI BND x", "x [-, -2]"],
    [" UP BND x -2\n LO BND x -5", "x [-5, -2]"],
    [" LO BND x 0\n UP BND x -2", "x [0, -2]"],
    [" FX BND x 2.5", "x [5/2, 5/2]"],
    [" FR BND x", "x [-, -]"],
    [" FR BND x 7", "x [-, -]"],
    [" FR x", "x [-, -]"],
    [" FR x 0", "x [-, -]"],
    [" MI BND x", "x [-, -]"],
    [" MI BND x\n UP BND x 3", "x [-, 3]"],
    [" PL BND x", "x [0, -]"],
    [" BV BND x", "x [0, 1] integer"],
    [" BV x", "x [0, 1] integer"],
    [" LI BND x 2", "x [2, -] integer"],
    [" UI BND x 2", "x [0, 2] integer"],
    [" UI BND x -2\n MI BND x", "x [-, -2] integer"],
    [" UP x 2", "x [0, 2]"],
    [" UP BND x 1e30", "x [0, -]"],
    [" UP BND x 1e20", "x [0, 100000000000000000000]"],
    [" UP BND x Infinity", "x [0, -]"],
    [" LO BND x -inf", "x [-, -]"],
    [" LO BND x -1E+30", "x [-, -]"],
  ])("reads the bounds %j", (bounds, expected) => {
    expect(columnText(small({ bounds }))).toEqual([expected]);
  });

  it("takes an integer column of a MARKER block for binary until it has bounds", () => {
    expect(columnText(small({ integer: true }))).toEqual(["x [0, 1] integer"]);
    expect(columnText(small({ integer: true, bounds: " UP BND x 9" }))).toEqual(["x [0, 9] integer"]);
    expect(columnText(small({ integer: true, bounds: " LO BND x 2" }))).toEqual(["x [2, -] integer"]);
    expect(columnText(small({ integer: true, bounds: " PL BND x" }))).toEqual(["x [0, -] integer"]);
  });

  it("honours the comments that restore what MPS cannot say", () => {
    const program = readMps(`* shardproof scale LIM 1/6
* shardproof scale COST 1/3
* shardproof bound upper x 1/3
* shardproof name "a name\\nof two lines"
NAME MODEL FREE
ROWS
 N COST
 L LIM
COLUMNS
 x COST 1 LIM 3
 y LIM 2
RHS
 RHS COST -1 LIM 1
RANGES
 RNG LIM 5
BOUNDS
 UP BND x 0.3333333333333333333333333333333333333334
ENDATA
`);
    expect(program.name).toBe("a name\nof two lines");
    expect(formText(program, program.objective.form)).toBe("1/3 x");
    expect(program.objective.constant).toEqual(rational("1/3"));
    expect(rowText(program)).toEqual(["LIM: 1/2 x + 1/3 y in [-2/3, 1/6]"]);
    expect(columnText(program)).toEqual(["x [0, 1/3]", "y [0, -]"]);
  });

  it("drops zero coefficients and keeps columns without any", () => {
    const program = readMps("NAME\nROWS\n N C\n L R\nCOLUMNS\n x C 0\n y R 0 C 1\nENDATA");
    expect(formText(program, program.objective.form)).toBe("1 y");
    expect(rowText(program)).toEqual(["R:  in [-, 0]"]);
    expect(columnText(program)).toEqual(["x [0, -]", "y [0, -]"]);
  });
});
