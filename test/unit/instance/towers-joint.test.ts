import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { requireInstance } from "../../../src/instance/reader.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../src/problems/tower-partition/instance/reader.js";

const TEXT = readFileSync("instances/tiny/towers-joint.yaml", "utf8");
const parse = (text: string) => requireInstance(towerPartitionReader, parseInstance(text, "x.yaml"));

test("towers may be left out, be any, or be a number that divides the nodes", () => {
  expect(parse(TEXT)).toMatchObject({ towers: 4, joint: { towers: null, wireElementBytes: 4, modules: null } });
  expect(parse(TEXT.replace("towers: any\n", ""))).toMatchObject({ towers: 4, joint: { towers: null } });
  expect(parse(TEXT.replace("towers: any", "towers: 2"))).toMatchObject({ towers: 2, joint: { towers: 2 } });
});

test("tables are in the order of the features, and a bandwidth may be one number", () => {
  const { joint } = parse(readFileSync("instances/tiny/towers-joint-rows.yaml", "utf8"));
  expect(joint?.tables.map(({ dim }) => dim)).toEqual([1, 3, 4]);
  expect(joint?.cluster).toMatchObject({ hardware: "H100", insideHost: { latencySeconds: 0, bandwidth: null } });
  const partly = parse(readFileSync("instances/tiny/towers-joint-partly.yaml", "utf8"));
  expect(partly.joint?.cluster.acrossHosts.bandwidth).toEqual([{ world: 1, bytesPerSecond: 10 }]);
});

const HOT = readFileSync("instances/tiny/towers-joint-hot.yaml", "utf8");

test("hot rows, caches and the host's memory are read; true stands for eight break-points", () => {
  const { joint } = parse(HOT.replace("{hotRows: {maxPoints: 3}}", "{hotRows: true}"));
  expect(joint).toMatchObject({ hotRows: { maxPoints: 8 }, caches: { maxPoints: 2 } });
  expect(joint?.cluster.host).toEqual({ bytesPerGpu: 1e8, bytesPerSecond: 5e10 });
  expect(joint?.tables.map(({ access }) => access?.kind)).toEqual(["histogram", "histogram", "histogram", undefined]);
  expect(parse(TEXT).joint).not.toHaveProperty("hotRows");
});

test.each([
  [", hostMemory: 5.0e10", "", "caches: expected cluster.bandwidth.hostMemory (bytes per second"],
  ["caches: {maxPoints: 2}\n", "", "cluster.hostBytesPerGpu: expected caches beside it, received none"],
  ["gpusPerNode: 2", "gpusPerNode: 1", "caches: expected at least two GPUs per node"],
  ["[98900, 2.0e-6]", "[98000, 2.0e-6]", "tables[0].access.histogram: expected counts that add up to 100000"],
  [
    "{name: f3,",
    "{name: f2_hot,",
    "tables[3].name: expected a name that no part of another table has, received f2_hot",
  ],
  [
    "access: {histogram: [[50, 0.01], [19950, 2.5e-5]]}",
    "access: {counts: {file: a.csv, samples: 3}}",
    "tables[1].access.counts: expected histogram, coverage or zipfMandelbrot for towers",
  ],
  ["splits: {hotRows: {maxPoints: 3}}", "splits: {}", "splits.hotRows"],
])("hot rows and caches: %s → %s", (from, to, message) => {
  expect(HOT).toContain(from);
  expect(() => parse(HOT.replace(from, to).replace(", f3]", from.includes("f3") ? ", f2_hot]" : ", f3]"))).toThrow(
    message,
  );
});

test("without a curve there are no hot rows to choose", () => {
  const text = HOT.replaceAll(/, access: \{histogram: [^}]*\}/g, "");
  expect(() => parse(text)).toThrow("splits.hotRows: expected the key access in a table");
});

test.each([
  ["towers: any", "towers: 3", "towers: expected towers of whole nodes, a number that divides 4, received 3"],
  ["nodes: 4", "nodes: 12", null],
  [
    "towers: any",
    "towers: some",
    'towers: expected number of towers, or any: each that the nodes can be divided by, received string "some"',
  ],
  ["name: f4, rows", "name: f5, rows", 'tables[4].name: expected the name of a feature, received string "f5"'],
  ["name: f4, rows", "name: f3, rows", "tables[4].name: expected one table for each feature, received"],
  [
    "  - {name: f4, rows: 50, dim: 6}\n",
    "",
    'tables: expected one table for each feature, received none for "f4"; add it',
  ],
  [
    "[[2, 25.0e9], [4,",
    "[[2, 25.0e9], [2,",
    "cluster.bandwidth.acrossHosts[1][0]: expected points in rising order of ranks",
  ],
  ["insideHost: 300.0e9, ", "", "cluster: expected cluster.bandwidth.insideHost or cluster.hardware, received neither"],
  ["nodes: 4", "nodes: 4000", "cluster: expected at most 4096 GPUs, received 4000 × 2"],
  ["rows: 50, dim: 6", "rows: 900719925474099, dim: 6", "tables: expected tables of less than 2^53 bytes in all"],
  [
    "training: {batchPerGpu: 16}",
    "towerModules: {width: 3}\ntraining: {batchPerGpu: 16}",
    "towerModules: expected perFeature or perTower above 0",
  ],
  ["training: {batchPerGpu: 16}\n", "", "training: expected"],
])("%s → %s", (from, to, message) => {
  expect(TEXT).toContain(from);
  const read = () => parse(TEXT.replace(from, to));
  if (message === null) expect(read).not.toThrow();
  else expect(read).toThrow(message);
});
