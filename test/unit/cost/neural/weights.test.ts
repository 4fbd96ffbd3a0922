import { expect, test } from "vitest";
import { featureNames } from "../../../../src/cost/neural/features.js";
import { fitOf } from "../../../../src/cost/neural/fit.js";
import { readWeights, type WeightsOrigin, writeWeights } from "../../../../src/cost/neural/weights.js";
import { drawnNetwork, drawTables } from "./support.js";

const fit = fitOf([1, 2], [1, 3]);
const origin: WeightsOrigin = {
  data: "costs.json",
  sha256: "00",
  source: "",
  seed: 0,
  epochs: 2,
  bestEpoch: 1,
  fits: { train: fit, validation: fit, test: fit },
};
const text = writeWeights(drawnNetwork("neural", drawTables(5, 1), 2), origin);

/** The file with one thing changed. */
function changed(change: (weights: Weights) => void): string {
  const weights = JSON.parse(text);
  change(weights);
  return JSON.stringify(weights);
}

interface Weights {
  kind: string;
  unit: string;
  features: { name: string; deviation: number }[];
  table: { weights: number[][]; biases: number[] }[];
  head: { weights: number[][]; biases: number[] }[];
  extra?: number;
}

type Layer = Weights["table"][number];

test.each<[string, (weights: Weights) => void, RegExp]>([
  ["another kind", (w) => Object.assign(w, { kind: "linear" }), /^w\.json:1:\d+: kind: expected .*neural-convex/],
  ["another unit", (w) => Object.assign(w, { unit: "s" }), /unit: expected .*ms.*received string "s"/],
  ["an unknown key", (w) => Object.assign(w, { layers: 1 }), /layers: unknown key/],
  [
    "other features",
    (w) => w.features.pop(),
    /features: expected the 21 features of neural \(dim, rows, poolingFactor, …, bin16\), received 20/,
  ],
  [
    "a deviation of zero",
    (w) => Object.assign(w.features[0] as object, { deviation: 0 }),
    /features\[0\]\.deviation: expected .*received 0/,
  ],
  [
    "a layer that lacks an output",
    (w) => (w.table[1] as Layer).biases.pop(),
    /table\[1\]: expected 32 lists of 128 weights and 32 biases/,
  ],
  [
    "a layer that lacks an input",
    (w) => (w.head[0] as Layer).weights[7]?.pop(),
    /head\[0\]: expected 64 lists of 32 weights/,
  ],
  [
    "something else than a number",
    (w) => Object.assign((w.head[1] as Layer).biases, ["1"]),
    /head\[1\]\.biases\[0\]: expected a finite number, received string "1"/,
  ],
  [
    "a convex network that is not",
    (w) => Object.assign(w, { kind: "neural-convex" }),
    /head\[1\]\.weights\[0\]\[\d+\]: expected a weight of at least 0.*received -0\.\d/,
  ],
])("%s is refused with its place", (_, change, message) => {
  const bad = changed(change);
  expect(() => readWeights(bad, "w.json")).toThrow(message);
  expect(() => readWeights(bad, "w.json")).toThrow(expect.objectContaining({ name: "InputError" }));
});

test("text that is no JSON is refused with its place", () => {
  expect(() => readWeights("{\n]", "w.json")).toThrow(/^w\.json:2:1: /);
});

test("where weights come from is for people: a file without it is read", () => {
  const without = JSON.parse(text);
  delete without.origin;
  expect(readWeights(JSON.stringify(without), "w.json").features.map(({ name }) => name)).toEqual(
    featureNames("neural"),
  );
});
