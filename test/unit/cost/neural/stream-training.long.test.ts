import { expect, test } from "vitest";
import { BufferedTraining } from "../../../../src/cost/neural/buffered-training.js";
import { predictSet } from "../../../../src/cost/neural/predict.js";
import { type StreamRound, StreamTraining } from "../../../../src/cost/neural/stream-training.js";
import { testInTurn } from "../../../support/draws.js";
import { drawData, drawnNetwork } from "./support.js";

const data = drawData(1000, 1);

function learned(sets: number, seed: number, buffer = 5000, kind: "neural" | "neural-convex" = "neural") {
  const training = new StreamTraining(data.tables, { kind, seed, buffer });
  const rounds: StreamRound[] = [];
  for (const set of data.sets.slice(0, sets)) {
    const round = training.take(set);
    if (round !== null) rounds.push(round);
  }
  const cooled = [...training.cool()];
  return { training, rounds, cooled, best: training.best() };
}

const weightsOf = ({ best }: ReturnType<typeof learned>) => best.network.parameters().map(({ values }) => [...values]);

testInTurn("costs that do not add up are learned while they arrive", () => {
  const { training, rounds, cooled, best } = learned(1000, 3, 200);
  // Eight of ten sets are learned from, 64 at a time.
  expect(rounds.map(({ round }) => round)).toEqual([...Array(12).keys()].map((round) => round + 1));
  expect(rounds[0]?.error).toBeNull();
  expect(rounds.at(-1)?.error).toBeLessThan(0.2 * (rounds[1]?.error as number));
  // The 32 sets that are left make a 13th, and a quarter as many follow with a falling rate.
  expect(cooled.map(({ round, of }) => [round, of])).toEqual([14, 15, 16, 17].map((round) => [round, 17]));
  expect([training.sets, training.rounds]).toEqual([1000, 17]);
  expect(best.round).toBeGreaterThanOrEqual(13);
  expect([best.fits.train.sets, best.fits.validation.sets, best.fits.test.sets]).toEqual([200, 100, 100]);
  expect(best.fits.test.rSquared).toBeGreaterThan(0.9);
});

test("the round with the least error on the sets for choosing wins, in milliseconds", () => {
  const { cooled, best } = learned(300, 5);
  const least = Math.min(...cooled.map(({ error }) => error as number));
  expect(best.fits.validation.meanSquaredError).toBeLessThanOrEqual(least * (1 + 1e-3));
});

test("only the newest sets are learned from", () => {
  expect(learned(400, 3, 50).best.fits.train.sets).toBe(50);
  const kept = new BufferedTraining(data.tables, data.sets.slice(0, 30), { kind: "neural", seed: 1, buffer: 40 });
  kept.round(data.sets.slice(30, 60));
  expect(kept.kept).toEqual(data.sets.slice(20, 60));
});

test("the same sets and seed give the same weights, to the last bit; another seed others", () => {
  expect(weightsOf(learned(150, 3))).toEqual(weightsOf(learned(150, 3)));
  expect(weightsOf(learned(150, 3))).not.toEqual(weightsOf(learned(150, 4)));
});

test("ten sets are enough: eight to learn from, one to choose by, one to test", () => {
  const { best } = learned(10, 1);
  expect([best.fits.train.sets, best.fits.validation.sets, best.fits.test.sets]).toEqual([8, 1, 1]);
});

test("a convex head stays convex", () => {
  expect(
    Math.min(...learned(150, 3, 5000, "neural-convex").best.network.head[1].weights.values),
  ).toBeGreaterThanOrEqual(0);
});

test("what learns on begins with the costs of its start", () => {
  const start = drawnNetwork("neural", data.tables, 9);
  const training = new BufferedTraining(data.tables, data.sets.slice(0, 100), { kind: "neural", seed: 1, start });
  const tables = [0, 3, 7].map((t) => data.tables[t] as (typeof data.tables)[number]);
  // Weights are brought to the scale of the costs and back, and rounded to seven digits.
  expect(predictSet(training.trained(), tables)).toBeCloseTo(predictSet(start, tables), 4);
  const before = training.squaredError(data.sets.slice(0, 100));
  training.round([]);
  expect(training.squaredError(data.sets.slice(0, 100))).toBeLessThan(before);
});
