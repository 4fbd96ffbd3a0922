import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readLp } from "../../../src/program/lp/read.js";
import { linearForm, makeProgram } from "../../../src/program/program.js";
import type { Claim } from "../../../src/proof/certificate.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { writeVipr } from "../../../src/vipr/write.js";
import {
  certify,
  column,
  expectSameProblem,
  form,
  fraction,
  integer,
  minimise,
  type Solved,
  solve,
} from "./written-proofs.js";

describe("a continuous column that is whole at some optimum", () => {
  // z ≥ 2x and z ≥ 3 − 2x: 3/2 without integers, 2 with x whole, which the checker takes z to be as well.
  const program = minimise(
    [0, 1],
    [column("x", 0, 9, true), column("z", 0, null, false)],
    [
      { name: "a", terms: [-2, 1], lower: integer(0) },
      { name: "b", terms: [2, 1], lower: integer(3) },
    ],
  );
  const half: Claim = { kind: "bound", bound: "2" };
  const certificate = certify(program, half, [{ bound: { a: "1/2", b: "1/2" } }]);

  test("stays continuous in the file, whose lines round its rows", () => {
    const text = writeVipr(program, certificate, [1, 2].map(integer));
    expect(text).toMatch(/^VER 1\.1\n[\s\S]*\nINT 1\n0\nOBJ/);
    const { claim, file } = checkVipr(text);
    expect(claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
    expectSameProblem(file.program, program);
  });

  test("a point that is not whole there is a solution of the file like any other", () => {
    const text = writeVipr(program, certificate, [integer(1), fraction("5/2")]);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: fraction("5/2") });
  });
});

describe("what a single row or the objective settles", () => {
  test.each([
    { name: "an empty equation", text: "Minimize\n x\nSubject To\n r: x - x = 3\nEnd\n" },
    { name: "an empty range", text: "Minimize\n x\nSubject To\n r: 1 <= 0 x <= 3\nEnd\n" },
    {
      name: "a row of one value over two whole groups",
      text: "Minimize\n x0\nSubject To\n a: x0 + x1 = 1\n b: x2 + x3 = 1\n c: 9 x0 + 9 x1 + 2 x2 + 2 x3 <= 10\nBinaries\n x0 x1 x2 x3\nEnd\n",
    },
  ])("$name is infeasible in one line", async ({ text }) => {
    const program = readLp(text, "a.lp");
    const { certificate, point } = (await solve(program)) as Solved;
    const written = writeVipr(program, certificate, point);
    expect(checkVipr(written).claim).toEqual({ kind: "infeasible" });
    expect(written).toMatch(/\nDER 1\n/);
  });

  test("an objective of one value left, below its own bound", async () => {
    const program = readLp(readFileSync("instances/hostile/programs/settled-objective.lp", "utf8"), "a.lp");
    const { certificate, point } = (await solveExactly(program)) as Solved;
    expect(checkVipr(writeVipr(program, certificate, point)).claim.kind).toBe("range");
  });

  test("a mixed program whose objective has one value left, which reaches the claim where its bound does not", async () => {
    const program = makeProgram({
      columns: [
        column("x0", -1, 2, true),
        column("x1", -2, 3, true),
        column("x2", -1, 1, true),
        { ...column("x3", -3, 0, false), upper: fraction("1/3") },
      ],
      rows: [
        {
          name: "r0",
          form: linearForm([
            [0, integer(-2)],
            [1, integer(-4)],
            [2, integer(2)],
            [3, fraction("-1/2")],
          ]),
          lower: integer(3),
          upper: integer(5),
        },
        { name: "r1", form: form([1]), lower: integer(-2), upper: null },
        { name: "r2", form: form([0, 0, 1, 2]), lower: fraction("1/3"), upper: fraction("8/3") },
      ],
      objective: { form: form([-8, -1, 1]), constant: fraction("97/3") },
    });
    const { certificate, point } = (await solve(program)) as Solved;
    const [value, constant] = [fraction("55/3"), fraction("97/3")];
    const bound = value.subtract(constant);
    expect(checkVipr(writeVipr(program, certificate, point)).claim).toEqual({
      kind: "range",
      lower: bound,
      upper: bound,
    });
  });
});
