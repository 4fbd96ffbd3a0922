import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { Rational } from "../../../src/exact/rational.js";
import { readVipr } from "../../../src/vipr/read.js";

const FILE = `% a comment
%another
VER 1.1
VAR 3
x y z
INT 1
1
OBJ max
2 0 0.5 1 -1/3
CON 5 4
b1 G 1 1 0 2
b2 L 6 1 0 -2
b3 E 4 1 1 1
b4 L 9 1 0 1
row L 7/2 OBJ
RTP range -inf 12
SOL 1
best 2 0 1 1 4
DER 2
d1 L 12 OBJ { lin 2 4 1 0 0 } -1
d2 L 13 OBJ { uns 5 2 5 3 } 9 global
`;

describe("comments", () => {
  const commented = FILE.replace("b1 G", "% before the bounds\n%\nb1 G")
    .replace("0 1\nrow", "0 1 % behind a line: b1 G 1\r\n  % between\nrow")
    .replace("RTP", "% before the claim\nRTP")
    .replace("} -1\n", "} -1 % behind a derivation\n% d9 L 1 OBJ { asm } -1\n")
    .replace("global\n", "global % at the end\n% and behind it");

  test("before, behind and between lines of CON and DER change nothing", () => {
    expect(readVipr(commented, "a.vipr")).toEqual(readVipr(FILE, "a.vipr"));
  });

  test("leave the place of a complaint as it is", () => {
    const broken = commented.replace("d2 L", "d2 M");
    const line = broken.slice(0, broken.indexOf("d2 M")).split("\n").length;
    expect(() => readVipr(broken, "a.vipr")).toThrow(`a.vipr:${line}:4: expected "G" or "L" or "E", found "M"`);
  });

  test("behind lines that are to be completed do not hide the advice", () => {
    const weak = commented.replace("{ lin 2 4 1 0 0 }", "{ lin weak { 0 } 2 4 1 0 0 }");
    expect(() => readVipr(weak, "a.vipr")).toThrow("complete the file with viprcomp first");
  });

  test("stand at the beginning of no variable's name", () => {
    const named = FILE.replace("x y z", "%x y z");
    expect(readVipr(named, "a.vipr").program.columns[0]?.name).toBe("%x");
  });
});

describe("readVipr", () => {
  const file = readVipr(FILE, "a.vipr");

  test("the program: bounds fold into the columns, the tightest counts", () => {
    expect(file.program.columns).toEqual([
      { name: "x", lower: Rational.of(1n, 2n), upper: Rational.of(9n), integer: false },
      { name: "y", lower: Rational.of(4n), upper: Rational.of(4n), integer: true },
      { name: "z", lower: null, upper: null, integer: false },
    ]);
    expect(file.program.objective.sense).toBe("maximize");
    expect(file.program.objective.form).toEqual({ columns: [0, 1], coefficients: [3n, -2n], denominator: 6n });
    expect(file.program.rows).toEqual([
      { name: "row", form: file.program.objective.form, lower: null, upper: Rational.of(7n, 2n) },
    ]);
  });

  test("the claim, solutions and derivations", () => {
    expect(file.claim).toEqual({ kind: "range", lower: null, upper: Rational.of(12n) });
    expect(file.solutions).toEqual([
      {
        name: "best",
        values: new Map([
          [0, Rational.one],
          [1, Rational.of(4n)],
        ]),
      },
    ]);
    expect(file.derivations.map(({ reason }) => reason)).toEqual([
      { rule: "lin", multipliers: new Map([[4, Rational.one]]) },
      { rule: "uns", first: { line: 5, assumption: 2 }, second: { line: 5, assumption: 3 } },
    ]);
    expect(file.derivations.map(({ lastUse, global }) => ({ lastUse, global }))).toEqual([
      { lastUse: -1, global: false },
      { lastUse: 9, global: true },
    ]);
  });

  test.for([
    ["another version", "VER 1.1", "VER 2.0", 'a.vipr:3:5: expected "1.0" or "1.1", found "2.0"'],
    ["a section out of place", "INT 1", "OBJ 1", 'a.vipr:6:1: expected "INT", found "OBJ"'],
    [
      "a variable that is not there",
      "INT 1\n1",
      "INT 1\n3",
      "a.vipr:7:1: expected the index of a variable below 3, found 3",
    ],
    ["a number that is none", "L 7/2", "L 7/x", 'a.vipr:15:7: expected the right-hand side, found "7/x"'],
    ["a zero denominator", "L 7/2", "L 7/0", 'a.vipr:15:7: expected the right-hand side, found "7/0"'],
    ["a sense", "row L", "row N", 'a.vipr:15:5: expected "G" or "L" or "E", found "N"'],
    ["an index twice", "2 0 1 1 4", "2 0 1 0 4", "a.vipr:18:14: expected each index once, found 0 again"],
    [
      "more bounds than constraints",
      "CON 5 4",
      "CON 5 6",
      "a.vipr:10:7: expected the number of bound constraints below 6, found 6",
    ],
    [
      "a later line as reason",
      "uns 5 2",
      "uns 6 2",
      "a.vipr:21:19: expected the index of an earlier constraint below 6, found 6",
    ],
    [
      "an unknown rule",
      "{ uns",
      "{ cut",
      'a.vipr:21:15: expected "asm" or "lin" or "rnd" or "uns" or "sol", found "cut"',
    ],
    ["a brace left out", "0 0 } -1", "0 0 -1", 'a.vipr:20:29: expected "}", found "-1"'],
    ["a negative count", "SOL 1", "SOL -1", 'a.vipr:17:5: expected the number of solutions, found "-1"'],
    ["something after the end", "global\n", "global\nDER 0", 'a.vipr:22:1: expected the end of the file, found "DER"'],
    ["two variables of one name", "x y z", "x y x", 'a.vipr:10:1: two columns are called "x"; names must differ'],
  ] as const)("refuses %s, with its place", ([, from, to, message]) => {
    expect(FILE).toContain(from);
    expect(messageOf(FILE.replace(from, to))).toBe(message);
  });

  test("refuses a file that ends early, wherever it is cut", () => {
    const words = [...FILE.matchAll(/\S+/g)].slice(4, -1);
    for (const { index } of words.filter(({ index }) => index < FILE.indexOf("global") - 2)) {
      expect(() => readVipr(FILE.slice(0, index), "a.vipr")).toThrow(InputError);
    }
  });

  test.for(["weak { 0 } 1 4 1", "incomplete 4"])("names the tool that completes `lin %s`", (rest) => {
    const text = FILE.replace("lin 2 4 1 0 0", `lin ${rest}`);
    expect(() => readVipr(text, "a.vipr")).toThrow(/^a\.vipr:20:19: .*complete the file with viprcomp first$/);
  });
});

function messageOf(text: string): string {
  try {
    readVipr(text, "a.vipr");
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "accepted";
}
