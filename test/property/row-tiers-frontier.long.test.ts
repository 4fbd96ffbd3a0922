import fc from "fast-check";
import { expect, test } from "vitest";
import { buildRowTiers, type RowTiersModel, withBudget } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import type { ConvexCurve } from "../../src/problems/row-tiers/frontier/convex-curve.js";
import { rowTiersFrontier } from "../../src/problems/row-tiers/frontier/frontier.js";
import { relaxedFrontier } from "../../src/problems/row-tiers/frontier/relaxed-frontier.js";
import { formValue } from "../../src/program/evaluate.js";
import { makeProgram, type Program } from "../../src/program/program.js";
import { viewOf } from "../../src/proof/kernel/view.js";
import { solveExactLinear } from "../../src/search/exact-simplex/solve.js";
import { bruteForce } from "../support/brute-force.js";
import { drawsOf } from "../support/draws.js";
import { randomCases } from "../support/random-instance.js";

const parameters = (all: number) => drawsOf(all, 21).parameters;

/** The optimum of the relaxation at a budget, by the exact simplex method on the program written out. */
function relaxedOptimum(model: RowTiersModel, bytes: number): Rational | null {
  const { program } = withBudget(model, bytes);
  const { view, box } = viewOf(continuous(program));
  const answer = solveExactLinear(view, box);
  if (answer?.kind !== "optimal") return null;
  return formValue(program.objective.form, answer.point);
}

/** Without integrality, from which a view would round the sides of rows. */
function continuous({ name, columns, rows, objective }: Program): Program {
  return makeProgram({ name, columns: columns.map((column) => ({ ...column, integer: false })), rows, objective });
}

/** Memories at and around the break-points, as doubles, so that they can be budgets. */
function memoriesOf(curve: ConvexCurve): readonly number[] {
  const points = Array.from({ length: curve.count }, (_, k) => curve.at(k).bytes.toNumberUp());
  const between = points.slice(1).map((bytes, k) => ((points[k] as number) * 2 + bytes) / 3);
  return [...points, ...between, (points.at(-1) as number) + 100];
}

test("the curve is the relaxation's optimum at every memory, convex, and starts at the least memory", () => {
  const seen = { sorted: 0, lines: 0 };
  fc.assert(
    fc.property(randomCases(20_000), ({ instance, access }) => {
      const model = buildRowTiers(instance, access);
      const frontier = relaxedFrontier(model);
      if (frontier === null) {
        expect(relaxedOptimum(model, 1e18)).toBeNull();
        return;
      }
      seen[frontier.method]++;
      const { curve, method, precision } = frontier;
      const below = curve.first.bytes.toNumberDown();
      if (Rational.fromNumber(below).compare(curve.first.bytes) < 0) expect(relaxedOptimum(model, below)).toBeNull();
      else expect(relaxedOptimum(model, below - Math.max(0.001, below * 2 ** -52))).toBeNull();
      for (const bytes of memoriesOf(curve)) {
        const value = curve.valueAt(Rational.fromNumber(bytes)) as Rational;
        const truth = relaxedOptimum(model, bytes) as Rational;
        if (method === "sorted") expect(value.toString()).toBe(truth.toString());
        else {
          const gap = truth.subtract(value);
          expect(gap.sign()).toBeGreaterThanOrEqual(0);
          expect(gap.compare(truth.multiply(Rational.fromNumber(precision)))).toBeLessThanOrEqual(0);
        }
      }
      for (let k = 2; k < curve.count; k++) expect(turn(curve, k)).toBeGreaterThan(0);
    }),
    parameters(120),
  );
  expect(seen.sorted).toBeGreaterThan(0);
  expect(seen.lines).toBeGreaterThan(0);
});

/** Above zero where the curve turns to the left at break-point k − 1. */
function turn(curve: ConvexCurve, k: number): number {
  const [a, b, c] = [curve.at(k - 2), curve.at(k - 1), curve.at(k)];
  const first = b.seconds.subtract(a.seconds).multiply(c.bytes.subtract(b.bytes));
  return c.seconds.subtract(b.seconds).multiply(b.bytes.subtract(a.bytes)).compare(first);
}

test("the points are what brute force finds, above the curve, and no greedy plan is below it", async () => {
  await fc.assert(
    fc.asyncProperty(randomCases(5_000), async ({ instance, access }) => {
      const report = await rowTiersFrontier(instance, { points: 4, gap: 0, exact: true });
      expect(report.check.below).toEqual([]);
      const own = bruteForce(instance, access);
      expect(report.isComplete).toBe(report.breakPoints.length > 0);
      expect(report.budget.isFeasible).toBe(own !== null);
      let before: Rational | null = null;
      for (const { exact, status, bytesPerGpu, isOwnBudget } of report.optimal) {
        const bytes = Rational.parse(exact.bytesPerGpu);
        const value = Rational.parse(exact.value);
        const budget = isOwnBudget ? instance.budget : ({ kind: "bytesPerGpu", bytes: bytesPerGpu } as const);
        const optimum = bruteForce({ ...instance, budget }, access);
        expect([status, exact.value]).toEqual(["proved", optimum?.seconds.toString()]);
        expect(heightOf(report.breakPoints, bytes).compare(value)).toBeLessThanOrEqual(0);
        if (before !== null) expect(value.compare(before)).toBeLessThanOrEqual(0);
        before = value;
      }
      // The last point is as good as any plan is.
      if (report.optimal.length > 0) {
        const free = bruteForce({ ...instance, budget: { kind: "bytesPerGpu", bytes: Number.MAX_VALUE } }, access);
        expect(before?.toString()).toBe(free?.seconds.toString());
      }
      for (const { points } of Object.values(report.greedyByMethod)) {
        points.forEach(({ value, gap }, k) => {
          if (value !== null) expect(value).toBeGreaterThanOrEqual(report.optimal[k]?.bound as number);
          if (gap !== null) expect(gap).toBeGreaterThanOrEqual(0);
        });
      }
    }),
    parameters(80),
  );
});

function heightOf(breakPoints: Awaited<ReturnType<typeof rowTiersFrontier>>["breakPoints"], bytes: Rational): Rational {
  const points = breakPoints.map(({ exact }) => ({
    bytes: Rational.parse(exact?.bytesPerGpu as string),
    seconds: Rational.parse(exact?.value as string),
  }));
  const after = points.findIndex((point) => point.bytes.compare(bytes) > 0);
  const [from, to] = [points.at(after === -1 ? -1 : after - 1), points[after]];
  if (from === undefined || after === 0) throw new Error("below the least memory");
  if (to === undefined) return from.seconds;
  const share = bytes.subtract(from.bytes).divide(to.bytes.subtract(from.bytes));
  return from.seconds.add(share.multiply(to.seconds.subtract(from.seconds)));
}
