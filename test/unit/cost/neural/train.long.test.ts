import { expect, test } from "vitest";
import type { NetworkKind } from "../../../../src/cost/neural/features.js";
import { Training } from "../../../../src/cost/neural/train.js";
import { someOf } from "../../../support/draws.js";
import { drawData } from "./support.js";

const data = drawData(400, 1);
const convexData = drawData(400, 1, 1.3);

function trained(kind: NetworkKind, seed: number, epochs = 120, from = data) {
  const training = new Training(from, { kind, epochs, seed });
  const errors = Array.from({ length: epochs }, () => training.epoch());
  return { training, errors, best: training.best() };
}

const values = ({ best }: ReturnType<typeof trained>) => best.network.parameters().map((part) => [...part.values]);

const KINDS = [
  ["neural", data, 120],
  ["neuroshard", data, 120],
  ["neural-convex", convexData, 250],
] as const;

test.each(someOf(KINDS, 1))("%s learns costs that do not add up", (kind, from, epochs) => {
  const { best, errors } = trained(kind, 3, epochs, from);
  expect(best.fits.test.rSquared).toBeGreaterThan(0.9);
  expect(best.fits.test.rankCorrelation).toBeGreaterThan(0.9);
  const least = Math.min(...errors.map(({ validationError }) => validationError));
  expect(errors.at(-1)?.bestError).toBe(least);
  expect(errors[best.epoch - 1]?.validationError).toBe(least);
  // Weights are written to seven digits, and in milliseconds.
  expect(best.fits.validation.meanSquaredError).toBeCloseTo(least, 1);
});

test("the same seed gives the same weights, to the last bit; another seed others", () => {
  expect(values(trained("neural", 3, 2))).toEqual(values(trained("neural", 3, 2)));
  expect(values(trained("neural", 3, 2))).not.toEqual(values(trained("neural", 4, 2)));
});

test("each set is in one part of the split", () => {
  const { train, validation, test: tested } = new Training(data, { kind: "neural", epochs: 1, seed: 3 }).split;
  expect([train.length, validation.length, tested.length]).toEqual([320, 40, 40]);
  expect([...train, ...validation, ...tested].sort((a, b) => a - b)).toEqual([...data.sets.keys()]);
});

test("only a convex head has a last layer without negative weights", () => {
  const least = (kind: NetworkKind) => Math.min(...trained(kind, 3, 5).best.network.head[1].weights.values);
  expect(least("neural-convex")).toBeGreaterThanOrEqual(0);
  expect(least("neural")).toBeLessThan(0);
});

test("before the first epoch there are weights, too", () => {
  const { epoch, fits } = new Training(data, { kind: "neural", epochs: 5, seed: 3 }).best();
  expect(epoch).toBe(0);
  expect(fits.test.sets).toBe(40);
});

test("costs that are all equal are learned as such", () => {
  const equal = { ...data, sets: data.sets.map((set) => ({ ...set, cost: 7 })) };
  const training = new Training(equal, { kind: "neural", epochs: 30, seed: 1 });
  for (let e = 0; e < 30; e++) training.epoch();
  expect(training.best().fits.test).toMatchObject({ rSquared: null, rankCorrelation: null });
  expect(training.best().fits.test.meanAbsoluteError).toBeLessThan(0.2);
});
