import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { evaluateNeural } from "../../../models/table-placement/learned/evaluate.js";
import { exactCost, exactHead } from "../../../models/table-placement/learned/head.js";
import type { Placement } from "../../../models/table-placement/problem.js";
import { Dense } from "../../../src/cost/neural/dense.js";
import { HEAD_HIDDEN, REPRESENTATION } from "../../../src/cost/neural/network.js";
import { Rational } from "../../../src/exact/rational.js";
import { drawNeural } from "./neural-support.js";

test("the exact cost of a set is the prediction but for rounding", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const { head, setCost, draw } = drawNeural({ seed, tables: [5, 12], devices: [2, 2] });
    for (let trial = 0; trial < 10; trial++) {
      const set = setCost.parts.map((_, p) => p).filter(() => draw.oneIn(2));
      const predicted = setCost.costOfSet(set);
      expect(Math.abs(exactCost(head, set).toNumber() - predicted)).toBeLessThan(1e-9 * (1 + Math.abs(predicted)));
    }
  }
});

test("the exact cost is the network's formula in rationals", () => {
  const hidden = new Dense(REPRESENTATION, HEAD_HIDDEN);
  const output = new Dense(HEAD_HIDDEN, 1);
  hidden.weights.values.forEach((_, i, values) => {
    values[i] = Math.sin(i + 1) * 2 ** -(i % 40);
  });
  hidden.biases.values.forEach((_, i, values) => {
    values[i] = Math.cos(i);
  });
  output.weights.values.forEach((_, i, values) => {
    // Some ReLUs that do not count at all.
    values[i] = i % 7 === 0 ? 0 : Math.sin(3 * i);
  });
  output.biases.values[0] = 2 ** -300;
  const representations = Float64Array.from({ length: 2 * REPRESENTATION }, (_, i) => (i % 5) * (1 / 8));
  const head = exactHead([hidden, output], representations);
  let expected = Rational.fromNumber(2 ** -300);
  for (let j = 0; j < HEAD_HIDDEN; j++) {
    let input = Rational.fromNumber(hidden.biases.values[j] as number);
    for (let i = 0; i < REPRESENTATION; i++) {
      const sum = (representations[i] as number) + (representations[REPRESENTATION + i] as number);
      const weight = Rational.fromNumber(hidden.weights.values[j * REPRESENTATION + i] as number);
      input = input.add(weight.multiply(Rational.fromNumber(sum)));
    }
    if (input.sign() > 0)
      expected = expected.add(input.multiply(Rational.fromNumber(output.weights.values[j] as number)));
  }
  expect(exactCost(head, [0, 1]).toString()).toBe(expected.toString());
  expect(exactCost(head, []).toString()).toBe("0");
});

test("an evaluation has exact costs and everything else as it is", () => {
  const { problem, head } = drawNeural({ seed: 9, tables: [5, 5], devices: [3, 3], rooms: [1.02] });
  const placement: Placement = { choices: problem.tables.map((_, t) => ({ option: 0, devices: [t % 2] })) };
  const exact = evaluateNeural(head, problem, placement);
  const rounded = evaluatePlacement(problem, placement);
  expect(exact.violations).toEqual(rounded.violations);
  expect(exact.hbmBytes).toEqual(rounded.hbmBytes);
  expect(exact.deviceCosts[2]?.sign()).toBe(0);
  expect(exact.sum.toNumber()).toBeCloseTo(rounded.sum.toNumber(), 9);
  expect(exact.secondLargest.toNumber()).toBeCloseTo(rounded.secondLargest.toNumber(), 9);
});
