import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { priceOnPath } from "../../../src/plan/row-tiers/memory-price.js";
import { linearForm, makeProgram } from "../../../src/program/program.js";
import type { Certificate, Step } from "../../../src/proof/certificate.js";

const column = (name: string) => ({ name, lower: Rational.zero, upper: Rational.of(9n), integer: true });
const program = makeProgram({
  columns: [column("x"), column("y")],
  rows: [{ name: "memory", form: linearForm([[0, Rational.one]]), lower: null, upper: Rational.one }],
});
const price = (steps: readonly Step[], point: readonly number[]) =>
  priceOnPath(
    { format: "shardproof-certificate 1", program: "", claim: { kind: "bound", bound: "0" }, steps } as Certificate,
    program,
    point.map((value) => Rational.fromNumber(value)),
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
