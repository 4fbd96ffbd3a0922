import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { readLp } from "../../../src/program/lp/read.js";
import { makeProgram } from "../../../src/program/program.js";
import type { Certificate, Step } from "../../../src/proof/certificate.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { writeVipr } from "../../../src/vipr/write.js";
import { certify, column, form, fraction, integer, minimise, rulesOf } from "./written-proofs.js";

describe("steps that need the target", () => {
  test("a continuous column fixed by reduced costs carries the objective", () => {
    // x = 1 leaves y ≤ 1 and y ≥ 3.5. Below 4 the first row leaves y ≤ 3, and the second then 2x ≥ 2.5: 4, as x is whole.
    const program = minimise(
      [2, 0],
      [column("x", 0, 10, true), column("y", 0, 10, false)],
      [
        { name: "a", terms: [2, -1], lower: integer(1) },
        { name: "b", terms: [2, 1], lower: Rational.parse("11/2") },
      ],
    );
    const steps: Step[] = [{ fix: { a: "1" } }, { bound: { b: "1" } }];
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "4" }, steps), null);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(4), upper: null });
    expect(rulesOf(text)).toEqual(expect.arrayContaining(["asm", "uns"]));
  });

  test("a row is rounded after a continuous column met its bound by way of the target", () => {
    // Below 2, z ≤ 1; so y ≥ 3, which is y = 3; so 2x ≥ 1, rounded 2x ≥ 2.
    const program = minimise(
      [2, 0, 0],
      [column("x", 0, 10, true), column("y", null, 3, false), column("z", 0, 10, false)],
      [
        { name: "a", terms: [2, 0, -1], lower: integer(1) },
        { name: "b", terms: [0, 1, 2], lower: integer(5) },
        { name: "c", terms: [2, -1, 0], lower: integer(-2) },
      ],
    );
    const steps: Step[] = [{ fix: { a: "1" } }, { propagate: {} }, { bound: { c: "1" } }];
    const point = [1, 3, 1].map(integer);
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "2" }, steps), point);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
    expect(rulesOf(text)).toEqual(expect.arrayContaining(["asm", "uns"]));
  });

  test("an integer is fixed with equality of bound and target excluded", () => {
    // Every point with x ≥ 1 costs exactly the target: the fixing to x = 0 cannot be derived from "objective ≤ target".
    const program = minimise(
      [2, 2],
      [column("x", 0, 5, true), column("y", 0, 5, true)],
      [{ name: "a", terms: [1, 3], lower: integer(2) }],
    );
    const steps: Step[] = [{ fix: { a: "2/3" } }, { bound: { a: "2/3" } }];
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "2" }, steps), [0, 1].map(integer));
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
  });
});

test("a certificate in another basis of the lattice branches on forms of the program's own columns", () => {
  const program = makeProgram({
    columns: [
      column("x", 0, 5, true),
      column("w", 0, 5, true),
      { ...column("z", 0, 0, false), upper: fraction("1/10") },
    ],
    rows: [{ name: "a", form: form([1, -1, 1]), lower: fraction("2/5"), upper: fraction("3/5") }],
  });
  // y_0 = x − w, y_1 = w. Neither y_0 ≤ 0 nor y_0 ≥ 1 leaves z in its bounds.
  const certificate: Certificate = {
    ...certify(program, { kind: "infeasible" }, [
      { branch: "y_0", at: "0" },
      { infeasible: { a: "1" } },
      { infeasible: { a: "-1" } },
    ]),
    lattice: {
      matrix: [
        ["1", "1"],
        ["0", "1"],
      ],
      inverse: [
        ["1", "-1"],
        ["0", "1"],
      ],
    },
  };
  const text = writeVipr(program, certificate, null);
  expect(checkVipr(text).claim).toEqual({ kind: "infeasible" });
  expect(text).toMatch(/ L 0 2 0 1 1 -1 \{ asm \}/);
  expect(text).toMatch(/ G 1 2 0 1 1 -1 \{ asm \}/);
});

test("a row of one value left, over a whole group, is said by the group", async () => {
  const program = readLp(
    `Minimize
 obj: 2 x0 + 3 x1 + 2 x2 + 0 x3 + 6 x4 - 2 x5
Subject To
 r0: x0 + x3 + x5 = 2
 r1: x1 + x2 + x4 = 2
 r2: 2 x0 + x1 + x2 + 2 x3 + 4 x4 >= 7
 r3: - 2 x0 + x1 + x2 + 4 x3 + 5 x4 + 2 x5 <= 3
Bounds
 x0 <= 2
 x1 <= 2
 x2 <= 2
 x4 <= 2
 x5 <= 2
Generals
 x0 x1 x2 x4 x5
Binaries
 x3
End
`,
    "a.lp",
  );
  // Where x0 = 2 and x4 = 1, r2 asks for x1 + x2 ≥ −1; r1 leaves 1 for them, which is then r2's side as well.
  const steps: Step[] = [
    { propagate: {} },
    { branch: "x0", at: "1" },
    { propagate: {} },
    { infeasible: {} },
    { propagate: {} },
    { branch: "x4", at: "0" },
    { propagate: {} },
    { infeasible: {} },
    { propagate: {} },
    { bound: { r0: "-8/3", r1: "2/3", r2: "4/3" } },
  ];
  const certificate = certify(program, { kind: "bound", bound: "12" }, steps);
  const claim = { kind: "range", lower: integer(12), upper: null };
  expect(checkVipr(writeVipr(program, certificate, null)).claim).toEqual(claim);
});
