import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { evaluate } from "../../../../src/program/evaluate.js";
import { lagrangianBound } from "../../../../src/proof/kernel/bound.js";
import { fixByReducedCost } from "../../../../src/proof/kernel/fix.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { drawFrom, programOf, ratio } from "../../../fuzz/oracle/draw.js";
import { copyOf, drawMultipliers, drawProgram, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

test("no point below the cutoff is lost", () => {
  let changes = 0;
  let kept = 0;
  for (let seed = 0; seed < 1500; seed++) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const { view, box } = viewOf(program);
    shrinkAtRandom(draw, box);
    const before = feasiblePoints(program).filter(({ point }) => isIn(view, box, point));
    const result = lagrangianBound(view, box, drawMultipliers(draw, view));
    if (result.bound === null) continue;
    // Just above the bound most is fixed; at the cost of a point, that point may go and all better ones must stay.
    const cutoff = draw.oneIn(2)
      ? result.bound.add(ratio(draw.int(1, 40), draw.of([1, 3, 10])))
      : before.length > 0
        ? draw.of(before).cost
        : result.bound.add(ratio(1, 3));
    fixByReducedCost(view, box, result, cutoff, () => {
      changes++;
    });
    for (const { point, cost } of before) {
      if (cost.compare(cutoff) >= 0) continue;
      kept++;
      expect(isIn(view, box, point), `seed ${seed}: ${point.join(", ")} of cost ${cost} below ${cutoff}`).toBe(true);
    }
  }
  expect(changes).toBeGreaterThan(500);
  expect(kept).toBeGreaterThan(500);
});

test("of continuous columns, points just below the cutoff stay and the bounds are the reach of the reduced cost", () => {
  const program = programOf({
    columns: [
      [ratio(0), ratio(21, 2), false],
      [ratio(-21, 2), ratio(0), false],
      [ratio(0), null, true],
    ],
    rows: [],
    costs: [ratio(3), ratio(-2), ratio(7)],
  });
  const { view, box } = viewOf(program);
  const result = lagrangianBound(view, box, new Map());
  expect(result.bound?.toString()).toBe("0");
  const cutoff = ratio(14);
  fixByReducedCost(view, box, result, cutoff, () => {});
  // 3x < 14, to the next double; −2y < 14; 7z < 14 leaves z ≤ 1, because z = 2 is not below the cutoff.
  const third = Rational.fromNumber(ratio(14, 3).toNumberUp());
  expect(third.compare(ratio(14, 3))).toBeGreaterThan(0);
  expect([box.upper[0], box.lower[1], box.upper[2]].map(String)).toEqual([third.toString(), "-7", "1"]);
  const nearly = [ratio(14, 3).subtract(ratio(1, 1000)), Rational.zero, Rational.zero];
  expect(evaluate(program, nearly).objective.compare(cutoff)).toBeLessThan(0);
  expect(isIn(view, box, nearly)).toBe(true);
});

test("a smaller box or a lower cutoff never fixes less", () => {
  let compared = 0;
  for (let seed = 0; seed < 600; seed++) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const { view, box } = viewOf(program);
    const multipliers = drawMultipliers(draw, view);
    const smaller = copyOf(box);
    shrinkAtRandom(draw, smaller);
    const large = lagrangianBound(view, box, multipliers);
    const small = lagrangianBound(view, smaller, multipliers);
    if (large.bound === null || small.bound === null) continue;
    const cutoff = large.bound.add(ratio(draw.int(1, 30), 3));
    const lower = cutoff.subtract(ratio(draw.int(0, 3), 3));
    // A node whose bound reaches the cutoff is closed instead of fixed.
    if (small.bound.compare(lower) >= 0) continue;
    fixByReducedCost(view, box, large, cutoff, () => {});
    fixByReducedCost(view, smaller, small, lower, () => {});
    compared++;
    for (let j = 0; j < view.columns.length; j++) {
      const [low, high] = [smaller.lower[j] as Rational, smaller.upper[j] as Rational];
      // A column without values left is closed as well.
      if (low.compare(high) > 0) continue;
      expect(low.compare(box.lower[j] as Rational), `seed ${seed}`).toBeGreaterThanOrEqual(0);
      expect(high.compare(box.upper[j] as Rational), `seed ${seed}`).toBeLessThanOrEqual(0);
    }
  }
  expect(compared).toBeGreaterThan(100);
});

test("what is told apart in doubles is what exact arithmetic tells apart, also where the room is the range by a hair", () => {
  const seen = { fixed: 0, left: 0 };
  for (let seed = 0; seed < 2000; seed++) {
    const draw = drawFrom(seed);
    const isDeclared = draw.oneIn(2);
    const size = draw.of([1, 1e6, 1e15]);
    const lower = ratio(draw.int(-9, 9)).multiply(Rational.fromNumber(size));
    const range = isDeclared ? ratio(draw.int(1, 9)) : ratio(draw.int(1, 9), 7);
    const cost = ratio(draw.int(1, 99), draw.of([1, 7, 1000]));
    const upper = lower.add(range);
    const costs = draw.oneIn(2) ? [cost] : [cost.negate()];
    const program = programOf({ columns: [[lower, upper, isDeclared]], rows: [], costs });
    const { view, box } = viewOf(program);
    const isInteger = view.integer[0] === true;
    const result = lagrangianBound(view, box, new Map());
    const hair = ratio(draw.int(-1, 1)).divide(Rational.of(10n ** BigInt(draw.int(1, 30))));
    const room = range.multiply(cost).add(hair);
    if (room.sign() <= 0) continue;
    fixByReducedCost(view, box, result, (result.bound as Rational).add(room), () => {});
    const moves = isInteger ? room.compare(range.multiply(cost)) <= 0 : room.compare(range.multiply(cost)) < 0;
    const at = costs[0] === cost ? box.upper[0] : box.lower[0];
    const bound = costs[0] === cost ? upper : lower;
    if (isInteger) expect(at?.equals(bound), `seed ${seed}`).toBe(!moves);
    // The next double may be the old bound or beyond it, where the move is shorter than doubles are apart.
    else if (!moves) expect(at, `seed ${seed}`).toBe(bound);
    if (at === bound) seen.left++;
    else seen.fixed++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(200);
});
