import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseWith } from "../../../../src/instance/parse.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { compareInstance } from "../../../../src/problems/planning/compare.js";
import { planProgramText } from "../../../../src/problems/planning/export.js";
import { frontierOf } from "../../../../src/problems/planning/frontier.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { readExportablePlacement } from "../../../../src/problems/table-placement/exportable.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";

const FILE = "instances/tiny/placement-groups.yaml";
const TEXT = readFileSync(FILE, "utf8");

const replaced = (from: string | RegExp, to: string) => parseInstance(TEXT.replace(from, to), "changed.yaml");

test.each([
  [
    "sizes: all",
    "sizes: [2, 3]",
    /changed\.yaml:11:21: groups\.sizes\[1\]: expected a size of contiguous groups on 2 nodes of 2 GPUs, received 3; choose among 1, 2, 4, or write all/,
  ],
  ["sizes: all", "sizes: [2, 2]", /groups\.sizes\[1\]: expected every size once, received 2 again; leave it out/],
  ["sizes: all", "sizes: []", /groups\.sizes: /],
  ["syncEvery: 400", "syncEvery: 0", /groups\.syncEvery: expected an integer of at least 1/],
  [
    "syncEvery: 400",
    "syncEvery: 2, memory: fully-sharded",
    /groups\.syncEvery: expected 1 with fully-sharded memory, which synchronises every iteration, received 2; leave it out/,
  ],
  [
    "syncEvery: 400",
    "memory: fully-sharded, optimizerState: true",
    /groups\.optimizerState: expected false with fully-sharded memory/,
  ],
  ["syncEvery: 400", "every: 4", /groups\.every: unknown key/],
  [
    "groups:",
    "thenMinimize: sum\ngroups:",
    /thenMinimize: expected groups without thenMinimize, received both; leave one of the two out/,
  ],
  ["{name: t0,", "{name: t0, devices: [0, 1],", /tables\[0\]\.devices: expected groups without devices of tables/],
  [
    "hbmBytesPerGpu: 1.0e8",
    "hbmBytesPerGpu: [1.0e8, 1.0e8, 1.0e8, 9.0e7]",
    /cluster\.hbmBytesPerGpu: expected devices of equal memory beside groups/,
  ],
  [
    "batch_size: 512",
    "batch_size: 512\n  topology: {pod_size: 2}",
    /pod_size: expected one host for each NVLink domain beside groups/,
  ],
  [
    "batch_size: 512",
    "batch_size: 512\n  topology: {compute_device: cpu}",
    /compute_device: expected cuda or mtia beside groups/,
  ],
])("%s as %s is refused", (from, to, message) => {
  expect(() => replaced(from, to)).toThrow(message);
});

test("costs that do not follow from the number of devices are refused", () => {
  const given = `shardproof: 1
name: given
problem: table-placement
costModel: given
cluster: {nodes: 1, gpusPerNode: 2}
groups: {sizes: all}
tables: [{name: t0, cost: 1, bytes: 1}]
`;
  expect(() => parseInstance(given, "given.yaml")).toThrow(
    "given.yaml:6:1: groups: expected costModel torchrec beside groups, whose costs follow from the number of devices, received another; leave groups out, or change costModel",
  );
});

test("strided groups of one size that contiguous ones do not have", () => {
  const six = (layout: string) =>
    TEXT.replace("{nodes: 2, gpusPerNode: 2", "{nodes: 3, gpusPerNode: 2").replace(
      "sizes: all",
      `sizes: all, layout: ${layout}`,
    );
  const sizesOf = (text: string) => parseWith([tablePlacementReader], text, "six.yaml").groups?.sizes;
  expect(sizesOf(six("contiguous"))).toEqual([1, 2, 6]);
  expect(sizesOf(six("strided"))).toEqual([1, 3, 6]);
});

test("whoever knows one group alone says so in one line", async () => {
  const instance = parseInstance(TEXT, FILE);
  const line = (what: string) =>
    new RegExp(`^[^\\n]*expected ${what} without groups, received an instance with groups; [^\\n]+$`);
  await expect(compareInstance(instance)).rejects.toThrow(line("methods to compare"));
  await expect(frontierOf(instance)).rejects.toThrow(line("a frontier"));
  await expect(planProgramText(instance, "lp")).rejects.toThrow(line("one program"));
  await expect(planTablePlacement(FILE)).rejects.toThrow(/received one with groups; plan chooses their size/);
  await expect(planInstance(instance, { method: "torchrec-greedy" })).rejects.toThrow(
    /expected the method optimal with groups, received torchrec-greedy/,
  );
  await expect(planInstance(instance, { solver: "highs" })).rejects.toThrow(/no one program that --solver/);
  const plan = writePlan(await planInstance(instance));
  await expect(readExportablePlacement(plan, "plan.json", async () => instance)).rejects.toThrow(
    /^plan\.json: expected one placement of the tables, received one for every size of groups; [^\n]+$/,
  );
});
