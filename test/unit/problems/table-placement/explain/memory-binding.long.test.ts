import { expect, test } from "vitest";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../src/problems/planning/instances.js";
import { explainPlacement } from "../../../../../src/problems/table-placement/explain/explain.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../../../src/problems/table-placement/solve/plan.js";

const read = async (file: string) => requireInstance(tablePlacementReader, await loadInstance(`instances/${file}`));

test("memory is not said to bind where a better plan is within its limits too", async () => {
  const instance = await read("public/criteo1tb-days.yaml");
  // 0.3148 ms, where 0.2627 ms are within the limits.
  const plan = await planTablePlacement(instance, { method: "torchrec-greedy" });
  const { binding } = await explainPlacement(plan, instance, { workSeconds: 5, timeLimitSeconds: 300 });
  expect(binding.withoutLimit?.value).toBeLessThan(0.27);
  expect(binding.memory).toBe("open");
});

test("memory binds where what fits without its limits is cheaper than all that is within them", async () => {
  const instance = await read("tiny/placement-given.yaml");
  const plan = await planTablePlacement(instance);
  const { binding } = await explainPlacement(plan, instance);
  expect(plan.objective.value).toBe(11);
  expect(binding).toMatchObject({ memory: "binds", withoutLimit: { value: 10, bound: 10 } });
});
