import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { programOf, ratio, type SketchRow } from "../../fuzz/oracle/draw.js";

const values = (...numbers: readonly number[]) => numbers.map((number) => ratio(number));

/** max 5x + 4y, 6x + 4y ≤ 24, x + 2y ≤ 6: 21 at (3, 3/2), and 20 at (4, 0) over the integers. */
const knapsack = (integer: boolean) =>
  programOf({
    columns: [
      [ratio(0), ratio(19, 2), integer],
      [ratio(0), ratio(19, 2), integer],
    ],
    rows: [
      [values(6, 4), null, ratio(24)],
      [values(1, 2), null, ratio(6)],
    ],
    costs: values(5, 4),
    maximise: true,
  });

describe("solveExactly", () => {
  test.each([
    ["the linear program", knapsack(false), "21"],
    ["the integer program", knapsack(true), "20"],
  ])("%s: value, point, bound and certificate agree", async (_, program, value) => {
    const { verdict, certificate, point, contradictions } = await solveExactly(program);
    expect(verdict).toMatchObject({ status: "proved", gap: Rational.zero });
    expect([verdict?.value, verdict?.bound].map(String)).toEqual([value, value]);
    if (point === null || certificate === null) throw new Error("a point and a certificate were expected");
    expect(evaluate(program, point)).toMatchObject({ violations: [], objective: Rational.parse(value) });
    expect(checkCertificate(program, certificate).bound?.toString()).toBe(value);
    expect(contradictions).toEqual([]);
  });

  test("a program without a feasible point comes with a certificate of that", async () => {
    const odd: SketchRow = [values(2, 4, 6), ratio(7), ratio(7)];
    const program = programOf({
      columns: Array.from({ length: 3 }, () => [ratio(0), ratio(1_000_000), true] as const),
      rows: [odd],
      costs: values(1, 1, 1),
    });
    const { verdict, certificate, point } = await solveExactly(program);
    expect(verdict).toMatchObject({ status: "infeasible", value: null, bound: null });
    expect(certificate?.claim).toEqual({ kind: "infeasible" });
    expect(point).toBeNull();
  });

  test("of an unbounded program nothing is claimed", async () => {
    const program = programOf({ columns: [[ratio(0), null, true]], rows: [], costs: values(1), maximise: true });
    const { verdict, certificate } = await solveExactly(program, { timeLimitSeconds: 1 });
    expect(verdict).toBeNull();
    expect(certificate).toBeNull();
  });

  test("a gap that is asked for is kept, and said", async () => {
    const program = knapsack(true);
    const gap = Rational.of(1n, 10n);
    const { verdict } = await solveExactly(program, { gap });
    expect(verdict?.status).toBe("proved");
    expect(verdict?.gap?.compare(gap)).toBeLessThanOrEqual(0);
  });

  test("stopped at once, it claims no more than it can show", async () => {
    const { verdict, point, certificate } = await solveExactly(knapsack(true), { shouldStop: () => true });
    expect(verdict?.status).not.toBe("proved");
    if (certificate !== null && verdict === null) expect(point).toBeNull();
  });
});
