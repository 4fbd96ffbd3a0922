import { expect, test } from "vitest";
import { requireInstance } from "../../../src/instance/reader.js";
import { instanceJsonSchema, parseInstance } from "../../../src/problems/planning/instances.js";
import { rowTiersReader } from "../../../src/problems/row-tiers/instance/reader.js";

const SHORTEST = `shardproof: 1
name: shortest
problem: row-tiers
cluster:
  nodes: 4
  gpusPerNode: 8
  bandwidth: {allToAllGlobal: 25.3e9, allToAllIntra: 79.0e9, allReduceGlobal: 75.0e9, allReduceCross: 12.0e9}
training: {batchPerGpu: 4096, replicaMemoryFactor: 6}
tables:
  - name: history
    rows: 3.0e7
    dim: 256
    access: {histogram: [[100, 0.9], [29999900, 1.0e-6]]}
`;

test("defaults are filled in and units kept", () => {
  expect(parseInstance(SHORTEST, "some/file.yaml")).toEqual({
    problem: "row-tiers",
    name: "shortest",
    cluster: {
      nodes: 4,
      gpusPerNode: 8,
      bandwidth: { allToAllGlobal: 25.3e9, allToAllIntra: 79e9, allReduceGlobal: 75e9, allReduceCross: 12e9 },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
    training: { batchPerGpu: 4096, replicaMemoryFactor: 6 },
    tiers: ["data_parallel", "flex", "row_wise"],
    budget: { kind: "memory-neutral" },
    objective: "serial",
    granularity: 1,
    tables: [
      {
        name: "history",
        rows: 30_000_000,
        dim: 256,
        dataType: "fp32",
        elementBytes: 4,
        access: {
          kind: "histogram",
          bins: [
            [100, 0.9],
            [29_999_900, 1e-6],
          ],
        },
      },
    ],
    file: "some/file.yaml",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("what is written replaces the defaults", () => {
  const written = SHORTEST.replace(
    "training:",
    `  latency: {allReduceCross: 1.5e-3}
  hbmBytesPerGpu: 40.0e9
  hostBytesPerNode: 1.5e12
source: somewhere
tiers: [column_wise, flex]
budget: {extraBytesPerGpu: -1.0e9}
objective: channels
granularity: 32
training:`,
  ).replace("dim: 256", "dim: 256\n    dataType: fp8\n    pooling: sequence");
  const instance = parseInstance(written, "-");
  expect(instance).toMatchObject({
    source: "somewhere",
    cluster: {
      hbmBytesPerGpu: 40e9,
      hostBytesPerNode: 1.5e12,
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0.0015 },
    },
    tiers: ["column_wise", "flex"],
    budget: { kind: "extraBytesPerGpu", bytes: -1e9 },
    objective: "channels",
    granularity: 32,
    tables: [{ dataType: "fp8", elementBytes: 1 }],
    file: "-",
  });
});

test("bandwidths are asked for by the tiers alone", () => {
  const onlyGlobal = SHORTEST.replace(/bandwidth:.*/, "bandwidth: {allToAllGlobal: 1}\ntiers: [row_wise]");
  const instance = requireInstance(rowTiersReader, parseInstance(onlyGlobal, "f"));
  expect(instance.cluster.bandwidth).toEqual({ allToAllGlobal: 1 });
});

test.each([
  [
    "coverage: {meanLength: 9.5, points: [[10, 0.5], [20, 0.75, 0.1], [30000000, 1]]}",
    {
      kind: "coverage",
      meanLength: 9.5,
      points: [
        { rows: 10, share: 0.5 },
        { rows: 20, share: 0.75, appearances: 0.1 },
        { rows: 30_000_000, share: 1 },
      ],
    },
  ],
  [
    "zipfMandelbrot: {meanLength: 9.5, exponent: 0, shift: -0.5}",
    {
      kind: "zipfMandelbrot",
      meanLength: 9.5,
      exponent: 0,
      shift: -0.5,
    },
  ],
  ["counts: {file: a.npy, samples: 100}", { kind: "counts", file: "a.npy", samples: 100 }],
])("access %s", (written, access) => {
  const { tables } = requireInstance(
    rowTiersReader,
    parseInstance(SHORTEST.replace(/histogram: .*\]\]/, written), "f"),
  );
  expect(tables[0]?.access).toEqual(access);
});

test("JSON is YAML, and anchors may share values", () => {
  const shared = SHORTEST.replace("access: {", "access: &even {").replace(
    /$/,
    "  - {name: other, rows: 30000000, dim: 8, access: *even}\n",
  );
  const { sha256: _, ...instance } = requireInstance(rowTiersReader, parseInstance(shared, "f"));
  expect(instance.tables[1]?.access).toEqual(instance.tables[0]?.access);
  const json = JSON.stringify({
    shardproof: 1,
    name: "shortest",
    problem: "row-tiers",
    cluster: { nodes: 1, gpusPerNode: 1, bandwidth: { allToAllGlobal: 1 } },
    training: { batchPerGpu: 1, replicaMemoryFactor: 1 },
    tiers: ["row_wise"],
    tables: [{ name: "t", rows: 1, dim: 1, access: { histogram: [[1, 0]] } }],
  });
  expect(parseInstance(json, "f")).toMatchObject({ name: "shortest", tables: [{ rows: 1 }] });
});

test("an error behind an alias is placed inside the anchor's value", () => {
  const shared = SHORTEST.replace("0.9]", "-0.9]").replace("access: {", "access: &even {");
  expect(() => parseInstance(shared, "f")).toThrow(/^f:13:\d+: tables\[0\]\.access\.histogram\[0\]\[1\]: /);
});

test("lists nested thousands deep are an error of the input", () => {
  expect(() => parseInstance("[".repeat(20_000), "f")).toThrow(expect.objectContaining({ name: "InputError" }));
});

test("aliases that multiply are an error of the input", () => {
  const lines = ["a0: &a0 [1, 1]"];
  for (let k = 1; k <= 20; k++) lines.push(`a${k}: &a${k} [*a${k - 1}, *a${k - 1}]`);
  expect(() => parseInstance(lines.join("\n"), "f")).toThrow("f:1:1: expected plain values");
});

test("the JSON Schema describes the file", () => {
  type RowTiersSchema = {
    required: string[];
    additionalProperties: boolean;
    properties: {
      cluster: { properties: Record<string, { properties: object }> };
      tiers: { items: { enum: readonly string[] } };
      tables: { items: { properties: { access: { oneOf: unknown } } } };
    };
  };
  const { oneOf } = instanceJsonSchema() as { oneOf: { title: string; oneOf?: { required: string[] }[] }[] };
  expect(oneOf.map(({ title }) => title)).toEqual(["row-tiers", "table-placement", "tower-partition"]);
  // One for each family of cost models.
  expect(oneOf[1]?.oneOf).toHaveLength(4);
  for (const family of oneOf[1]?.oneOf ?? []) expect(family.required).toContain("costModel");
  const schema = oneOf[0] as unknown as RowTiersSchema;
  expect(schema.required).toEqual(["shardproof", "name", "problem", "cluster", "training", "tables"]);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.tables.items.properties.access.oneOf).toEqual([
    { required: ["histogram"] },
    { required: ["coverage"] },
    { required: ["zipfMandelbrot"] },
    { required: ["counts"] },
  ]);
  expect(schema.properties.tiers.items.enum).toContain("host");
  expect(schema.properties.cluster.properties).toHaveProperty("hostBytesPerNode");
  for (const each of ["bandwidth", "latency"]) {
    expect(schema.properties.cluster.properties[each]?.properties).toHaveProperty("hostToDevice");
  }
});

test.each([
  ["costModel:", "costmodel:", "x.yaml:4:1: costmodel: unknown key; did you mean costModel?"],
  ["costModel:", "cost_model:", "x.yaml:4:1: cost_model: unknown key; did you mean costModel?"],
  ["tables:", "Tables:", "x.yaml:6:1: Tables: unknown key; did you mean tables?"],
  ["problem:", "Problem:", "x.yaml:3:1: Problem: unknown key; did you mean problem?"],
  ["shardproof:", "ShardProof:", "x.yaml:1:1: ShardProof: unknown key; did you mean shardproof?"],
  ["nodes:", "NODES:", "x.yaml:5:11: cluster.NODES: unknown key; did you mean nodes?"],
  [
    "name: x",
    "name: x\nhbmBytesPerGpu: 5",
    "x.yaml:3:1: hbmBytesPerGpu: unknown key; its place is cluster.hbmBytesPerGpu",
  ],
])("%s written %s: the key that was meant, or its place", (from, to, message) => {
  const cluster = "cluster: {nodes: 1, gpusPerNode: 2}";
  const head = ["shardproof: 1", "name: x", "problem: table-placement", "costModel: given", cluster];
  const text = [...head, "tables: [{name: a, cost: 1, bytes: 1}]"].join("\n");
  expect(() => parseInstance(text.replace(from, to), "x.yaml")).toThrow(expect.objectContaining({ message }));
});
