import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { lagrangianBound } from "../../../../src/proof/kernel/bound.js";
import { substituteFixed, viewOf } from "../../../../src/proof/kernel/view.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { drawMultipliers, drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

describe("any multipliers give a valid bound", () => {
  test("no feasible point of a box is below it", () => {
    const seen = { bound: 0, infeasible: 0, tight: 0 };
    for (let seed = 0; seed < 800; seed++) {
      const draw = drawFrom(seed);
      const program = drawProgram(draw);
      const { view, box } = viewOf(program);
      shrinkAtRandom(draw, box);
      const inside = feasiblePoints(program).filter(({ point }) => isIn(view, box, point));
      // Once as it stands, once with what is fixed substituted: the bound speaks of the same points.
      for (const at of [{ view, box }, substituteFixed(view, box)]) {
        const { bound, infeasible } = lagrangianBound(at.view, at.box, drawMultipliers(draw, at.view));
        if (infeasible) {
          seen.infeasible++;
          expect(inside, `seed ${seed}`).toEqual([]);
          continue;
        }
        seen.bound++;
        const least = inside.reduce<Rational | null>(
          (best, { cost }) => (best === null || cost.compare(best) < 0 ? cost : best),
          null,
        );
        if (least === null || bound === null) continue;
        expect(bound.compare(least), `seed ${seed}: ${bound} above ${least}`).toBeLessThanOrEqual(0);
        if (bound.equals(least)) seen.tight++;
      }
    }
    expect(Math.min(seen.bound, seen.infeasible, seen.tight)).toBeGreaterThan(30);
  });

  test("a positive bound without the objective means that nothing is feasible", () => {
    let shown = 0;
    for (let seed = 0; seed < 800; seed++) {
      const draw = drawFrom(seed);
      const program = drawProgram(draw);
      const { view, box } = viewOf(program);
      const { bound, infeasible } = lagrangianBound(view, box, drawMultipliers(draw, view), "infeasibility");
      if (!infeasible && (bound === null || bound.sign() <= 0)) continue;
      shown++;
      expect(feasiblePoints(program), `seed ${seed}`).toEqual([]);
    }
    expect(shown).toBeGreaterThan(30);
  });
});

describe("what multipliers prove", () => {
  const two = ratio(2);

  test("the bound by hand: min x + y, x + 2y ≥ 3 in [0, 2]², at the multiplier 1/2", () => {
    const program = programOf({
      columns: [
        [Rational.zero, two, false],
        [Rational.zero, two, false],
      ],
      rows: [[[ratio(1), two], ratio(3), null]],
      costs: [ratio(1), ratio(1)],
    });
    const { view, box } = viewOf(program);
    // 3/2 + min (1/2)·x + 0·y
    const { bound, scaledCosts, scale } = lagrangianBound(view, box, new Map([[0, ratio(1, 2)]]));
    expect(bound?.toString()).toBe("3/2");
    expect(scaledCosts.map((cost) => Rational.of(cost, scale).toString())).toEqual(["1/2", "0"]);
  });

  test("a group is filled, not priced: 3 units among costs 5, 1, 2 with at most 2 each cost 4", () => {
    const program = programOf({
      columns: [5, 1, 2].map(() => [Rational.zero, two, true] as const),
      rows: [[[ratio(1), ratio(1), ratio(1)], ratio(3), ratio(3)]],
      costs: [ratio(5), ratio(1), ratio(2)],
    });
    const { view, box } = viewOf(program);
    expect(lagrangianBound(view, box, new Map()).bound?.toString()).toBe("4");
  });

  test("a free column with a cost left proves nothing; without one it does", () => {
    const program = programOf({
      columns: [[null, null, false]],
      rows: [[[two], ratio(3), null]],
      costs: [ratio(1)],
    });
    const { view, box } = viewOf(program);
    expect(lagrangianBound(view, box, new Map()).bound).toBeNull();
    expect(lagrangianBound(view, box, new Map([[0, ratio(1, 2)]])).bound?.toString()).toBe("3/2");
  });

  test("a side that a row does not have cannot be priced", () => {
    const program = programOf({
      columns: [[Rational.zero, two, false]],
      rows: [[[two], ratio(3), null]],
      costs: [ratio(1)],
    });
    const { view, box } = viewOf(program);
    expect(() => lagrangianBound(view, box, new Map([[0, ratio(-1)]]))).toThrow(RangeError);
  });
});
