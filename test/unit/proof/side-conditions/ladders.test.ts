import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { explicitProgram } from "../../../../src/program/ladder/explicit.js";
import { type Chain, type Ladder, type LadderForm, makeChain } from "../../../../src/program/ladder/ladder.js";
import { ProgramError } from "../../../../src/program/program.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { tryEveryInteger } from "../../../fuzz/oracle/every-integer.js";
import { certificateOf, refusalOf } from "./false-proof.js";

const q = (value: number) => Rational.fromNumber(value);

/** Coefficients of units in the tiers p and q, fixed and by heat, and of the auxiliary column. */
function form(p: readonly [number, number], second: readonly [number, number], auxiliary = 0): LadderForm {
  const term = ([fixed, perRate]: readonly [number, number]) => ({ fixed: q(fixed), perRate: q(perRate) });
  return { terms: [[term(p), term(second)]], auxiliaries: [q(auxiliary)] };
}

/** One rail of two tiers beside a column d of 0 … 1. */
function ladder(
  parts: Partial<Pick<Ladder, "rows" | "auxiliaries">> & { chain?: Chain; objective: LadderForm },
): Ladder {
  return {
    name: "small",
    tiers: ["p", "q"],
    chains: [parts.chain ?? makeChain(Float64Array.of(3), [1n])],
    rateDenominator: 1n,
    auxiliaries: parts.auxiliaries ?? [{ name: "d", lower: q(0), upper: q(1), integer: true }],
    rows: parts.rows ?? [],
    objective: { name: "cost", form: parts.objective },
  };
}

describe("a false claim about a ladder is refused where not", () => {
  test.each([
    {
      condition: "a multiplier prices the upper side",
      program: ladder({
        objective: form([1, 0], [0, 0]),
        rows: [{ name: "r", form: form([1, 0], [0, 0]), upper: q(3) }],
      }),
      claim: "3",
      steps: [{ bound: { r: "1" } }],
      says: "multiplier 1 prices a side that the row",
    },
    {
      condition: "a cutoff is not below the claim",
      program: ladder({
        objective: form([2, 0], [0, 0]),
        rows: [{ name: "r", form: form([0, 0], [1, 0]), upper: q(0) }],
      }),
      claim: "7",
      steps: [{ fix: {}, cutoff: "1" }, { bound: {} }],
      says: "a cutoff of 1 is below the claim",
    },
    {
      condition: "an auxiliary with a cost has a bound",
      program: ladder({
        objective: form([0, 0], [0, 0], 1),
        rows: [{ name: "r", form: form([0, 0], [0, 0], -1), upper: q(3) }],
        auxiliaries: [{ name: "d", lower: null, upper: null, integer: true }],
      }),
      claim: "0",
      steps: [{ bound: {} }],
      says: "the multipliers leave a free column with a cost",
    },
    {
      condition: "a branching is on an integer",
      program: ladder({
        objective: form([0, 0], [0, 0]),
        rows: [
          { name: "r", form: form([0, 0], [0, 0], 2), upper: q(1) },
          { name: "s", form: form([0, 0], [0, 0], -2), upper: q(-1) },
        ],
        auxiliaries: [{ name: "d", lower: q(0), upper: q(1), integer: false }],
      }),
      claim: null,
      steps: [{ branch: "d", at: "0" }, { infeasible: { s: "-1" } }, { infeasible: { r: "-1" } }],
      says: 'column "d" is not an integer',
    },
    {
      condition: "a branching is at an integer",
      program: ladder({
        objective: form([0, 0], [0, 0]),
        rows: [{ name: "s", form: form([0, 0], [0, 0], -1), upper: q(-1) }],
      }),
      claim: null,
      steps: [{ branch: "d", at: "1/2" }, { infeasible: { s: "-1" } }, { infeasible: {} }],
      says: "a branching needs an integer, 1/2 is there",
    },
    {
      condition: "infeasibility has no cutoff to fix by",
      program: ladder({ objective: form([1, 0], [0, 0]) }),
      claim: null,
      steps: [{ fix: {} }, { infeasible: {} }],
      says: "a proof of infeasibility has no cutoff to fix by",
    },
    {
      condition: "a multiplier of a form that comes to nothing is no proof of infeasibility",
      program: ladder({ objective: form([1, 0], [0, 0]) }),
      claim: null,
      steps: [{ infeasible: {} }],
      says: "the multipliers do not show that the node is infeasible",
    },
  ])("$condition", ({ program, claim, steps, says }) => {
    const written = explicitProgram(program);
    const box = written.columns
      .filter(({ integer }) => integer)
      .map(({ lower, upper }) => [lower?.ceil() ?? -9n, upper?.floor() ?? 9n] as const);
    const truth = tryEveryInteger(written, box);
    expect(truth.status).toBe("optimal");
    if (truth.status === "optimal" && claim !== null) {
      expect(truth.value.compare(Rational.parse(claim))).toBeLessThan(0);
    }
    expect(refusalOf(program, certificateOf(program, claim, steps))).toContain(says);
  });
});

describe("a ladder is looked at before anything is proved of it", () => {
  const good = makeChain(Float64Array.of(1, 1), [2n, 1n]);
  const objective = form([0, -1], [-2, 0]);
  const negative: Chain = { ...good, rates: [1n, -1n], rateBefore: [0n, 1n, 0n] };
  const rising: Chain = {
    units: Float64Array.of(1, 1, 1),
    rates: [1n, 5n, 1n],
    unitsBefore: Float64Array.of(0, 1, 2, 3),
    rateBefore: [0n, 1n, 6n, 7n],
  };
  const many: Chain = {
    units: Float64Array.of(2 ** 53 - 1, 2),
    rates: [2n, 1n],
    unitsBefore: Float64Array.of(0, 2 ** 53 - 1, 2 ** 53 + 1),
    rateBefore: [0n, 2n ** 54n - 2n, 2n ** 54n],
  };
  const empty = { ...good, unitsBefore: Float64Array.of(0, 5, 10) };
  const twice: readonly unknown[] = [{ propagate: {} }, { infeasible: {} }];
  test.each([
    {
      condition: "heats are not negative",
      broken: ladder({
        objective,
        chain: negative,
        rows: [{ name: "r", form: form([0, 1], [0, 0]), upper: q(-1) }],
      }),
      claim: null,
      steps: [{ branch: "d", at: "0" }, ...twice, { branch: "d", at: "1" }, ...twice, { infeasible: {} }],
      says: "heats do not fall, or below zero",
    },
    {
      condition: "heats fall",
      broken: ladder({ objective, chain: rising }),
      claim: "-6",
      steps: [{ bound: {} }],
      says: "heats do not fall, or below zero",
    },
    {
      condition: "units are counted without rounding",
      broken: ladder({ objective: form([-1, 0], [0, 0]), chain: many }),
      claim: (-(2n ** 53n)).toString(),
      steps: [{ bound: {} }],
      says: "a rail's running sums are not those of its rungs",
    },
    {
      condition: "running sums are those of the rungs",
      broken: ladder({ objective: form([1, 0], [1, 0]), chain: empty }),
      claim: "10",
      steps: [{ bound: {} }],
      says: "a rail's running sums are not those of its rungs",
    },
    {
      condition: "a rung has units",
      broken: ladder({ objective, chain: { ...good, units: Float64Array.of(1, 0) } }),
      claim: "10",
      steps: [{ bound: {} }],
      says: "a rung has no positive count of units",
    },
    {
      condition: "a rung has a heat",
      broken: ladder({ objective, chain: { ...good, rates: [2n, 1n, 0n] } }),
      claim: "10",
      steps: [{ bound: {} }],
      says: "not every rung has a heat",
    },
    {
      condition: "heats are over a positive number",
      broken: { ...ladder({ objective }), rateDenominator: -1n },
      claim: "10",
      steps: [{ bound: {} }],
      says: "heats have no positive denominator",
    },
    {
      condition: "a form has a term for every rail and tier",
      broken: ladder({ objective: { ...objective, terms: [] } }),
      claim: "10",
      steps: [{ bound: {} }],
      says: "a form has not one term for each rail and tier",
    },
  ])("$condition", ({ broken, claim, steps, says }) => {
    const check = () => checkCertificate(broken, certificateOf(broken, claim, steps));
    expect(check).toThrow(ProgramError);
    expect(check).toThrow(says);
  });
});
