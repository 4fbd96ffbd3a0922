import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { drawsOf } from "../../support/draws.js";
import { seekBetter } from "./better-point.js";
import { drawFrom, programOf, ratio, type SketchRow } from "./draw.js";
import { tryEveryPoint } from "./every-point.js";
import { type Linear, solveLinear } from "./linear.js";
import { bestVertex } from "./vertices.js";

// The witnesses are witnesses only if they agree with one another.

function drawLinear(seed: number): Linear {
  const draw = drawFrom(seed);
  const n = draw.int(1, 3);
  const values = () => Array.from({ length: n }, () => ratio(draw.int(-4, 4), draw.of([1, 1, 2, 3])));
  return {
    costs: values(),
    lower: values().map((value) => (draw.oneIn(8) ? null : value.subtract(ratio(3)))),
    upper: values().map((value) => (draw.oneIn(8) ? null : value.add(ratio(3)))),
    rows: Array.from({ length: draw.int(0, 4) }, () => {
      const side = ratio(draw.int(-12, 12));
      const kind = draw.int(0, 3);
      const upper = kind === 2 ? side : side.add(ratio(draw.int(0, 3)));
      return { coefficients: values(), lower: kind === 0 ? null : side, upper: kind === 1 ? null : upper };
    }),
  };
}

test("the simplex finds the best vertex", () => {
  const seen = { optimal: 0, infeasible: 0, unbounded: 0 };
  const draws = drawsOf(1500, 0);
  for (const seed of draws.seeds) {
    const linear = drawLinear(seed);
    const answer = solveLinear(linear);
    seen[answer.status]++;
    const vertex = bestVertex(linear);
    if (answer.status === "infeasible") expect(vertex, `seed ${seed}`).toBeNull();
    // A vertex is a witness of the optimum only where the region is a polytope.
    if (linear.lower.includes(null) || linear.upper.includes(null)) continue;
    expect(answer.status, `seed ${seed}`).toBe(vertex === null ? "infeasible" : "optimal");
    if (answer.status === "optimal") expect(answer.value.toString(), `seed ${seed}`).toBe(vertex?.toString());
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(draws.atLeast(20));
});

describe("branch and bound", () => {
  test("agrees with trying every point", () => {
    const seen = { optimal: 0, infeasible: 0 };
    const draws = drawsOf(300, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const n = draw.int(1, 3);
      const program = programOf({
        columns: Array.from({ length: n }, () => [ratio(draw.int(-3, 0)), ratio(draw.int(0, 4)), true]),
        rows: Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
          const side = ratio(draw.int(-20, 20));
          return [
            Array.from({ length: n }, () => ratio(draw.int(-9, 9))),
            draw.oneIn(3) ? side : null,
            draw.oneIn(3) ? side.add(ratio(2)) : side,
          ];
        }),
        costs: Array.from({ length: n }, () => ratio(draw.int(-9, 9), draw.of([1, 2]))),
        maximise: draw.oneIn(2),
        constant: ratio(draw.int(-5, 5)),
      });
      const truth = tryEveryPoint(program);
      seen[truth.status]++;
      if (truth.status === "infeasible") {
        expect(seekBetter(program, null, 10_000), `seed ${seed}`).toBeNull();
        continue;
      }
      expect(seekBetter(program, truth.value, 10_000), `seed ${seed}`).toBeNull();
      const worse = truth.value.add(program.objective.sense === "minimize" ? Rational.one : Rational.one.negate());
      const found = seekBetter(program, worse, 10_000);
      if (found === null || found === "unknown") expect.fail(`seed ${seed}: nothing found`);
      else expect(evaluate(program, found).violations, `seed ${seed}`).toEqual([]);
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThanOrEqual(draws.atLeast(50));
  });
});
