import { expect, test } from "vitest";
import { Adam } from "../../../../src/cost/neural/adam.js";

const parameters = (...values: number[]) => ({
  values: Float64Array.from(values),
  gradients: new Float64Array(values.length),
});

test("two steps are those of the paper's algorithm 1, worked by hand", () => {
  const one = parameters(1);
  const adam = new Adam([one], 40);
  one.gradients[0] = 2;
  adam.step(0.1);
  // m̂ = 2, v̂ = 4: the first step is the learning rate.
  expect(one.values[0]).toBeCloseTo(0.9, 8);
  expect(one.gradients[0]).toBe(0);
  one.gradients[0] = -1;
  adam.step(0.1);
  // m = 0.9 · 0.2 − 0.1 = 0.08, m̂ = 0.08 / 0.19; v = 0.999 · 0.004 + 0.001 = 0.004996, v̂ = 0.004996 / 0.001999.
  const step = (0.1 * (0.08 / 0.19)) / Math.sqrt(0.004996 / 0.001999);
  expect(one.values[0]).toBeCloseTo(0.9 - step, 8);
});

test("a gradient above the limit is scaled down to it, over all parameters together", () => {
  const moved = (clip: number, gradients: readonly [number, number]) => {
    const [a, b] = [parameters(0), parameters(0)];
    const adam = new Adam([a, b], clip);
    [a.gradients[0], b.gradients[0]] = gradients;
    adam.step(1);
    [a.gradients[0], b.gradients[0]] = [1, 1];
    adam.step(1);
    return [a.values[0], b.values[0]];
  };
  // 300 and 400 have the norm 500.
  expect(moved(5, [300, 400])).toEqual(moved(1e9, [3, 4]));
  expect(moved(5, [300, 400])).not.toEqual(moved(1e9, [300, 400]));
});
