import { describe, expect, it } from "vitest";
import type { Claim } from "../../../src/solvers/claim.js";
import { ContradictoryClaim, validateClaim } from "../../../src/solvers/validate.js";
import { written } from "../../conformance/written-program.js";

const program = written({
  maximize: "3x + 5y + 1",
  rows: ["x <= 4", "2y <= 12", "3x + 2y <= 18"],
  columns: { x: ["0", null], y: ["0", null] },
});
const honest: Claim = {
  solver: "s",
  status: "optimal",
  point: Float64Array.of(2, 6),
  rowDuals: Float64Array.of(0, 1.5, 1),
  reducedCosts: Float64Array.of(0, 0),
  primalBound: 37,
  dualBound: 37,
  seconds: 0,
};
const integer = written({ minimize: "x", rows: ["x >= 1/2"], columns: { x: ["0", "9"] }, integers: ["x"] });
const integerClaim: Claim = {
  solver: "s",
  status: "optimal",
  point: Float64Array.of(1),
  primalBound: 1,
  dualBound: 1,
  seconds: 0,
};

describe("validateClaim", () => {
  it("returns an honest claim unchanged", () => {
    expect(validateClaim(program, honest)).toBe(honest);
    expect(validateClaim(integer, integerClaim)).toBe(integerClaim);
  });

  it("grants tolerances: a point off by 1e-7, an objective off in the last digits", () => {
    const claim = { ...honest, point: Float64Array.of(2.0000001, 6), primalBound: 37.000000001 };
    expect(validateClaim(program, claim)).toBe(claim);
  });

  it.each<[string, Partial<Claim>, RegExp]>([
    ["a point that breaks a row", { point: Float64Array.of(3, 6), primalBound: 40 }, /row "row2" comes to 21/],
    ["a point below a bound", { point: Float64Array.of(-1, 6), primalBound: 28 }, /"x" is -1, outside/],
    ["NaN in the point", { point: Float64Array.of(Number.NaN, 6) }, /value 0 of the point is NaN/],
    ["an infinite value", { point: Float64Array.of(2, Number.POSITIVE_INFINITY) }, /value 1 of the point is Infinity/],
    ["a point too short", { point: Float64Array.of(2) }, /the point should have 2 values, there are 1/],
    ["row duals too long", { rowDuals: new Float64Array(4) }, /the row duals should have 3 values/],
    ["reduced costs too short", { reducedCosts: new Float64Array(1) }, /the reduced costs should have 2/],
    ["NaN as a bound", { dualBound: Number.NaN }, /dual bound is not a number/],
    ["an objective that is not the point's", { primalBound: 36, dualBound: 36 }, /reports the objective 36.*has 37/],
    ["a bound that excludes its own solution", { dualBound: 36.9 }, /bound 36.9 excludes its own solution of 37/],
    ["a point with infeasible", { status: "infeasible" }, /infeasible, yet there is a point/],
    ["duals that do not give the reduced costs", { rowDuals: Float64Array.of(0, 1, 1) }, /reduced cost of "y" is 0/],
    [
      "a row dual of the wrong sign",
      { rowDuals: Float64Array.of(-1, 1.5, 1), reducedCosts: Float64Array.of(1, 0) },
      /"x" has the reduced cost 1 but no upper bound|row "row0" has the dual -1 but no lower bound/,
    ],
    [
      "a reduced cost of the wrong sign",
      { rowDuals: Float64Array.of(0, 0, 1), reducedCosts: Float64Array.of(0, 3) },
      /"y" has the reduced cost 3 but no upper bound/,
    ],
  ])("refuses %s", (_, change, message) => {
    const refusal = expect(() => validateClaim(program, { ...honest, ...change }));
    refusal.toThrow(ContradictoryClaim);
    refusal.toThrow(message);
  });

  it.each(["optimal", "feasible"] as const)("refuses %s without a point", (status) => {
    expect(() => validateClaim(program, { solver: "s", status, seconds: 0 })).toThrow(/yet there is no point/);
  });

  it("accepts claims that say little", () => {
    for (const status of ["infeasible", "unbounded", "infeasible-or-unbounded", "unknown"] as const) {
      expect(validateClaim(program, { solver: "s", status, seconds: 0 }).status).toBe(status);
    }
  });

  it("refuses duals of a mixed-integer program, and takes them of its relaxation", () => {
    const claim: Claim = {
      ...integerClaim,
      point: Float64Array.of(0.5),
      primalBound: 0.5,
      dualBound: 0.5,
      rowDuals: Float64Array.of(1),
      reducedCosts: Float64Array.of(0),
    };
    expect(validateClaim(integer, claim, { relaxation: true })).toBe(claim);
    const whole = { ...claim, point: Float64Array.of(1), primalBound: 1, dualBound: 1 };
    expect(() => validateClaim(integer, whole)).toThrow(/duals for a mixed-integer program/);
  });

  it("refuses a fraction where an integer must be, and half a pair of duals", () => {
    const fraction = { ...integerClaim, point: Float64Array.of(1.5), primalBound: 1.5, dualBound: 1 };
    expect(() => validateClaim(integer, fraction)).toThrow(/"x" must be an integer and is 1.5/);
    const { reducedCosts: _, ...half } = honest;
    expect(() => validateClaim(program, half)).toThrow(/come together/);
  });

  it("judges by the size of the row: one byte of 4e10 is tolerance, 1 % is not", () => {
    const bytes = written({ maximize: "x", rows: ["4e10 x <= 4e10"], columns: { x: ["0", "2"] } });
    const at = (x: number): Claim => ({ solver: "s", status: "feasible", point: Float64Array.of(x), seconds: 0 });
    expect(validateClaim(bytes, at(1 + 2.5e-11)).status).toBe("feasible");
    expect(() => validateClaim(bytes, at(1.01))).toThrow(ContradictoryClaim);
    const tiny = written({ maximize: "x", rows: ["1e-9 x <= 1e-9"], columns: { x: ["0", "2"] } });
    expect(() => validateClaim(tiny, at(1.01))).toThrow(ContradictoryClaim);
  });

  it("judges a dual whose terms are all rounding by the solver's tolerance, where it is told that", () => {
    // y is in a row without a price, and has no cost: nothing but rounding makes its reduced cost.
    const free = written({
      minimize: "x",
      rows: ["x >= 1", "x + y >= 1"],
      columns: { x: ["0", null], y: ["0", null] },
    });
    const claim = (y: number): Claim => ({
      solver: "s",
      status: "optimal",
      point: Float64Array.of(1, 0),
      primalBound: 1,
      dualBound: 1,
      rowDuals: Float64Array.of(1 - y, y),
      reducedCosts: Float64Array.of(0, -y),
      seconds: 0,
    });
    const tolerances = { columns: Float64Array.of(1e-6, 1e-6), rows: Float64Array.of(1e-6, 1e-6) };
    expect(() => validateClaim(free, claim(3.9e-16))).toThrow(/"y" has the reduced cost -3.9e-16 but no upper bound/);
    expect(validateClaim(free, claim(3.9e-16), {}, tolerances).status).toBe("optimal");
    expect(() => validateClaim(free, claim(1e-3), {}, tolerances)).toThrow(/"y" has the reduced cost -0.001/);
    expect(() => validateClaim(free, claim(-1e-3), {}, tolerances)).toThrow(/row "row1" has the dual -0.001/);
    expect(validateClaim(free, claim(-1e-9), {}, tolerances).status).toBe("optimal");
  });

  it("takes bounds in the program's sense: a minimisation is bounded from below", () => {
    expect(() => validateClaim(integer, { ...integerClaim, dualBound: 1.1 })).toThrow(/excludes/);
    expect(validateClaim(integer, { ...integerClaim, dualBound: 0.9 }).dualBound).toBe(0.9);
    expect(validateClaim(program, { ...honest, dualBound: 40 }).dualBound).toBe(40);
  });
});
