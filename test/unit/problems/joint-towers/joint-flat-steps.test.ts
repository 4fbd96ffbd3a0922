import { expect, test } from "vitest";
import { requireInstance } from "../../../../src/instance/reader.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../../src/problems/tower-partition/instance/reader.js";
import { planTowerPartition } from "../../../support/planned.js";

test.each([
  "instances/tiny/towers-joint.yaml",
  "instances/tiny/towers-joint-rows.yaml",
  "instances/tiny/towers-joint-partly.yaml",
])("the collectives of the flat exchange of %s make up its seconds, and its largest GPU their bytes", async (file) => {
  const instance = requireInstance(towerPartitionReader, await loadInstance(file));
  const { joint } = await planTowerPartition(instance);
  const steps = joint?.flat.steps ?? [];
  expect(steps.map(({ pass, step }) => `${pass} ${step}`)).toEqual(["forward a", "forward c", "backward c"]);
  const seconds = (letter: string) =>
    steps.filter(({ step }) => step === letter).reduce((sum, step) => sum + step.seconds, 0);
  expect(seconds("c")).toBeCloseTo(joint?.flat.seconds.value as number, 12);
  expect(seconds("a")).toBeCloseTo(joint?.flat.idSeconds as number, 12);
  // Its placement is that of one tower, where there is that number: the busiest GPU sends its elements to all others.
  const placed = joint?.flat.placement ?? joint?.rows.find(({ towers }) => towers === 1);
  const most = placed?.largestElements as number;
  const { batchPerGpu, wireElementBytes, cluster } = instance.joint as NonNullable<typeof instance.joint>;
  const toEach = most * batchPerGpu * wireElementBytes;
  expect(steps[1]).toMatchObject({
    insideHostBytes: toEach * (cluster.gpusPerNode - 1),
    acrossHostsBytes: toEach * (cluster.nodes - 1) * cluster.gpusPerNode,
    world: cluster.nodes * cluster.gpusPerNode,
  });
});
