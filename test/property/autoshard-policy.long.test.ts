import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Dense, type Parameters } from "../../src/cost/neural/dense.js";
import { CostNetwork, REPRESENTATION } from "../../src/cost/neural/network.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import {
  BASELINE_WEIGHT,
  ENTROPY_WEIGHT,
  type Experience,
  lossGradients,
  softmax,
} from "../../src/problems/table-placement/methods/autoshard/loss.js";
import { LstmLayer } from "../../src/problems/table-placement/methods/autoshard/lstm.js";
import { PARAMETER_NAMES, PolicyNetwork } from "../../src/problems/table-placement/methods/autoshard/policy-network.js";

const seeds = fc.integer({ min: 0, max: 1_000_000 });

function drawn(length: number, random: Random): Float64Array {
  return Float64Array.from({ length }, () => 2 * random.next() - 1);
}

function weighted(values: Float64Array, weights: Float64Array): number {
  return weights.reduce((sum, weight, i) => sum + weight * (values[i] as number), 0);
}

/**
 * Holds some gradients of each list of numbers against central differences of `value`, and says how many could be. A ReLU may
 * switch within the step, where there is no derivative: forward and backward differences then disagree.
 */
function checkGradients(parts: readonly Parameters[], value: () => number, random: Random, trials = 4): number {
  const step = 1e-5;
  const at = value();
  let checked = 0;
  for (const { values, gradients } of parts) {
    for (let trial = 0; trial < trials; trial++) {
      const i = random.integer(values.length);
      const own = values[i] as number;
      const valueWith = (change: number) => {
        values[i] = own + change;
        return value();
      };
      const [above, below] = [valueWith(step), valueWith(-step)];
      values[i] = own;
      const [forward, backward] = [(above - at) / step, (at - below) / step];
      if (Math.abs(forward - backward) > 2e-4 * Math.max(1, Math.abs(forward))) continue;
      checked++;
      const scale = Math.max(1, Math.abs(forward));
      expect(Math.abs((gradients[i] as number) - (above - below) / (2 * step))).toBeLessThan(1e-6 * scale);
    }
  }
  return checked;
}

describe("LSTM", () => {
  const units = 5;
  const layerOf = (random: Random) =>
    new LstmLayer(Dense.drawn(3, 4 * units, random), Dense.drawn(units, 4 * units, random));

  test("outputs are those of the equations, worked out gate by gate", () => {
    const property = fc.property(seeds, fc.integer({ min: 1, max: 6 }), (seed, steps) => {
      const random = seededRandom(seed);
      const layer = layerOf(random);
      const x = drawn(3 * steps, random);
      const [w, b, u, c] = layer.parameters().map(({ values }) => values) as [Float64Array, ...Float64Array[]];
      let hidden = new Array<number>(units).fill(0);
      let cells = new Array<number>(units).fill(0);
      const outputs = layer.forward(x, steps).slice();
      for (let t = 0; t < steps; t++) {
        const gate = (part: number, unit: number) => {
          const row = part * units + unit;
          const ofInput = [0, 1, 2].reduce((sum, i) => sum + (w[row * 3 + i] as number) * (x[t * 3 + i] as number), 0);
          const ofHidden = hidden.reduce((sum, h, i) => sum + (u?.[row * units + i] as number) * h, 0);
          return ofInput + (b?.[row] as number) + ofHidden + (c?.[row] as number);
        };
        const logistic = (value: number) => 1 / (1 + Math.exp(-value));
        cells = cells.map(
          (cell, unit) => logistic(gate(1, unit)) * cell + logistic(gate(0, unit)) * Math.tanh(gate(2, unit)),
        );
        hidden = cells.map((cell, unit) => logistic(gate(3, unit)) * Math.tanh(cell));
        for (const [unit, h] of hidden.entries()) expect(outputs[t * units + unit]).toBeCloseTo(h, 12);
      }
    });
    fc.assert(property, { numRuns: 20, seed: 1 });
  });

  test("gradients of parameters and inputs are those that finite differences show", () => {
    const property = fc.property(seeds, fc.integer({ min: 1, max: 6 }), (seed, steps) => {
      const random = seededRandom(seed);
      const layer = layerOf(random);
      const inputs = { values: drawn(3 * steps, random), gradients: new Float64Array(3 * steps) };
      const weights = drawn(units * steps, random);
      const value = () => weighted(layer.forward(inputs.values, steps), weights);
      value();
      layer.backward(inputs.values, weights, inputs.gradients, steps);
      const parts = [...layer.parameters(), inputs];
      expect(checkGradients(parts, value, random)).toBe(4 * parts.length);
    });
    fc.assert(property, { numRuns: 30, seed: 1 });
  });
});

describe("policy", () => {
  test("has 129,603 parameters with the cost network, whose representations it shares", () => {
    const count = (parts: readonly Parameters[]) => parts.reduce((sum, { values }) => sum + values.length, 0);
    const own = PolicyNetwork.drawn(seededRandom(0)).parameters();
    expect(own.length).toBe(PARAMETER_NAMES.length);
    expect(count(own) + count(CostNetwork.drawn(21, seededRandom(0)).parameters())).toBe(129_603);
  });

  test("gradients of all layers, through head, loads, value and LSTM, are those that finite differences show", () => {
    let checked = 0;
    const property = fc.property(
      seeds,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      (seed, s, d) => {
        const random = seededRandom(seed);
        const network = PolicyNetwork.drawn(random);
        const representations = drawn(s * REPRESENTATION, random);
        const sums = Array.from({ length: s }, () => drawn(d * REPRESENTATION, random));
        const loads = Array.from({ length: s }, () => drawn(d * 2, random));
        const [ofScores, ofValues] = [drawn(s * d, random), drawn(s, random)];
        const value = () => {
          let sum = weighted(network.begin({ steps: s, devices: d, representations, isLearning: true }), ofValues);
          for (let t = 0; t < s; t++) {
            const scores = network.scores(t, sums[t] as Float64Array, loads[t] as Float64Array);
            sum += weighted(scores, ofScores.subarray(t * d, (t + 1) * d));
          }
          return sum;
        };
        value();
        network.backward(ofScores, ofValues);
        checked += checkGradients(network.parameters(), value, random, 3);
      },
    );
    fc.assert(property, { numRuns: 20, seed: 1 });
    expect(checked).toBeGreaterThan(0.95 * 20 * 3 * PARAMETER_NAMES.length);
  });

  test("passes that are not kept give the same scores as passes that are", () => {
    const property = fc.property(seeds, (seed) => {
      const random = seededRandom(seed);
      const network = PolicyNetwork.drawn(random);
      const representations = drawn(3 * REPRESENTATION, random);
      const [sums, loads] = [drawn(2 * REPRESENTATION, random), drawn(4, random)];
      const scoresOf = (isLearning: boolean) => {
        network.begin({ steps: 3, devices: 2, representations, isLearning });
        return [0, 1, 2].map((step) => [...network.scores(step, sums, loads)]);
      };
      expect(scoresOf(false)).toEqual(scoresOf(true));
    });
    fc.assert(property, { numRuns: 10, seed: 1 });
  });
});

test("the loss's gradients are those that finite differences show, with the advantage held constant", () => {
  const property = fc.property(seeds, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }), (seed, s, d) => {
    const random = seededRandom(seed);
    const scores = drawn(s * d, random).map((score) => 3 * score);
    const values = drawn(s, random);
    const homes = Array.from({ length: s }, () => random.integer(d));
    const reward = random.next();
    const advantages = values.map((value) => reward - value);
    const probabilities = new Float64Array(s * d);
    const loss = () => {
      let sum = 0;
      for (const [t, home] of homes.entries()) {
        const own = [...scores.subarray(t * d, (t + 1) * d)];
        const total = own.reduce((all, score) => all + Math.exp(score), 0);
        const p = own.map((score) => Math.exp(score) / total);
        sum -= (advantages[t] as number) * Math.log(p[home] as number);
        sum += ENTROPY_WEIGHT * p.reduce((all, share) => all + share * Math.log(share), 0);
        sum += (BASELINE_WEIGHT * (reward - (values[t] as number)) ** 2) / 2;
      }
      return sum;
    };
    for (let t = 0; t < s; t++)
      softmax(scores.subarray(t * d, (t + 1) * d), probabilities.subarray(t * d, (t + 1) * d));
    const experience: Experience = { devices: d, probabilities, homes, values, reward };
    const gradients = lossGradients(experience);
    const parts = [
      { values: scores, gradients: gradients.scores },
      { values, gradients: gradients.values },
    ];
    expect(checkGradients(parts, loss, random)).toBe(8);
  });
  fc.assert(property, { numRuns: 50, seed: 1 });
});
