import { describe, expect, test } from "vitest";
import { readModel } from "../../../src/program/read-program.js";

/** Codes of the notes; each kind was seen in HiGHS 1.15.1, GLPK 5.0, CBC 2.10.8, lp_solve 5.5.2.5 and SCIP 10.0. */
const codesOf = (text: string, file: string) => readModel(text, file).notes.map(({ code }) => code);

describe("of an LP file that another reader takes otherwise without a word, a note says so", () => {
  const file = (rows: string, after = "", objective = "x + y") =>
    codesOf(`Minimize\n obj: ${objective}\nSubject To\n${rows}\n${after}End\n`, "a.lp");
  const row = " c1: x + y >= 2";

  test("headers that CBC or HiGHS take for variables", () => {
    for (const word of ["int", "gen", "bin", "INT"]) {
      expect(file(row, `Bounds\n x <= 1\n${word}\n x\n`)).toEqual(["header-word"]);
    }
    for (const word of ["Generals", "Integers", "Binaries", "General"]) {
      expect(file(row, `Bounds\n x <= 1\n${word}\n x\n`)).toEqual([]);
    }
    expect(file(row, "Lazy Constraints\nBounds\n x <= 9\n")).toEqual(["header-word"]);
  });

  test("HiGHS takes the header int for a variable in a list of names alone", () => {
    const notes = (after: string) =>
      readModel(`Minimize\n x\nSubject To\n${row}\n${after}int\n x\nEnd\n`, "a.lp").notes.map(({ text }) => text);
    const refused = ["int opens a section; CBC takes it for a variable, HiGHS refuses it"];
    expect(notes("")).toEqual(refused);
    expect(notes("Generals\n y\nBounds\n x <= 1\n")).toEqual([expect.stringMatching(/^Bounds /), ...refused]);
    for (const list of ["Generals", "Binaries"]) {
      expect(notes(`${list}\n y\n`)).toEqual(["int opens a section; CBC and HiGHS take it for a variable"]);
    }
  });

  test("sections that come again where CBC loses variables", () => {
    expect(file(`${row}\nSubject To\n c2: x - y <= 2`)).toEqual(["section-twice"]);
    expect(file(row, "Bounds\n x <= 3\nGenerals\n x\nBounds\n y <= 4\n")).toEqual(["section-twice"]);
    expect(file(row, "Bounds\n x <= 3\nBounds\n y <= 4\nGenerals\n x\nGenerals\n y\n")).toEqual([]);
  });

  test("relations of one sign, and of two the other way round", () => {
    for (const relation of [">", "<", "=>", "=<"]) expect(file(` c1: x + y ${relation} 2`)).toEqual(["relation-form"]);
    for (const relation of [">=", "<=", "="]) expect(file(` c1: x + y ${relation} 2`)).toEqual([]);
    // Nobody differs on those of bounds.
    expect(file(row, "Bounds\n x < 4\n y => 1\n")).toEqual([]);
  });

  test("a constant in front of terms, 0 too, and an infinite left side", () => {
    expect(file(" c1: 0 + y >= 2\n c2: x >= 1")).toEqual(["constant-on-left"]);
    expect(file(" c1: y + 0 >= 2\n c2: x >= 1")).toEqual([]);
    expect(file(row, "", "0 + x + y")).toEqual(["constant-in-objective"]);
    expect(file(row, "", "x + y + 0")).toEqual([]);
    expect(file(`${row}\n c2: -inf <= x`)).toEqual(["infinite-side"]);
    expect(file(`${row}\n c2: x >= -inf`)).toEqual([]);
  });

  test("costs that are infinite to HiGHS", () => {
    expect(file(row, "", "1e20 x + y")).toEqual(["infinite-cost"]);
    expect(file(row, "", "1e19 x + y")).toEqual([]);
    expect(file(" c1: 1e20 x + y >= 2")).toEqual([]);
  });
});

describe("of an MPS file likewise", () => {
  const MARKED = `    X         COST      1             R1        1
    M1        'MARKER'                 'INTORG'
    Y         COST      2             R1        1
    M2        'MARKER'                 'INTEND'
    Z         COST      -1            R1        1
`;
  const file = ({
    columns = MARKED,
    rhs = "    RHS       R1        4\n",
    bounds = " UP BND       Y         9\n",
    head = "RHS",
  }) => `NAME          T\nROWS\n N  COST\n L  R1\nCOLUMNS\n${columns}${head}\n${rhs}BOUNDS\n${bounds}ENDATA\n`;
  const codes = (parts: Parameters<typeof file>[0]) => codesOf(file(parts), "a.mps");

  test("an upper bound of an integer column in front of its lower one", () => {
    const bounds = (...lines: readonly string[]) => ({ bounds: lines.map((line) => ` ${line}\n`).join("") });
    for (const lower of ["LO BND       Y         -1", "LI BND       Y         0", "MI BND       Y"]) {
      for (const upper of ["UP BND       Y         1", "UI BND       Y         0"]) {
        expect(codes(bounds(upper, lower))).toEqual(["upper-then-lower"]);
        expect(codes(bounds(lower, upper))).toEqual([]);
      }
    }
    // Above 1 SCIP keeps it too, and of columns without a marker.
    expect(codes(bounds("UP BND       Y         2", "LO BND       Y         -1"))).toEqual([]);
    expect(codes(bounds("UP BND       X         1", "LO BND       X         -1", "UP BND       Y         9"))).toEqual(
      [],
    );
  });

  test("a column over a marker, a comment behind a header, tabs, a late name and costs", () => {
    expect(codes({})).toEqual([]);
    const columns = MARKED.replace("    Z  ", "    Y  ").replace("COST      -1            R1        1", "R2        1");
    const twoRows = file({ columns }).replace(" L  R1\n", " L  R1\n G  R2\n");
    expect(codesOf(twoRows, "a.mps")).toEqual(["column-over-marker"]);
    expect(codes({ head: "RHS * right-hand sides" })).toEqual(["header-comment"]);
    expect(codes({ rhs: "\tRHS\tR1\t4\n" })).toEqual(["tab-first"]);
    expect(codes({ rhs: "    RHS\tR1\t4\n" })).toEqual([]);
    const late = file({}).replace("NAME          T\n", "").replace("RHS\n", "NAME          T\nRHS\n");
    expect(codesOf(late, "a.mps")).toEqual(["name-late"]);
    expect(codes({ columns: MARKED.replace("COST      1 ", "COST      1e20") })).toEqual(["infinite-cost"]);
  });
});
