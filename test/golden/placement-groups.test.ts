import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { GroupedPlacementPlan } from "../../src/problems/grouped-placement/plan-file/assemble.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { bruteForceGroups, type DrawnGroups } from "../support/brute-force-groups.js";
import { CLOSE } from "../support/check-groups.js";
import { readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";

const MAX_WAYS = 100_000;

/** The optimum of every size, `null` where nothing fits. */
interface ExpectedGroups {
  readonly objective: number | null;
  readonly status: "proved" | "infeasible";
  readonly sizes: readonly (readonly [size: number, optimum: number | null])[];
}

const files = instanceFiles(["tiny"], "table-placement").filter((file) => /^groups:/m.test(readFileSync(file, "utf8")));

/** The file in the words of a drawn one. */
function drawnOf(file: string): DrawnGroups {
  const { cluster, torchrec, groups, tables } = parse(readFileSync(file, "utf8"));
  const { nodes, gpusPerNode, hbmBytesPerGpu } = cluster;
  const own = tables.map((table: object) => ({ dtype: "FP32", ...table }));
  const choice = { layout: "contiguous", memory: "replicated", syncEvery: 1, ...groups };
  return { nodes, gpusPerNode, hbmBytesPerGpu, batchSize: torchrec.batch_size, groups: choice, tables: own };
}

test.each(files)("%s: every size's optimum is that of brute force, and the best is proved", async (file) => {
  const found = bruteForceGroups(drawnOf(file), MAX_WAYS) ?? [];
  const optima = found.flatMap(({ optimum }) => optimum ?? []);
  const expected: ExpectedGroups = {
    objective: optima.length === 0 ? null : Math.min(...optima),
    status: optima.length === 0 ? "infeasible" : "proved",
    sizes: found.map(({ size, optimum }) => [size, optimum]),
  };
  // UPDATE_EXPECTED=1 writes the expected files anew, from brute force alone.
  if (process.env.UPDATE_EXPECTED === "1") writeExpected<ExpectedGroups>(file, expected);
  expect(expected).toEqual(readExpected<ExpectedGroups>(file));
  const plan = (await planInstance(await loadInstance(file), { gap: 0 })) as unknown as GroupedPlacementPlan;
  expect(plan.status).toBe(expected.status);
  expect(plan.groups.sizes.map(({ size }) => size)).toEqual(found.map(({ size }) => size));
  if (expected.objective === null) expect(plan.objective.value).toBeNull();
  else expect(Math.abs((plan.objective.value as number) - expected.objective)).toBeLessThan(CLOSE);
});
