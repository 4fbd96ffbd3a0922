import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fitOf } from "../../../../src/cost/neural/fit.js";
import { Predictor } from "../../../../src/cost/neural/predict.js";
import { loadCostData } from "../../../../src/cost/neural/read-data.js";
import { Training } from "../../../../src/cost/neural/train.js";
import { readWeights } from "../../../../src/cost/neural/weights.js";

const FOLDER = "instances/costs";
const files = readdirSync(FOLDER).filter((name) => /workers\.[a-z-]+\.json$/.test(name));

test("weights of every kind are there", () => {
  expect(files).toContain("cpu-4-workers.neural.json");
  expect(new Set(files.map((name) => name.split(".")[1]))).toEqual(new Set(["neural", "neural-convex", "neuroshard"]));
});

test.each(files)("%s fits the sets that it did not learn from as well as it says", async (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, "utf8");
  const { origin } = JSON.parse(text);
  const trained = readWeights(text, name);
  const data = await loadCostData(`${FOLDER}/${origin.data}`);
  expect(data.sha256).toBe(origin.sha256);
  const { split } = new Training(data, { kind: trained.kind, epochs: 1, seed: origin.seed });
  const predictor = new Predictor(trained, data.tables);
  for (const part of ["train", "validation", "test"] as const) {
    const sets = split[part].map((s) => data.sets[s] as (typeof data.sets)[number]);
    const fit = fitOf(
      sets.map(({ cost }) => cost),
      sets.map(({ tables }) => predictor.cost(tables)),
    );
    expect(fit.sets).toBe(origin.fits[part].sets);
    expect(fit.meanAbsoluteError).toBeCloseTo(origin.fits[part].meanAbsoluteError, 3);
    expect(fit.rSquared).toBeCloseTo(origin.fits[part].rSquared, 6);
  }
});
