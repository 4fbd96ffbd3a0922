import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NETWORK_KINDS, writeFeatures } from "../../src/cost/neural/features.js";
import { fitOf } from "../../src/cost/neural/fit.js";
import type { CostNetwork, SetBatch } from "../../src/cost/neural/network.js";
import { REPRESENTATION } from "../../src/cost/neural/network.js";
import { Predictor } from "../../src/cost/neural/predict.js";
import { cachedSetCost } from "../../src/cost/neural/set-cost.js";
import { readWeights, writeWeights } from "../../src/cost/neural/weights.js";
import { seededRandom } from "../../src/exact/random.js";
import { drawnNetwork, drawTables } from "../unit/cost/neural/support.js";

const seeds = fc.integer({ min: 0, max: 1_000_000 });

/** Sets of 1 to 4 of random tables, as a batch. */
function drawBatch(sets: number, width: number, seed: number): SetBatch {
  const random = seededRandom(seed);
  const starts = new Int32Array(sets + 1);
  for (let s = 0; s < sets; s++) starts[s + 1] = (starts[s] as number) + 1 + random.integer(4);
  const features = Float64Array.from({ length: (starts[sets] as number) * width }, () => 2 * random.next() - 1);
  return { sets, starts, features };
}

/** Σ of the costs, weighted: what gradients are taken of. */
function weighted(network: CostNetwork, batch: SetBatch, weights: Float64Array): number {
  const costs = network.forward(batch);
  return weights.reduce((sum, weight, s) => sum + weight * (costs[s] as number), 0);
}

/**
 * How far a gradient is from central differences, relative to their size. A ReLU may switch within the step, where there is no
 * derivative: forward and backward differences then disagree, and the parameter says nothing.
 */
function checkGradients(network: CostNetwork, batch: SetBatch, seed: number): number {
  const random = seededRandom(seed);
  const weights = Float64Array.from({ length: batch.sets }, () => 2 * random.next() - 1);
  const at = weighted(network, batch, weights);
  network.backward(batch, weights);
  let checked = 0;
  for (const { values, gradients } of network.parameters()) {
    for (let trial = 0; trial < 6; trial++) {
      const i = random.integer(values.length);
      const value = values[i] as number;
      const step = 1e-5;
      const valueWith = (change: number) => {
        values[i] = value + change;
        return weighted(network, batch, weights);
      };
      const [above, below] = [valueWith(step), valueWith(-step)];
      values[i] = value;
      const [forward, backward] = [(above - at) / step, (at - below) / step];
      if (Math.abs(forward - backward) > 1e-6 * Math.max(1, Math.abs(forward))) continue;
      checked++;
      expect(Math.abs((gradients[i] as number) - (above - below) / (2 * step))).toBeLessThan(1e-6);
    }
  }
  return checked;
}

test("gradients are those that finite differences show", () => {
  let checked = 0;
  const property = fc.property(seeds, fc.integer({ min: 1, max: 7 }), (seed, sets) => {
    const { network } = drawnNetwork("neural", drawTables(6, seed), seed);
    checked += checkGradients(network, drawBatch(sets, 21, seed + 1), seed + 2);
  });
  fc.assert(property, { numRuns: 40, seed: 1 });
  // 48 of each network's parameters.
  expect(checked).toBeGreaterThan(0.9 * 40 * 48);
});

test("gradients add up over backward passes", () => {
  const { network } = drawnNetwork("neural", drawTables(6, 1), 1);
  const batch = drawBatch(3, 21, 2);
  const gradients = () => network.parameters().map((part) => [...part.gradients]);
  network.forward(batch);
  network.backward(batch, Float64Array.of(1, 2, 3));
  const once = gradients();
  network.backward(batch, Float64Array.of(1, 2, 3));
  expect(gradients()).toEqual(once.map((part) => part.map((gradient) => 2 * gradient)));
});

describe.each(NETWORK_KINDS)("%s", (kind) => {
  const tables = drawTables(12, 5);
  const sets = fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 30 });

  test("a set costs the same in whatever order its tables come, to the last bit", () => {
    const predictor = new Predictor(drawnNetwork(kind, tables, 7), tables);
    fc.assert(
      fc.property(sets, fc.integer(), (set, seed) => {
        const random = seededRandom(seed);
        const other = set.map((t) => [random.next(), t] as const).sort(([a], [b]) => a - b);
        expect(predictor.cost(other.map(([, t]) => t))).toBe(predictor.cost(set));
      }),
    );
    expect(predictor.cost([])).toBe(0);
  });

  test("predictions are what the network computes, but for the rounding of representations", () => {
    const trained = drawnNetwork(kind, tables, 8);
    const predictor = new Predictor(trained, tables);
    const width = trained.features.length;
    fc.assert(
      fc.property(sets, (set) => {
        const features = new Float64Array(set.length * width);
        for (const [i, t] of set.entries()) {
          writeFeatures(tables[t] as (typeof tables)[number], kind, trained.features, features, i * width);
        }
        const [cost] = trained.network.forward({ sets: 1, starts: Int32Array.of(0, set.length), features });
        expect(Math.abs(predictor.cost(set) - (cost as number))).toBeLessThan(1e-5);
      }),
    );
  });

  test("weights that were written, read and written again are the same bytes", () => {
    const fit = fitOf([1, 2], [1, 3]);
    const fits = { train: fit, validation: fit, test: fit };
    const origin = { data: "d", sha256: "0", source: "", seed: 1, epochs: 1, bestEpoch: 1, fits };
    fc.assert(
      fc.property(seeds, (seed) => {
        const text = writeWeights(drawnNetwork(kind, tables, seed), origin);
        const read = readWeights(text, "w.json");
        expect(writeWeights(read, origin)).toBe(text);
      }),
      { numRuns: 10 },
    );
  });
});

/** How far the head lies above the chord between two sums of representations, at a point between them. */
const bulges = (kind: (typeof NETWORK_KINDS)[number]) =>
  Array.from({ length: 300 }, (_, seed) => {
    const random = seededRandom(seed);
    const { network } = drawnNetwork(kind, drawTables(4, 1), seed % 10);
    const point = () => Float64Array.from({ length: REPRESENTATION }, () => 20 * random.next());
    const [from, to, share] = [point(), point(), random.next()];
    const between = from.map((value, i) => (1 - share) * value + share * (to[i] as number));
    const chord = (1 - share) * network.evaluate(from) + share * network.evaluate(to);
    return network.evaluate(between) - chord;
  });

test("the head of a convex network lies on or below every chord", () => {
  expect(Math.max(...bulges("neural-convex"))).toBeLessThan(1e-12);
});

test("that of the others does not: convexity is something to test for", () => {
  expect(Math.max(...bulges("neural"))).toBeGreaterThan(0.01);
});

test("a cost with a memory is the same cost", () => {
  const tables = drawTables(5, 3);
  const predictor = new Predictor(drawnNetwork("neural", tables, 1), tables);
  let asked = 0;
  const plain = {
    parts: [],
    partOf: (table: number) => table,
    costOfSet: (parts: readonly number[]) => {
      asked++;
      return predictor.cost(parts);
    },
  };
  const cached = cachedSetCost(plain);
  const sets = [[0, 1], [1, 0], [2], [0, 1, 1], [1, 0, 1], []];
  for (const set of [...sets, ...sets]) expect(cached.costOfSet(set)).toBe(predictor.cost(set));
  expect(asked).toBe(4);
});
