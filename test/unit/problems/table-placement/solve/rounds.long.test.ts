import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { placementProblem } from "../../../../../models/table-placement/from-instance.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { solvePlacement } from "../../../../../src/problems/table-placement/solve/solve.js";
import { generate } from "../../../../../src/study/generate/generate.js";

test("a search whose first round has nothing but the search beside it goes on", async () => {
  const options = { distribution: "lognormal", tables: 60, gpusPerNode: 8, options: 10 } as const;
  const instance = parseInstance(generate("tables", options, 1), "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  const mostUnits = 1000;
  const { units, verdict } = await solvePlacement(placementProblem(instance), {
    ...{ gap: Rational.parse("1e-9"), seed: 0, timeLimitSeconds: 600 },
    ...{ workSeconds: mostUnits / 1000, mostUnits },
  });
  expect(verdict?.status === "proved" || units >= mostUnits).toBe(true);
});

test("a start far above the bound is nothing to go on from: what is found is what is found without it", async () => {
  const options = { distribution: "torchrec", tables: 60, nodes: 2, gpusPerNode: 4 } as const;
  const instance = parseInstance(generate("tables", options, 3), "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  const drawn = placementProblem(instance);
  const problem = { ...drawn, hbmBytes: drawn.hbmBytes.map(() => 1e15) };
  const poor = {
    choices: problem.tables.map(({ options: own }) => {
      const option = own.findIndex(({ partitionBy }) => partitionBy === "device");
      return { option, devices: (own[option]?.shards ?? []).map(() => 0) };
    }),
  };
  const mostUnits = 300;
  const values = await Promise.all(
    [[], [poor]].map(async (starts) => {
      const { verdict } = await solvePlacement(problem, {
        ...{ gap: Rational.parse("1e-9"), seed: 0, timeLimitSeconds: 600, starts },
        ...{ workSeconds: mostUnits / 1000, mostUnits },
      });
      return verdict?.value?.toNumber();
    }),
  );
  expect(evaluatePlacement(problem, poor).violations).toEqual([]);
  expect(evaluatePlacement(problem, poor).largest.toNumber()).toBeGreaterThan(2 * (values[0] as number));
  expect(values[1]).toBe(values[0]);
});
