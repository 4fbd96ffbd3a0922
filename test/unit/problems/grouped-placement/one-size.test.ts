import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type GroupedInstance, groupInstance } from "../../../../models/grouped-placement/group-instance.js";
import { placementProblem } from "../../../../models/table-placement/from-instance.js";
import { ringMilliseconds } from "../../../../src/cost/torchrec/replicas.js";
import { parseWith } from "../../../../src/instance/parse.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { writerOf } from "../../../../src/problems/exportable.js";
import type { GroupedPlacementPlan } from "../../../../src/problems/grouped-placement/plan-file/assemble.js";
import { readExportable } from "../../../../src/problems/planning/export.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";

const FILE = "instances/tiny/placement-groups.yaml";
const TEXT = readFileSync(FILE, "utf8");
const read = (text: string) => parseWith([tablePlacementReader], text, FILE);

test("one group of all devices is the instance without groups, to the last bit", () => {
  const whole = groupInstance(read(TEXT) as GroupedInstance, 4);
  expect(placementProblem(whole)).toEqual(placementProblem(read(TEXT.replace(/^groups: .*\n/m, ""))));
});

test("a ring passes every byte 2 · (n − 1) / n times over its slowest link", () => {
  const links = { intraHost: 600, interHost: 10 };
  expect(ringMilliseconds({ copies: 1, copyHosts: 1, copiesPerHost: 1 }, links)).toBe(0);
  expect(ringMilliseconds({ copies: 2, copyHosts: 1, copiesPerHost: 2 }, links)).toBe(1 / 600);
  expect(ringMilliseconds({ copies: 4, copyHosts: 4, copiesPerHost: 1 }, links)).toBe(1.5 / 10);
  // Every GPU of a host has a card of its own.
  expect(ringMilliseconds({ copies: 8, copyHosts: 2, copiesPerHost: 4 }, links)).toBe(1.75 / 40);
  expect(ringMilliseconds({ copies: 1024, copyHosts: 8, copiesPerHost: 128 }, links)).toBeCloseTo(2 / 600, 4);
});

test("the chosen size's plan goes to TorchRec as that of one group, with what its DMPCollection is made with", async () => {
  const instance = read(TEXT);
  const plan = (await planInstance(instance)) as unknown as GroupedPlacementPlan;
  const exported = await readExportable(writePlan(plan as never), "plan.json", async () => instance);
  const { text, notes } = writerOf(exported, "torchrec")(undefined);
  const { plan: sharding, parallelism } = JSON.parse(text);
  expect(parallelism).toEqual({
    wrapper: "DMPCollection",
    world_size: 4,
    sharding_group_size: 2,
    use_inter_host_allreduce: true,
    sharding_strategy: "default",
  });
  const ranks = Object.values(sharding[""] as Record<string, { ranks: number[] }>).flatMap((one) => one.ranks);
  expect(Math.max(...ranks)).toBe(1);
  expect(notes?.[0]).toContain(
    "sharding_group_size=2, world_size=4, use_inter_host_allreduce=True; sync() every 400 iterations",
  );
});

test("fully sharded, a device holds a part of its shards outside the look-ups and all of them during those", async () => {
  const plan = (await planInstance(
    read(TEXT.replace("sizes: all, syncEvery: 400", "sizes: [2], memory: fully-sharded").replace("1.0e8", "7.0e7")),
  )) as unknown as GroupedPlacementPlan;
  const [row] = plan.groups.sizes;
  expect(plan.status).toBe("proved");
  expect(row?.largestBytes as number).toBeLessThanOrEqual(7e7);
  expect(row?.largestLookupBytes as number).toBeGreaterThan(7e7);
});
