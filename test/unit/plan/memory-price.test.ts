import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { priceOnPath } from "../../../src/plan/row-tiers/memory-price.js";
import type { Ladder } from "../../../src/program/ladder/ladder.js";
import type { Certificate, Step } from "../../../src/proof/certificate.js";

const column = (name: string) => ({ name, lower: Rational.zero, upper: Rational.of(9n), integer: true });
const none = { terms: [], auxiliaries: [Rational.zero, Rational.zero] };
const ladder: Ladder = {
  name: "two auxiliaries",
  tiers: [],
  rails: [],
  heatDenominator: 1n,
  auxiliaries: [column("x"), column("y")],
  rows: [{ name: "memory", form: none, upper: Rational.one }],
  objective: { name: "seconds", form: none },
};
const price = (steps: readonly Step[], point: readonly number[]) =>
  priceOnPath(
    { format: "shardproof-certificate 1", program: "", claim: { kind: "bound", bound: "0" }, steps } as Certificate,
    ladder,
    { counts: new Float64Array(0), auxiliaries: point.map((value) => Rational.fromNumber(value)) },
    "memory",
  ).toString();

test("the price is that of the leaf which holds the point", () => {
  const steps: Step[] = [
    { branch: "x", at: "3" },
    { branch: "y", at: "0" },
    { bound: { memory: "-1" } },
    { bound: { memory: "-2" } },
    { fix: { memory: "-3/2" } },
    { bound: { memory: "-4" } },
  ];
  expect(price(steps, [3, 0])).toBe("1");
  expect(price(steps, [3, 1])).toBe("2");
  expect(price(steps, [4, 0])).toBe("3/2");
});

test("a row that the multipliers do not price costs nothing", () => {
  expect(price([{ bound: {} }], [0, 0])).toBe("0");
});

test("an infeasible leaf beside the point is stepped over", () => {
  const steps: Step[] = [{ branch: "x", at: "3" }, { infeasible: { memory: "-1" } }, { bound: { memory: "-5" } }];
  expect(price(steps, [4, 0])).toBe("5");
});
