import { describe, expect, test } from "vitest";
import { Binomial, logProbability, uniform } from "../../../src/simulate/binomial.js";
import { longRandom } from "../../../src/simulate/long-random.js";

/** Probabilities of 0 … n successes by adding one trial after the other: no formula of the code under test. */
function probabilities(n: number, p: number): Float64Array {
  const mass = new Float64Array(n + 1);
  mass[0] = 1;
  for (let trials = 1; trials <= n; trials++) {
    for (let k = trials; k > 0; k--) mass[k] = (mass[k] as number) * (1 - p) + (mass[k - 1] as number) * p;
    mass[0] = (mass[0] as number) * (1 - p);
  }
  return mass;
}

const CASES: [n: number, p: number][] = [
  [1, 0.3],
  [7, 0.5],
  [19, 0.5],
  [300, 0.001],
  [2000, 0.0049],
  // From here on by rejection.
  [2000, 0.0051],
  [40, 0.5],
  [400, 0.1],
  [1000, 0.97],
  [3000, 0.4],
];

describe.each(CASES)("%d trials of probability %d", (n, p) => {
  test("the logarithm of every probability is right", () => {
    for (const [k, mass] of probabilities(n, p).entries()) {
      if (mass > 1e-250) expect(logProbability(k, n, p)).toBeCloseTo(Math.log(mass), 9);
    }
  });

  test("draws have the distribution, by a χ² test", () => {
    const draws = 200_000;
    const random = longRandom(n);
    const binomial = new Binomial(n, p);
    const seen = new Float64Array(n + 1);
    for (let draw = 0; draw < draws; draw++) {
      const k = binomial.draw(random);
      seen[k] = (seen[k] as number) + 1;
    }
    // Neighbouring outcomes are pooled until 20 are expected.
    let statistic = 0;
    let cells = 0;
    let wanted = 0;
    let found = 0;
    let left = draws;
    for (const [k, mass] of probabilities(n, p).entries()) {
      wanted += mass * draws;
      found += seen[k] as number;
      if (wanted < 20 || left - wanted < 20) continue;
      statistic += (found - wanted) ** 2 / wanted;
      left -= wanted;
      cells++;
      wanted = 0;
      found = 0;
    }
    statistic += (found - left) ** 2 / left;
    expect(cells).toBeGreaterThan(0);
    // 4 standard deviations of χ² with as many degrees of freedom.
    expect(Math.abs(statistic - cells)).toBeLessThan(4 * Math.sqrt(2 * cells) + 4);
  });
});

test.each([
  [1e34, 1e-9],
  [1e20, 0.25],
  [9e15, 1e-3],
])("the mean and variance of %d trials of probability %d are right far beyond 2^53", (n, p) => {
  const random = longRandom(5);
  const binomial = new Binomial(n, p);
  const draws = 20_000;
  const deviation = Math.sqrt(n * p * (1 - p));
  let sum = 0;
  let squares = 0;
  for (let draw = 0; draw < draws; draw++) {
    const score = (binomial.draw(random) - n * p) / deviation;
    sum += score;
    squares += score ** 2;
  }
  expect(Math.abs(sum / draws)).toBeLessThan(4 / Math.sqrt(draws));
  expect(Math.abs(squares / draws - 1)).toBeLessThan(4 * Math.sqrt(2 / draws));
});

test("what is certain is drawn as such", () => {
  const random = longRandom(1);
  for (const n of [0, 1, 5, 1e20]) {
    expect(new Binomial(n, 0).draw(random)).toBe(0);
    expect(new Binomial(n, 1).draw(random)).toBe(n);
  }
  expect(new Binomial(1e6, 5e-324).draw(random)).toBe(0);
});

test.each([
  [-1, 0.5],
  [1.5, 0.5],
  [3, -0.1],
  [3, 1.1],
  [3, Number.NaN],
])("%d trials of probability %d are refused", (n, p) => {
  expect(() => new Binomial(n, p)).toThrow(RangeError);
});

test("a seed gives one stream, another seed another", () => {
  const stream = (seed: number) => {
    const random = longRandom(seed);
    return Array.from({ length: 5 }, () => uniform(random));
  };
  expect(stream(3)).toEqual(stream(3));
  expect(stream(3)).not.toEqual(stream(4));
});

test("the generator is xoshiro128**", () => {
  // The authors' C code, from the state that seed 0 of the shorter generator gives.
  const state = new Uint32Array([0, 0, 0, 0]);
  const reference = () => {
    const rotate = (x: number, by: number) => ((x << by) | (x >>> (32 - by))) >>> 0;
    const [s0, s1, s2, s3] = state as unknown as [number, number, number, number];
    const result = Number((BigInt(rotate(Number((BigInt(s1) * 5n) % 2n ** 32n), 7)) * 9n) % 2n ** 32n);
    const t = s1 << 9;
    const c = s2 ^ s0;
    const d = s3 ^ s1;
    state.set([s0 ^ d, s1 ^ c, c ^ t, rotate(d >>> 0, 11)]);
    return result;
  };
  const words = [1144304738, 1416247, 958946056, 627933444];
  state.set(words);
  const random = longRandom(0);
  for (let draw = 0; draw < 100; draw++) expect(random.next() * 2 ** 32).toBe(reference());
});
