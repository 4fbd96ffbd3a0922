import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { squaredDistances } from "../../../../../src/problems/tower-partition/methods/k-means/constrained-k-means.js";
import { type Transport, transport } from "../../../../../src/problems/tower-partition/methods/k-means/transport.js";
import { linearForm, makeProgram, type Program } from "../../../../../src/program/program.js";
import { openSolver } from "../../../../../src/solvers/solver.js";
import { randomPlane, sizesOf } from "./support.js";

const SHAPES = [
  { points: 60, groups: 5, least: 12, most: 12 },
  { points: 61, groups: 6, least: 10, most: 11 },
  { points: 80, groups: 8, least: 4, most: 20 },
  { points: 90, groups: 4, least: 1, most: 87 },
  { points: 150, groups: 10, least: 10, most: 30 },
] as const;

describe("the assignment step", () => {
  test("is worth what HiGHS's linear program is worth", async () => {
    const solver = await openSolver("highs");
    try {
      for (const [index, shape] of SHAPES.entries()) {
        for (const costs of costsOf(shape.points, shape.groups, index)) {
          const found = transport(costs, shape.groups, shape);
          const claim = await solver.solve(transportationProgram(costs, shape), { relaxation: true });
          expect(claim.status).toBe("optimal");
          expect(found.value).toBeCloseTo(claim.primalBound as number, 6);
          expectFeasible(found, costs, shape);
        }
      }
    } finally {
      await solver.close();
    }
  });

  test("has prices that no assignment can be below", () => {
    for (const [index, shape] of SHAPES.entries()) {
      for (const costs of costsOf(shape.points, shape.groups, 10 + index)) {
        const { value, duals: prices } = transport(costs, shape.groups, shape);
        expect(value - boundOf(costs, prices, shape)).toBeLessThan(1e-9 * (1 + value));
      }
    }
  });

  test("is the best of all assignments of few points", () => {
    const random = seededRandom(5);
    for (let round = 0; round < 60; round++) {
      const groups = 1 + random.integer(3);
      const points = groups + random.integer(5);
      const least = random.integer(Math.floor(points / groups) + 1);
      const most = Math.ceil(points / groups) + random.integer(3);
      // Quarters: ties, and sums without rounding.
      const costs = Float64Array.from({ length: points * groups }, () => random.integer(9) / 4);
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < groups ** points; code++) {
        const numbering = Array.from({ length: points }, (_, i) => Math.floor(code / groups ** i) % groups);
        if (!sizesOf(numbering, groups).every((size) => size >= least && size <= most)) continue;
        best = Math.min(best, costOf(costs, groups, numbering));
      }
      expect(transport(costs, groups, { least, most }).value).toBe(best);
    }
  });

  test("of 10,000 points in 64 groups is not beyond it", { timeout: 30_000 }, () => {
    const points = randomPlane(10_000, 1);
    const costs = squaredDistances(points, randomPlane(64, 2).coordinates);
    const shape = { points: 10_000, groups: 64, least: 156, most: 157 };
    const found = transport(costs, 64, shape);
    expectFeasible(found, costs, shape);
    expect(found.value - boundOf(costs, found.duals, shape)).toBeLessThan(1e-9 * found.value);
  });

  test.each([
    { least: 3, most: 8, groups: 3 },
    { least: 1, most: 2, groups: 3 },
    { least: 4, most: 3, groups: 2 },
  ])("refuses sizes that there are no groups of: $groups of $least to $most", ({ groups, ...window }) => {
    expect(() => transport(new Float64Array(8 * groups), groups, window)).toThrow(
      `8 points do not make ${groups} groups of ${window.least} to ${window.most}`,
    );
  });
});

interface Shape {
  readonly points: number;
  readonly groups: number;
  readonly least: number;
  readonly most: number;
}

/** Costs of K-means, costs that all want the same group, and costs without any shape. */
function costsOf(points: number, groups: number, seed: number): readonly Float64Array[] {
  const plane = randomPlane(points, seed);
  const near = squaredDistances(plane, randomPlane(groups, 100 + seed).coordinates);
  const random = seededRandom(seed);
  return [
    near,
    near.map((cost, at) => cost + (at % groups) * 2),
    Float64Array.from({ length: points * groups }, () => random.next()),
  ];
}

function costOf(costs: Float64Array, groups: number, numbering: ArrayLike<number>): number {
  return Array.from(numbering).reduce((sum, group, point) => sum + (costs[point * groups + group] as number), 0);
}

function expectFeasible(
  { labels: numbering, value }: Transport,
  costs: Float64Array,
  { groups, least, most }: Shape,
): void {
  expect(value).toBeCloseTo(costOf(costs, groups, numbering), 9);
  for (const size of sizesOf(numbering, groups)) {
    expect(size).toBeGreaterThanOrEqual(least);
    expect(size).toBeLessThanOrEqual(most);
  }
}

/** Σ_i min_g (cost − π_g) plus the least Σ_g π_g · size_g. */
function boundOf(costs: Float64Array, prices: Float64Array, { points, groups, least, most }: Shape): number {
  let bound = 0;
  for (let point = 0; point < points; point++) {
    bound += Math.min(...prices.map((price, group) => (costs[point * groups + group] as number) - price));
  }
  let left = points - groups * least;
  for (const price of prices.slice().sort()) {
    const more = Math.min(left, most - least);
    left -= more;
    bound += price * (least + more);
  }
  return bound;
}

function transportationProgram(costs: Float64Array, { points, groups, least, most }: Shape): Program {
  const at = (point: number, group: number) => point * groups + group;
  const one = Rational.one;
  const whole = (count: number) => Rational.of(BigInt(count));
  return makeProgram({
    columns: Array.from(costs, (_, column) => ({
      name: `x${column}`,
      lower: Rational.zero,
      upper: null,
      integer: false,
    })),
    rows: [
      ...Array.from({ length: points }, (_, point) => ({
        name: `point${point}`,
        form: linearForm(Array.from({ length: groups }, (_, group) => [at(point, group), one] as const)),
        lower: one,
        upper: one,
      })),
      ...Array.from({ length: groups }, (_, group) => ({
        name: `group${group}`,
        form: linearForm(Array.from({ length: points }, (_, point) => [at(point, group), one] as const)),
        lower: whole(least),
        upper: whole(most),
      })),
    ],
    objective: { form: linearForm(Array.from(costs, (cost, column) => [column, Rational.fromNumber(cost)] as const)) },
  });
}
