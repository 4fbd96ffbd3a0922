import { expect, test } from "vitest";
import { requireInstance } from "../../../../src/instance/reader.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { placementFrontier } from "../../../../src/problems/table-placement/frontier/frontier.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";

test("where no memory would help, one proof at the largest budget is one for all, however little work there is", async () => {
  const file = "test/cli/torchrec-cases/buckets5.yaml";
  const instance = requireInstance(tablePlacementReader, await loadInstance(file));
  const { optimal, isComplete, budget } = await placementFrontier(instance, { points: 20, workSeconds: 0.5 });
  expect(optimal.map(({ status, provedAtBytesPerGpu }) => [status, provedAtBytesPerGpu])).toEqual(
    optimal.map(() => ["infeasible", budget.bytesPerGpu]),
  );
  expect(isComplete).toBe(true);
});
