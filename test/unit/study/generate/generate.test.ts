import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ELEMENT_BYTES } from "../../../../src/instance/data-type.js";
import type { RowTiersInstance } from "../../../../src/instance/types/row-tiers.js";
import { parseInstance } from "../../../../src/problems/planning/instances.js";
import { type GeneratorOptions, generate } from "../../../../src/study/generate/generate.js";
import type { GeneratorKind } from "../../../../src/study/generate/kinds.js";

const CASES: readonly (readonly [GeneratorKind, object])[] = [
  ["rows", {}],
  ["rows", { tables: 5, rows: [1000, 2000], dims: [16, 64], dataTypes: ["fp16", "fp32"], objective: "exposed" }],
  ["tables", {}],
  ["tables", { distribution: "torchrec", tables: 6, nodes: 2, gpusPerNode: 4, tightness: 1.2 }],
  ["tables", { distribution: "lognormal", tables: 12 }],
  ["tables", { distribution: "lognormal", tables: 12, options: 4 }],
  ["tables", { distribution: "autoshard" }],
  ["tables", { distribution: "neuroshard", accessBins: true }],
  ["towers", {}],
  ["towers", { distribution: "planted", features: 12, clusters: 3, towers: 4, loadRatio: 1.5 }],
];

interface WrittenTables {
  readonly cluster: { readonly gpusPerNode: number; readonly hbmBytesPerGpu: number };
  readonly tables: readonly { name: string; rows: number; dim: number; dataType: "fp16" | "fp32" }[];
}

/** The options' types go by the kind; here both are drawn from a list. */
const drawn = (kind: GeneratorKind, options: object, seed = 0) => generate(kind, options as never, seed);

describe.each(CASES)("generate %s %o", (kind, options) => {
  test("an instance that is read, the same of the same seed alone, and of the options in any order", () => {
    const texts = [0, 1, 2, 2 ** 32 - 1].map((seed) => drawn(kind, options, seed));
    expect(new Set(texts.map((text) => text.replace(/^(name|source): .*\n/gm, ""))).size).toBe(texts.length);
    for (const text of texts) expect(parseInstance(text, "drawn.yaml").name).toMatch(/^[a-z-]+-[\dx-]+/);
    const reversed = Object.fromEntries(Object.entries(options).reverse());
    expect(drawn(kind, reversed)).toBe(texts[0]);
  });

  test("its source draws it again", () => {
    const text = drawn(kind, options, 7);
    const [, named, seed, said] = /generate (\w+), seed (\d+): (.*)$/.exec(parse(text).source) ?? [];
    expect(drawn(named as GeneratorKind, JSON.parse(said as string), Number(seed))).toBe(text);
  });
});

test("bytes stay what they were: studies elsewhere are repeated by them", () => {
  expect(generate("rows", { rows: [100, 1000] }, 3)).toMatchInlineSnapshot(`
    "shardproof: 1
    name: zipf-mandelbrot-1-4x8-3
    problem: row-tiers
    source: 'Drawn by shardproof generate rows, seed 3: {"distribution":"zipf-mandelbrot","rows":[100,1000]}'
    cluster: {nodes: 4, gpusPerNode: 8, bandwidth: {allToAllGlobal: 25300000000, allToAllIntra: 79000000000, allReduceGlobal: 75000000000, allReduceCross: 12000000000}}
    training: {batchPerGpu: 4096, replicaMemoryFactor: 6}
    objective: serial
    tables: [{name: t0, rows: 525, dim: 256, dataType: fp32, access: {zipfMandelbrot: {meanLength: 495.8, exponent: 1.129, shift: 0.06985}}}]
    "
  `);
  expect(generate("tables", { tables: 3 }, 3)).toMatchInlineSnapshot(`
    "shardproof: 1
    name: torchrec-3-1x8-3
    problem: table-placement
    source: 'Drawn by shardproof generate tables, seed 3: {"distribution":"torchrec","tables":3}'
    costModel: torchrec
    costUnit: ms
    cluster: {nodes: 1, gpusPerNode: 8, hbmBytesPerGpu: 60000000000, hostBytesPerGpu: 100000000000}
    torchrec: {batch_size: 4096}
    tables:
      - {name: t0, rows: 15309007, dim: 32, dataType: fp32, poolingFactor: 1}
      - {name: t1, rows: 8181, dim: 16, dataType: fp32, poolingFactor: 3}
      - {name: t2, rows: 985926, dim: 64, dataType: fp32, poolingFactor: 6}
    "
  `);
  expect(generate("tables", { distribution: "lognormal", tables: 3, gpusPerNode: 2 }, 3)).toMatchInlineSnapshot(`
    "shardproof: 1
    name: lognormal-3-1x2-3
    problem: table-placement
    source: 'Drawn by shardproof generate tables, seed 3: {"distribution":"lognormal","tables":3,"gpusPerNode":2}'
    costModel: given
    cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 2998118996}
    tables: [{name: t0, cost: 3.4535207748413086, bytes: 2965122516}, {name: t1, cost: 2.1967039108276367, bytes: 2309205776}, {name: t2, cost: 0.2597513198852539, bytes: 436374557}]
    "
  `);
  expect(generate("tables", { distribution: "autoshard", tables: 3, gpusPerNode: 2 }, 3)).toMatchInlineSnapshot(`
    "shardproof: 1
    name: autoshard-3-1x2-3
    problem: table-placement
    source: 'Drawn by shardproof generate tables, seed 3: {"distribution":"autoshard","tables":3,"gpusPerNode":2}'
    costModel: lookup
    cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 7516192768}
    tables:
      - {name: t730, rows: 272, dim: 16, dataType: fp16, poolingFactor: 3}
      - {name: t129, rows: 5783223, dim: 32, dataType: fp16, poolingFactor: 92}
      - {name: t795, rows: 5999548, dim: 32, dataType: fp16, poolingFactor: 1}
    "
  `);
  expect(generate("towers", { features: 5, towers: 2, loadRatio: 2 }, 3)).toMatchInlineSnapshot(`
    "shardproof: 1
    name: embedded-5x2-3
    problem: tower-partition
    source: 'Drawn by shardproof generate towers, seed 3: {"distribution":"embedded","features":5,"towers":2,"loadRatio":2}'
    towers: 2
    sizeRatio: 1
    strategy: coherent
    objective: pairwise
    features: [f0, f1, f2, f3, f4]
    interaction: [[1, 0.4946, 0.3852, 0.4009, 0.4757], [0.4946, 1, 0.3541, 0.3949, 0.4803], [0.3852, 0.3541, 1, 0.3802, 0.4717], [0.4009, 0.3949, 0.3802, 1, 0.4681], [0.4757, 0.4803, 0.4717, 0.4681, 1]]
    load: [11, 11, 2, 9, 7]
    loadRatio: 2
    "
  `);
});

test("numbers lie where the options say", () => {
  const options: GeneratorOptions<"rows"> = { tables: 200, rows: [50, 5000], exponent: [0.5, 0.6], meanLength: 20 };
  const { tables } = parseInstance(generate("rows", options, 1), "-") as RowTiersInstance;
  const rows = tables.map((table) => table.rows);
  expect(Math.min(...rows)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...rows)).toBeLessThanOrEqual(5000);
  // Uniform in the logarithm: the median is near √(50 · 5000) = 500.
  const median = rows.sort((a, b) => a - b)[100] as number;
  expect(Math.abs(Math.log(median / 500))).toBeLessThan(0.5);
  for (const { access } of tables) {
    if (access.kind !== "zipfMandelbrot") throw new Error("another access");
    expect(access.meanLength).toBe(20);
    expect(access.exponent).toBeGreaterThanOrEqual(0.5);
    expect(access.exponent).toBeLessThanOrEqual(0.6);
  }
});

test("memory is so many times the mean need of a GPU", () => {
  for (const distribution of ["torchrec", "autoshard", "neuroshard"] as const) {
    const options = { distribution, tables: 60, tightness: 1.25 } as GeneratorOptions<"tables">;
    const { tables, cluster } = parse(generate("tables", options, 1)) as WrittenTables;
    const bytes = tables.map(({ rows, dim, dataType }) => rows * dim * ELEMENT_BYTES[dataType]);
    const need = (1.25 * bytes.reduce((sum, own) => sum + own, 0)) / cluster.gpusPerNode;
    expect(cluster.hbmBytesPerGpu).toBe(Math.ceil(Math.max(need, ...bytes)));
  }
});

test("AutoShard's tasks have no table twice, NeuroShard's have", () => {
  const names = (distribution: "autoshard" | "neuroshard", tables: number) =>
    (parse(generate("tables", { distribution, tables }, 1)) as WrittenTables).tables.map(({ name }) => name);
  expect(new Set(names("autoshard", 856)).size).toBe(856);
  expect(names("autoshard", 856).some((name) => name.includes("_"))).toBe(false);
  expect(names("neuroshard", 400).some((name) => name.endsWith("_2"))).toBe(true);
});

test("loads do not change the matrix", () => {
  const plain = parse(generate("towers", { features: 8 }, 4));
  const loaded = parse(generate("towers", { features: 8, loadRatio: 2 }, 4));
  expect(loaded.interaction).toEqual(plain.interaction);
  expect(plain.load).toBeUndefined();
  expect(loaded.load).toHaveLength(8);
});

test.each([
  ["tables", { tabels: 3 }, 0, "generate tables: tabels: unknown key; did you mean tables?"],
  ["tables", { distribution: "torchrek" }, 0, "generate tables: distribution: expected one of torchrec, lognormal"],
  [
    "tables",
    { distribution: "autoshard", tables: 857 },
    0,
    "generate tables: tables: expected an integer of at most 856",
  ],
  ["rows", { rows: [5, 2] }, 0, "generate rows: rows: expected rows of a table"],
  ["rows", { rows: 0 }, 0, "generate rows: rows: expected"],
  ["towers", { features: 1001 }, 0, "generate towers: features: expected an integer of at most 1000"],
  ["towers", {}, 0.5, "generate towers: seed: expected an integer from 0 to 4294967295, received 0.5"],
  ["towers", {}, -1, "generate towers: seed: expected an integer"],
] as const)("generate %s %o, seed %d is refused", (kind, options, seed, says) => {
  expect(() => drawn(kind, options, seed)).toThrow(says);
});
