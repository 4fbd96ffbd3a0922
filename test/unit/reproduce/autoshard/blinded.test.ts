import { expect, test } from "vitest";
import { featureNames, featuresOver, type NetworkTable, writeFeatures } from "../../../../src/cost/neural/features.js";
import { BLINDED_FEATURES, type BlindedFeature } from "../../../../src/reproduce/autoshard/published.js";
import { blinded } from "../../../../src/reproduce/autoshard/tables.js";
import { drawTables } from "../../cost/neural/support.js";

/** The inputs of a network by which each feature is seen. */
const INPUTS: Readonly<Record<BlindedFeature, (name: string) => boolean>> = {
  dim: (name) => name === "dim",
  rows: (name) => name === "rows",
  poolingFactor: (name) => name === "poolingFactor",
  size: (name) => name === "sizeGiB",
  accessBins: (name) => name.startsWith("bin"),
};

const tables = drawTables(12, 3);
const names = featureNames("neural");

/** tables × inputs, as they are. */
function rawInputs(of: readonly NetworkTable[]): number[][] {
  const unscaled = featuresOver(of, "neural").map((feature) => ({ ...feature, mean: 0, deviation: 1 }));
  return of.map((table) => {
    const out = new Float64Array(names.length);
    writeFeatures(table, "neural", unscaled, out, 0);
    return [...out];
  });
}

test.each(BLINDED_FEATURES)("without %s a network sees every other feature as it was", (feature) => {
  const before = rawInputs(tables);
  const after = rawInputs(tables.map((table) => blinded(table, feature)));
  for (const [f, name] of names.entries()) {
    const column = after.map((inputs) => inputs[f] as number);
    if (INPUTS[feature](name)) expect(new Set(column).size, name).toBe(1);
    else {
      for (const [t, value] of column.entries()) expect(value, name).toBeCloseTo(before[t]?.[f] as number, 12);
    }
  }
});
