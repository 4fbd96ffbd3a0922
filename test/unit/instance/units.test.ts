import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { readStudy } from "../../../src/study/spec.js";

/** Some fields of each, as `key: number` and the text that says the same. */
const ROW_TIERS = `shardproof: 1
name: units
problem: row-tiers
cluster:
  nodes: 4
  gpusPerNode: 8
  hbmBytesPerGpu: 80000000000
  hostBytesPerNode: 1099511627776
  bandwidth: {allToAllGlobal: 25300000000, allToAllIntra: 79e9, allReduceGlobal: 75e9, allReduceCross: 12e9}
  latency: {allToAllGlobal: 0.00001}
training: {batchPerGpu: 4096, replicaMemoryFactor: 6}
budget: {extraBytesPerGpu: -1073741824}
tables:
  - {name: history, rows: 100, dim: 256, access: {histogram: [[100, 0.9]]}}
`;
const PLACEMENT = `shardproof: 1
name: units
problem: table-placement
costModel: options
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: [80000000000, 40e9], hostBytesPerGpu: 1073741824, ssdBytesPerGpu: 1e12}
tables:
  - name: t
    options:
      - {shardingType: table_wise, partitionBy: device, shards: [[1, {cost: 1, hbmBytes: 1073741824, hostBytes: 1000}]]}
`;
const TOWERS = readFileSync("instances/tiny/towers-joint-load.yaml", "utf8");

const INSTANCES: Readonly<Record<string, string>> = { ROW_TIERS, PLACEMENT, TOWERS };

test.each([
  ["ROW_TIERS", "hbmBytesPerGpu: 80000000000", "hbmBytesPerGpu: 80GB"],
  ["ROW_TIERS", "hostBytesPerNode: 1099511627776", "hostBytesPerNode: 1 TiB"],
  ["ROW_TIERS", "allToAllGlobal: 25300000000", "allToAllGlobal: 25.3GB/s"],
  ["ROW_TIERS", "allToAllIntra: 79e9", "allToAllIntra: 632 Gbit/s"],
  ["ROW_TIERS", "allToAllGlobal: 0.00001", "allToAllGlobal: 10us"],
  ["ROW_TIERS", "extraBytesPerGpu: -1073741824", "extraBytesPerGpu: -1GiB"],
  ["PLACEMENT", "80000000000, 40e9", "80GB, 40e9"],
  ["PLACEMENT", "hostBytesPerGpu: 1073741824", "hostBytesPerGpu: 1GiB"],
  ["PLACEMENT", "ssdBytesPerGpu: 1e12", "ssdBytesPerGpu: 1TB"],
  ["PLACEMENT", "hbmBytes: 1073741824", "hbmBytes: 1GiB"],
  ["PLACEMENT", "hostBytes: 1000", "hostBytes: 1kB"],
  ["TOWERS", "hbmBytesPerGpu: 3.0e9", "hbmBytesPerGpu: 3GB"],
  ["TOWERS", "acrossHosts: 2.5e10", "acrossHosts: 25GB/s"],
  [
    "TOWERS",
    "acrossHosts: 2.5e10",
    "acrossHosts: [[2, 25GB/s], [16, 200 Gbit/s]]",
    "acrossHosts: [[2, 2.5e10], [16, 2.5e10]]",
  ],
])("%s: %s may be %s", (name, number, text, inNumbers = number) => {
  const written = INSTANCES[name] as string;
  expect(written).toContain(number);
  const read = (as: string) => ({ ...parseInstance(written.replace(number, as), "f.yaml"), sha256: "" });
  expect(read(text)).toEqual(read(inNumbers));
});

const BYTES = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";
const OF_BYTES = "expected bytes, a number or a text with a unit";

test.each([
  [
    "ROW_TIERS",
    "hbmBytesPerGpu: 80000000000",
    "hbmBytesPerGpu: 10s",
    `7:19: cluster.hbmBytesPerGpu: ${OF_BYTES} (memory of one GPU, in bytes), received string "10s"; s is a unit of seconds; known here: ${BYTES}`,
  ],
  [
    "ROW_TIERS",
    "allToAllGlobal: 0.00001",
    "allToAllGlobal: 80GB",
    '10:29: cluster.latency.allToAllGlobal: expected seconds, a number or a text with a unit (seconds per call of the all-to-all over all GPUs), received string "80GB"; GB is a unit of bytes; known here: ns, us, ms, s, min, h',
  ],
  [
    "ROW_TIERS",
    "allToAllIntra: 79e9",
    "allToAllIntra: 79Gb/s",
    '9:59: cluster.bandwidth.allToAllIntra: expected bytes per second, a number or a text with a unit (bytes per second per GPU of the all-to-all inside a node), received string "79Gb/s"; Gb/s may be bits or bytes; write Gbit/s or GB/s',
  ],
  [
    "ROW_TIERS",
    "hbmBytesPerGpu: 80000000000",
    "hbmBytesPerGpu: 1.1GiB",
    `7:19: cluster.hbmBytesPerGpu: ${OF_BYTES} (memory of one GPU, in bytes), received string "1.1GiB"; that is 1181116006.4 of them; write whole bytes`,
  ],
  [
    "ROW_TIERS",
    "hbmBytesPerGpu: 80000000000",
    'hbmBytesPerGpu: "80e9"',
    `7:19: cluster.hbmBytesPerGpu: ${OF_BYTES} (memory of one GPU, in bytes), received string "80e9"; write the number without quotes, or a unit behind it`,
  ],
  [
    "ROW_TIERS",
    "hbmBytesPerGpu: 80000000000",
    "hbmBytesPerGpu: 0GB",
    "7:19: cluster.hbmBytesPerGpu: expected a finite number above 0 (memory of one GPU, in bytes), received 0",
  ],
  [
    "PLACEMENT",
    "hbmBytes: 1073741824",
    "hbmBytes: 1.1GiB",
    `9:90: tables[0].options[0].shards[0][1].hbmBytes: ${OF_BYTES} (bytes on its device), received string "1.1GiB"; that is 1181116006.4 of them; write whole bytes`,
  ],
  [
    "PLACEMENT",
    "80000000000, 40e9",
    "80 G, 40e9",
    `5:54: cluster.hbmBytesPerGpu[0]: ${OF_BYTES} (bytes that shards may use on each GPU), received string "80 G"; there is no unit G; known here: ${BYTES}`,
  ],
  [
    "PLACEMENT",
    "hostBytesPerGpu: 1073741824",
    "hostBytesPerGpu: 10s",
    `5:91: cluster.hostBytesPerGpu: ${OF_BYTES} (bytes of host memory that shards may use for each GPU), received string "10s"; s is a unit of seconds; known here: ${BYTES}`,
  ],
  [
    "TOWERS",
    "acrossHosts: 2.5e10",
    "acrossHosts: 25GB",
    '20:48: cluster.bandwidth.acrossHosts: expected bytes per second, a number or a text with a unit (bytes per second), received string "25GB"; GB is a unit of bytes; known here: B/s, kB/s, MB/s, GB/s, GiB/s, Gbit/s and the like',
  ],
  [
    "TOWERS",
    "acrossHosts: 2.5e10",
    "acrossHosts: [[2, 25GB]]",
    '20:53: cluster.bandwidth.acrossHosts[0][1]: expected bytes per second, a number or a text with a unit (bytes per second), received string "25GB"; GB is a unit of bytes; known here: B/s, kB/s, MB/s, GB/s, GiB/s, Gbit/s and the like',
  ],
])("%s: %s as %s is one line that says what to do", (name, number, text, message) => {
  const written = (INSTANCES[name] as string).replace(number, text);
  expect(() => parseInstance(written, "f.yaml")).toThrow(`f.yaml:${message}`);
});

test("a TorchRec problem takes units too, in the place of bytes per millisecond and of GiB", () => {
  const text = readFileSync("examples/torchrec-problem.json", "utf8");
  const problem = (bandwidth: string, hbm: string, reserved: string) =>
    parseTorchrecProblem(
      text
        .replace('"inter_host_bw": 25000000', `"inter_host_bw": ${bandwidth}`)
        .replace('"hbm": 12000000000', `"hbm": ${hbm}`)
        .replace('"name": "brand",', `"name": "brand", "cache_reserved_memory": ${reserved},`),
      "f.json",
    );
  expect(problem('"25GB/s"', '"12GB"', '"512MiB"')).toEqual(problem("25000000", "12000000000", "0.5"));
  expect(problem('"24GB/s"', '"12GB"', '"512MiB"')).not.toEqual(problem("25000000", "12000000000", "0.5"));
  expect(() => problem('"25GB"', "12000000000", "0.5")).toThrow(
    /^f.json:4:\d+: topology.inter_host_bw: expected bytes per second, .*; GB is a unit of bytes;/,
  );
});

test("a study takes units of time, and per cent", () => {
  const study = (more: string) =>
    readStudy(`shardproof: 1\nstudy: s\ninstances: [{files: a.yaml}]\nmethods: [optimal]\n${more}`, "s.yaml");
  expect(study("timeLimit: 2min\nworkLimit: 500ms\ngap: [5%, 0.1]")).toMatchObject({
    ...{ timeLimit: 120, workLimit: 0.5, gap: [0.05, 0.1] },
  });
  expect(study("")).toMatchObject({ gap: 1e-9 });
  expect(() => study("timeLimit: 80GB")).toThrow(
    /^s.yaml:5:12: timeLimit: expected seconds, .*; GB is a unit of bytes;/,
  );
  expect(() => study("gap: 100%")).toThrow(/^s.yaml:5:6: gap: expected a finite number below 1/);
});
