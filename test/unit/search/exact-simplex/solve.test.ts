import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { evaluate } from "../../../../src/program/evaluate.js";
import type { Program } from "../../../../src/program/program.js";
import { isImprovingRay } from "../../../../src/program/ray.js";
import { lagrangianBound } from "../../../../src/proof/kernel/bound.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { SearchSpace } from "../../../../src/search/branch-and-bound/space.js";
import { solveRelaxation } from "../../../../src/search/exact-milp/lp-relaxation.js";
import { solveExactLinear } from "../../../../src/search/exact-simplex/solve.js";
import type { Place } from "../../../../src/solvers/highs-relaxation.js";
import { type Draw, drawFrom, programOf, ratio, type Sketch, type SketchRow } from "../../../fuzz/oracle/draw.js";
import { type Linear, solveLinear } from "../../../fuzz/oracle/linear.js";
import { bestVertex } from "../../../fuzz/oracle/vertices.js";
import { drawsOf } from "../../../support/draws.js";

/** A linear program: few different numbers, so that ties and degenerate vertices are the rule. */
function drawSketch(draw: Draw, unbounded: boolean): Sketch {
  const n = draw.int(1, 3);
  const values = () => Array.from({ length: n }, () => ratio(draw.int(-3, 3), draw.of([1, 1, 3])));
  const open = () => unbounded && draw.oneIn(3);
  return {
    // Fractional bounds keep every column continuous for the view.
    columns: Array.from({ length: n }, () => [
      open() ? null : ratio(2 * draw.int(-3, 0) - 1, 2),
      open() ? null : ratio(2 * draw.int(0, 3) + 1, 2),
      false,
    ]),
    rows: Array.from({ length: draw.int(0, 4) }, (): SketchRow => {
      const side = ratio(draw.int(-6, 6));
      const kind = draw.int(0, 3);
      return [values(), kind === 0 ? null : side, kind === 1 ? null : kind === 2 ? side : side.add(ratio(2))];
    }),
    costs: values(),
  };
}

function linearOf({ columns, rows, costs }: Sketch): Linear {
  return {
    costs,
    lower: columns.map(([lower]) => lower),
    upper: columns.map(([, upper]) => upper),
    rows: rows.map(([coefficients, lower, upper]) => ({ coefficients, lower, upper })),
  };
}

function solve(program: Program, near: Float64Array | null = null) {
  const { view, box } = viewOf(program);
  return { answer: solveExactLinear(view, box, near), view, box };
}

describe.each([
  ["boxes", false],
  ["missing bounds", true],
])("linear programs with %s", (_, unbounded) => {
  test("are solved to the witness's answer, with multipliers that prove it", () => {
    const seen = { optimal: 0, infeasible: 0, unbounded: 0 };
    const draws = drawsOf(1200, 0);
    for (const seed of draws.seeds) {
      const sketch = drawSketch(drawFrom(seed), unbounded);
      const program = programOf(sketch);
      const expected = solveLinear(linearOf(sketch));
      seen[expected.status]++;
      const { answer, view, box } = solve(program);
      expect(answer?.kind, `seed ${seed}`).toBe(expected.status);
      if (answer?.kind === "infeasible") {
        const { bound, infeasible } = lagrangianBound(view, box, answer.multipliers, "infeasibility");
        expect(infeasible || (bound !== null && bound.sign() > 0), `seed ${seed}: Farkas`).toBe(true);
      }
      if (answer?.kind === "unbounded") {
        expect(evaluate(program, answer.point).violations, `seed ${seed}`).toEqual([]);
        expect(isImprovingRay(program, answer.ray), `seed ${seed}: ray`).toBe(true);
      }
      if (answer?.kind !== "optimal" || expected.status !== "optimal") continue;
      const { objective, violations } = evaluate(program, answer.point);
      expect(violations, `seed ${seed}`).toEqual([]);
      expect(objective.toString(), `seed ${seed}`).toBe(expected.value.toString());
      expect(lagrangianBound(view, box, answer.multipliers).bound?.toString(), `seed ${seed}`).toBe(
        expected.value.toString(),
      );
      if (!unbounded) expect(bestVertex(linearOf(sketch))?.toString()).toBe(expected.value.toString());
    }
    expect(seen.optimal).toBeGreaterThanOrEqual(draws.atLeast(100));
    expect(seen.infeasible).toBeGreaterThanOrEqual(draws.atLeast(100));
    if (unbounded) expect(seen.unbounded).toBeGreaterThanOrEqual(draws.atLeast(50));
  });

  test("have the same optimum from any point near by or far away", () => {
    let compared = 0;
    const draws = drawsOf(400, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const program = programOf(drawSketch(draw, unbounded));
      const { answer } = solve(program);
      if (answer?.kind !== "optimal") continue;
      const value = evaluate(program, answer.point).objective.toString();
      const optimum = Float64Array.from(answer.point, (at) => at.toNumber());
      for (const near of [optimum, optimum.map((at) => at + 1e-9), optimum.map(() => draw.int(-4, 4) / 3)]) {
        const again = solve(program, near).answer;
        expect(again?.kind, `seed ${seed}`).toBe("optimal");
        if (again?.kind !== "optimal") continue;
        expect(evaluate(program, again.point).objective.toString(), `seed ${seed}`).toBe(value);
        expect(evaluate(program, again.point).violations, `seed ${seed}`).toEqual([]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(draws.atLeast(300));
  });
});

describe("from any basis", () => {
  const PLACES: readonly Place[] = ["basic", "lower", "upper", "zero"];

  test("the answer is the witness's, whatever columns and rows are said to be in it", () => {
    const seen = { optimal: 0, infeasible: 0, unbounded: 0 };
    const draws = drawsOf(1000, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const sketch = drawSketch(draw, draw.oneIn(2));
      const program = programOf(sketch);
      const { view, box } = viewOf(program);
      const places = Array.from({ length: view.columns.length + view.rows.size }, () => draw.of(PLACES));
      const answer = solveExactLinear(view, box, places);
      const expected = solveLinear(linearOf(sketch));
      expect(answer?.kind, `seed ${seed}`).toBe(expected.status);
      seen[expected.status]++;
      if (answer?.kind === "unbounded") expect(isImprovingRay(program, answer.ray), `seed ${seed}`).toBe(true);
      if (answer?.kind === "infeasible") {
        const { bound, infeasible } = lagrangianBound(view, box, answer.multipliers, "infeasibility");
        expect(infeasible || (bound !== null && bound.sign() > 0), `seed ${seed}`).toBe(true);
      }
      if (answer?.kind !== "optimal" || expected.status !== "optimal") continue;
      expect(evaluate(program, answer.point).objective.toString(), `seed ${seed}`).toBe(expected.value.toString());
      const { bound } = lagrangianBound(view, box, answer.multipliers);
      expect(bound?.toString(), `seed ${seed}`).toBe(expected.value.toString());
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(draws.atLeast(30));
  });

  test("transports, where most vertices are degenerate, from HiGHS's basis and from none", async () => {
    for (let seed = 0; seed < 4; seed++) {
      const draw = drawFrom(seed);
      const [from, to] = [draw.int(4, 8), draw.int(4, 8)];
      const at = (i: number, j: number) => i * to + j;
      const unit = (i: number, j: number, on: (i: number, j: number) => boolean) => ratio(on(i, j) ? 1 : 0);
      const whole = (on: (i: number, j: number) => boolean) =>
        Array.from({ length: from * to }, (_, k) => unit(Math.floor(k / to), k % to, on));
      const program = programOf({
        columns: Array.from({ length: from * to }, () => [Rational.zero, null, false] as const),
        rows: [
          ...Array.from({ length: from }, (_, s): SketchRow => [whole((i) => i === s), null, ratio(to, 3)]),
          ...Array.from({ length: to }, (_, t): SketchRow => [whole((_i, j) => j === t), ratio(from, 3), null]),
        ],
        costs: Array.from({ length: at(from, 0) }, () => ratio(draw.int(1, 9))),
      });
      const space = SearchSpace.of(program);
      const answers = [await solveRelaxation(program, space.box, () => false), solveExactLinear(space.view, space.box)];
      const values = answers.map((answer) => {
        if (answer?.kind !== "optimal") throw new Error(`seed ${seed}: ${answer?.kind}`);
        const { objective, violations } = evaluate(program, answer.point);
        expect(violations).toEqual([]);
        expect(lagrangianBound(space.view, space.box, answer.multipliers).bound?.equals(objective)).toBe(true);
        return objective.toString();
      });
      expect(values[0]).toBe(values[1]);
    }
  });
});

describe("small programs by hand", () => {
  test("Beale's example, on which the simplex without Bland's rule cycles: −1/20", () => {
    const program = programOf({
      columns: Array.from({ length: 4 }, () => [Rational.zero, null, false] as const),
      rows: [
        [[ratio(1, 4), ratio(-60), ratio(-1, 25), ratio(9)], null, ratio(0)],
        [[ratio(1, 2), ratio(-90), ratio(-1, 50), ratio(3)], null, ratio(0)],
        [[ratio(0), ratio(0), ratio(1), ratio(0)], null, ratio(1)],
      ],
      costs: [ratio(-3, 4), ratio(150), ratio(-1, 50), ratio(6)],
    });
    const { answer } = solve(program);
    expect(answer?.kind).toBe("optimal");
    if (answer?.kind === "optimal") expect(evaluate(program, answer.point).objective.toString()).toBe("-1/20");
  });

  test("a free column with a cost and no row is unbounded; without a cost it is solved", () => {
    const make = (cost: number) => programOf({ columns: [[null, null, false]], rows: [], costs: [ratio(cost)] });
    expect(solve(make(1)).answer?.kind).toBe("unbounded");
    expect(solve(make(0)).answer?.kind).toBe("optimal");
  });

  test("crossed bounds are infeasible", () => {
    const program = programOf({ columns: [[ratio(3, 2), ratio(1, 2), false]], rows: [], costs: [ratio(1)] });
    expect(solve(program).answer?.kind).toBe("infeasible");
  });

  test("stops when told to", () => {
    const program = programOf({
      columns: [[ratio(0), ratio(1, 2), false]],
      rows: [[[ratio(1)], ratio(1, 3), null]],
      costs: [ratio(1)],
    });
    const { view, box } = viewOf(program);
    expect(solveExactLinear(view, box, null, () => true)).toBeNull();
  });
});
