import { expect, test } from "vitest";
import { placementProblem } from "../../../../../models/table-placement/from-instance.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { generate } from "../../../../../src/generate/generate.js";
import { parseInstance } from "../../../../../src/problems/instances.js";
import { solvePlacement } from "../../../../../src/problems/table-placement/solve/solve.js";

test("a search whose first round has nothing but the search beside it goes on", async () => {
  const options = { distribution: "lognormal", tables: 60, gpusPerNode: 8, options: 10 } as const;
  const instance = parseInstance(generate("tables", options, 1), "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  const mostUnits = 2000;
  const { units, verdict } = await solvePlacement(placementProblem(instance), {
    ...{ gap: Rational.parse("1e-9"), seed: 0, timeLimitSeconds: 600 },
    ...{ workSeconds: mostUnits / 1000, mostUnits },
  });
  expect(verdict?.status === "proved" || units >= mostUnits).toBe(true);
});
