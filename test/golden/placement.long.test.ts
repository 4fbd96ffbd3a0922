import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";
import { expectRecomputed } from "../independent/recompute.js";
import { bruteForcePlacement } from "../support/brute-force-placement.js";
import { someOf } from "../support/draws.js";
import { readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";

const files = instanceFiles(["tiny"], "table-placement").filter(
  (file) => !/^groups:/m.test(readFileSync(file, "utf8")),
);

describe.each(someOf(files, 5))("%s", (file) => {
  // UPDATE_EXPECTED=1 writes the expected files anew, from brute force alone.
  test("brute force finds the expected optimum", async () => {
    const instance = requireInstance(tablePlacementReader, await loadInstance(file));
    expect(file).toContain(`/${instance.name}.yaml`);
    expect(instance.source).toMatch(/\S/);
    const best = bruteForcePlacement(placementProblem(instance));
    const objective = best?.largest.toNumber() ?? null;
    const found = { objective, status: best === null ? "infeasible" : "proved" } as const;
    if (process.env.UPDATE_EXPECTED === "1") writeExpected(file, found);
    expect(found).toEqual(readExpected(file));
  });

  test("the exact method proves the expected optimum, and the plan verifies", async () => {
    const plan = await planTablePlacement(file, { gap: 0 });
    expectRecomputed(file, plan);
    const { objective, status } = readExpected(file);
    expect(plan.status).toBe(status);
    // Of several goals the first may be above its least in the plan, as the instance allows.
    const [first] = plan.stages ?? [];
    expect(first?.best ?? plan.objective.value).toBe(objective);
    expect(plan.exact.bound).toBe(first?.exact.best ?? plan.exact.value);
    const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
    expect(differences).toEqual([]);
    expect(passed).toBe(true);
  });
});

test("the tiny ones have every cost model, partition and constraint", async () => {
  const instances = await Promise.all(
    files.map(async (file) => requireInstance(tablePlacementReader, await loadInstance(file))),
  );
  const problems = instances.map(placementProblem);
  const options = problems.flatMap(({ tables }) => tables.flatMap((table) => table.options));
  expect(new Set(options.map(({ partitionBy }) => partitionBy)).size).toBe(4);
  expect(new Set(instances.map(({ costModel }) => costModel.kind))).toEqual(
    new Set(["given", "options", "lookup", "torchrec"]),
  );
  expect(problems.some(({ together, apart }) => together.length > 0 && apart.length > 0)).toBe(true);
  expect(problems.some(({ tables }) => tables.some(({ devices }) => devices !== null))).toBe(true);
  expect(problems.some(({ hostIsPooled }) => hostIsPooled)).toBe(true);
  expect(problems.some(({ hbmBytes }) => new Set(hbmBytes).size > 1)).toBe(true);
});
