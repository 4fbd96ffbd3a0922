import { expect, test } from "vitest";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";

/*
 * What only the copies of hot rows need was not looked for: SSDs of 10 bytes did not limit copies of 50, and a plan was proved that
 * no device has room for; phases that copies lacked, or that did not add up, were not missed before the problem was built.
 */

const HEAD = "shardproof: 1\nname: hot\nproblem: table-placement\ncostModel: options\n";

function instanceOf(cluster: string, option: string, more = "") {
  const text = `${HEAD}${more}cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 100${cluster}}\ntables:\n  - name: a\n    options:\n      - ${option}\n`;
  return requireInstance(tablePlacementReader, parseInstance(text, "hot.yaml"));
}

const shard = (need: string) => `{shardingType: table_wise, partitionBy: device, shards: [[1, ${need}]]`;

test("SSD bytes of copies alone limit", async () => {
  const instance = instanceOf(
    ", ssdBytesPerGpu: 10",
    `${shard("{cost: 1, hbmBytes: 10}")}, hot: {rows: 1, need: {cost: 1, hbmBytes: 1, ssdBytes: 50}}}`,
  );
  expect(placementProblem(instance).ssdBytes).toEqual([10, 10]);
  const plan = await planTablePlacement(instance, { gap: 0 });
  expect(plan.status).toBe("infeasible");
  expect((await verifyPlanText(writePlan(plan), "plan.json", async () => instance)).passed).toBe(true);
});

test.each([
  ["received nothing; add the key phases", "{cost: 1}"],
  ["that add up to the cost 1, received some that add up to 5", "{cost: 1, phases: {prefetch: 5}}"],
])("phases of copies: %s", (said, need) => {
  const option = `${shard("{cost: 1, phases: {prefetch: 1}}")}, hot: {rows: 1, need: ${need}}}`;
  expect(() => instanceOf("", option, "objective: phases\n")).toThrow(said);
  expect(() => instanceOf("", option, "objective: phases\n")).toThrow("tables[0].options[0].hot.need");
});
