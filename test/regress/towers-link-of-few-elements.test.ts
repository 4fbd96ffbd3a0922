import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requireInstance } from "../../src/instance/reader.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { planTowerPartition } from "../support/planned.js";

const HOT = readFileSync("instances/tiny/towers-joint-hot.yaml", "utf8");

test("latencies that make the faster link the slower one of few elements are refused beside hot rows, in one line", async () => {
  const slow = HOT.replace("bandwidth: {", "latency: {insideHost: 1.0e-4}\n  bandwidth: {");
  const instance = requireInstance(towerPartitionReader, parseInstance(slow, "x.yaml"));
  await expect(planTowerPartition(instance)).rejects.toThrow(
    /^x\.yaml: cluster\.latency: expected that the link that takes longer for each byte of a tower of 2 hosts/,
  );
  const both = slow.replace("{insideHost: 1.0e-4}", "{insideHost: 1.0e-4, acrossHosts: 1.0e-4}");
  const allowed = requireInstance(towerPartitionReader, parseInstance(both, "x.yaml"));
  await expect(planTowerPartition(allowed, { workLimitSeconds: 0.1 })).resolves.toHaveProperty("joint");
});
