import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import type { Program } from "../../../src/program/program.js";
import type { Claim, Step } from "../../../src/proof/certificate.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { ViprUnsupportedError, writeVipr } from "../../../src/vipr/write.js";
import { certify, column, integer, minimise } from "./written-proofs.js";

/** Two knapsacks of three binaries each, linked by z: at least `asked` of the six are taken, and z is the larger load. */
function twoLoads(asked: number, isInteger = true): Program {
  const binaries = ["a0", "a1", "a2", "b0", "b1", "b2"].map((name) => column(name, 0, 1, isInteger));
  return minimise(
    [0, 0, 0, 0, 0, 0, 1],
    [...binaries, column("z", 0, 100, false)],
    [
      { name: "all", terms: [1, 1, 1, 1, 1, 1], lower: integer(asked) },
      { name: "load_a", terms: [-3, -5, -7, 0, 0, 0, 1], lower: integer(0) },
      { name: "load_b", terms: [0, 0, 0, -4, -5, -6, 1], lower: integer(0) },
    ],
  );
}

/** Each block takes at most one below the claim: two of it come to 8 or more. */
const parts = (least: string) => ({
  links: ["z"],
  blocks: ["load_a", "load_b"].map((row, proof) => ({ rows: [row], least, proof })),
  proofs: [[{ enumerate: [{}] }], [{ enumerate: [{}] }]] as Step[][],
});

function written(program: Program, claim: Claim, steps: readonly Step[]) {
  const text = writeVipr(program, certify(program, claim, steps), null);
  return { text, claim: checkVipr(text).claim };
}

describe("blocks of a node, by branching", () => {
  test("close it below the claim, whose limit the rows of blocks rest on", () => {
    const bound: Claim = { kind: "bound", bound: "15/2" };
    const step: Step = { decompose: { all: "1" }, purpose: "infeasible", ...parts("-1") };
    const { claim, text } = written(twoLoads(3), bound, [{ fix: {} }, step]);
    expect(claim).toMatchObject({ kind: "range", lower: Rational.of(15n, 2n) });
    // Loads below 15/2 are assumed, and so is that two of a block are taken.
    expect(text).toContain(" G -7 3 0 -3 1 -5 2 -7 { asm }");
    expect(text.match(/ uns /g)?.length).toBeGreaterThanOrEqual(4);
  });

  test("show that there is no point", () => {
    const program = minimise(
      [],
      [column("x", 0, 1, true), column("y", 0, 1, true), column("u", 0, 1, true), column("v", 0, 1, true)],
      [
        { name: "all", terms: [1, 1, 1, 1], lower: integer(3) },
        { name: "first", terms: [-2, -2, 0, 0], lower: integer(-3) },
        { name: "second", terms: [0, 0, -2, -2], lower: integer(-3) },
      ],
    );
    const blocks = ["first", "second"].map((row) => ({ rows: [row], least: "-1", proof: 0 }));
    const step: Step = {
      ...{ decompose: { all: "1" }, purpose: "infeasible", links: [], blocks },
      proofs: [[{ enumerate: [{}] }]],
    };
    expect(written(program, { kind: "infeasible" }, [step]).claim.kind).toBe("infeasible");
  });

  test("leave out what costs so much beside them", () => {
    // With the price 9 on the row, the sum is 9 · 3 − 2 · 9 = 9: beside it x has a reduced cost of 2.
    const program = minimise(
      [0, 0, 0, 0, 2, 9],
      [
        ...["a0", "a1", "b0", "b1"].map((name) => column(name, 0, 1, true)),
        column("x", 0, 5, true),
        column("y", 0, 5, true),
      ],
      [
        { name: "all", terms: [1, 1, 1, 1, 0, 1], lower: integer(3) },
        { name: "first", terms: [-2, -2], lower: integer(-3) },
        { name: "second", terms: [0, 0, -2, -2], lower: integer(-3) },
        { name: "more", terms: [0, 0, 0, 0, 1, 1], lower: integer(2) },
      ],
    );
    const blocks = ["first", "second"].map((row) => ({ rows: [row], least: "-9", proof: 0 }));
    const narrowed = { links: [], blocks, proofs: [[{ enumerate: [{}] }]] as Step[][] };
    // Below 11 x is 0, and then y is 2 at least.
    const steps: Step[] = [{ narrow: { all: "9" }, ...narrowed }, { bound: { more: "9" } }];
    const { claim } = written(program, { kind: "bound", bound: "11" }, steps);
    expect(claim).toMatchObject({ kind: "range", lower: Rational.of(11n) });
  });

  test("are the whole node where the checker goes through its points", () => {
    const columns = [column("x", 0, 4, true), column("y", 0, 4, true)];
    const equal = [
      { name: "least", terms: [3, 5], lower: integer(7) },
      { name: "most", terms: [-3, -5], lower: integer(-7) },
    ];
    const none = written(minimise([], columns, equal), { kind: "infeasible" }, [{ enumerate: [{}] }]);
    expect(none.claim.kind).toBe("infeasible");
    const steps: Step[] = [{ enumerate: [{}] }];
    const { claim } = written(minimise([5, 8], columns, equal.slice(0, 1)), { kind: "bound", bound: "13" }, steps);
    expect(claim).toMatchObject({ kind: "range", lower: Rational.of(13n) });
  });

  test("are refused where their columns are no integers", () => {
    const step: Step = {
      decompose: { all: "1" },
      purpose: "infeasible",
      ...parts("-3"),
      proofs: [[{ bound: {} }], [{ bound: {} }]],
    };
    const certificate = certify(twoLoads(7, false), { kind: "bound", bound: "1" }, [{ fix: {} }, step]);
    expect(() => writeVipr(twoLoads(7, false), certificate, null)).toThrow(ViprUnsupportedError);
  });
});
