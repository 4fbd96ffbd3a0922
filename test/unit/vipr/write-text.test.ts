import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { makeProgram } from "../../../src/program/program.js";
import type { Step } from "../../../src/proof/certificate.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { writeVipr } from "../../../src/vipr/write.js";
import { certify, column, form, integer, minimise, type Solved, solve } from "./written-proofs.js";

test("a program without constraints has a line of CON all the same, which viprchk asks for", async () => {
  const program = makeProgram({ columns: [column("x", null, null, false)], rows: [], objective: { form: form([]) } });
  const { certificate, point } = (await solve(program)) as Solved;
  const text = writeVipr(program, certificate, point);
  expect(text).toContain("\nCON 1 0\nnothing G 0 0\n");
  expect(checkVipr(text).claim).toEqual({ kind: "range", lower: Rational.zero, upper: Rational.zero });
});

test("no name of a constraint begins a comment", async () => {
  const program = minimise([1], [column("%x", 0, 9, true)], [{ name: "%r", terms: [1], lower: integer(3) }]);
  const { certificate, point } = (await solve(program)) as Solved;
  const text = writeVipr(program, certificate, point);
  expect(text).not.toMatch(/%/);
  expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(3), upper: integer(3) });
});

describe("the text", () => {
  const program = makeProgram({
    columns: [column("a b", 0, 3, true), column("a_b", null, 5, false)],
    rows: [
      { name: "D 1", form: form([2, 1]), lower: integer(-1), upper: Rational.parse("7/2") },
      { name: "D_1", form: form([1, -1]), lower: integer(0), upper: integer(0) },
    ],
    objective: { sense: "maximize", form: form([1, 1]), constant: integer(10) },
  });

  test("has the sections in order, distinct names without blanks, and no constant", async () => {
    const { certificate, point } = (await solveExactly(program)) as Solved;
    const lines = writeVipr(program, certificate, point).split("\n");
    expect(lines.slice(0, 20)).toEqual([
      "% the objective's constant 10 is left out",
      "VER 1.1",
      "VAR 2",
      "a_b",
      "a_b_1",
      "INT 1",
      "0",
      "OBJ max",
      "2 0 1 1 1",
      "CON 6 3",
      "a_b_lower G 0 1 0 1",
      "a_b_upper L 3 1 0 1",
      "a_b_upper_1 L 5 1 1 1",
      "D_1 G -1 2 0 2 1 1",
      "D_1_1 L 7/2 2 0 2 1 1",
      "D_1_2 E 0 2 0 1 1 -1",
      "RTP range 2 2",
      "SOL 1",
      "best 2 0 1 1 1",
      expect.stringMatching(/^DER \d+$/),
    ]);
    expect(lines.filter((line) => /^D_+\d+ [GL] .* \} -?\d+$/.test(line)).length).toBe(Number(lines[19]?.slice(4)));
  });

  test("is the same every time", async () => {
    const { certificate, point } = (await solveExactly(program)) as Solved;
    expect(writeVipr(program, certificate, point)).toBe(writeVipr(program, certificate, point));
  });

  test("leaves out what the last line does not rest on", () => {
    const small = minimise(
      [1, 1],
      [column("x", 0, 9, true), column("y", 0, 9, true)],
      [{ name: "a", terms: [1, 1], lower: integer(3) }],
    );
    const closed: Step[] = [{ bound: { a: "1" } }, { bound: { a: "1" } }];
    const steps: Step[] = [{ branch: "y", at: "4" }, ...closed];
    const text = writeVipr(small, certify(small, { kind: "bound", bound: "3" }, steps), null);
    expect(text.slice(text.indexOf("DER"))).toMatch(/^DER 1\nD5 G 3 OBJ \{ lin \d .* \} -1\n$/);
  });
});
