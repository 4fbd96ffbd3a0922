import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { withCounts } from "../../../src/access/counted-tables.js";
import { InputError } from "../../../src/errors/input-error.js";
import { parseWith } from "../../../src/instance/parse.js";
import { readRemap } from "../../../src/interop/remap/read-remap.js";
import type { RemapOptions } from "../../../src/interop/remap/remap-files.js";
import { writePlacementRemap } from "../../../src/interop/remap/write-placement-remap.js";
import { shardingPlan } from "../../../src/interop/torchrec/export-placement.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { blockOfRow } from "../../../src/simulate/placement/part-counts.js";

const folder = mkdtempSync(join(tmpdir(), "placement-remap-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** 5 of 23 rows are hot. */
const HISTOGRAM = {
  histogram: [
    [5, 0.1],
    [18, 0.001],
  ],
};

/** Two tables on 4 devices, of which the first may have hot rows. */
function instanceWith(access: object) {
  const document = {
    ...{ shardproof: 1, name: "two", problem: "table-placement", costModel: "torchrec" },
    cluster: { nodes: 2, gpusPerNode: 2, hbmBytesPerGpu: 1e9, hostBytesPerGpu: 1e9 },
    ...{ torchrec: { batch_size: 8 }, splits: { hotRows: true } },
    tables: [
      { name: "a", num_embeddings: 23, embedding_dim: 8, access, sharding_types: ["row_wise", "table_wise"] },
      { name: "b", num_embeddings: 7, embedding_dim: 8, sharding_types: ["table_wise"] },
    ],
  };
  return parseWith([tablePlacementReader], JSON.stringify(document), "two.json");
}

function plan(fits: (option: PlacementOption) => boolean, instance = instanceWith(HISTOGRAM)) {
  const problem = placementProblem(instance);
  const choices = problem.tables.map(({ options }, t) => {
    const option = t === 0 ? options.findIndex(fits) : 0;
    const { shards } = options[option] as PlacementOption;
    return { option, devices: shards.map((_, k) => (shards.length > 4 ? k % 4 : shards.length === 4 ? k : 1)) };
  });
  return { instance, problem, placement: { choices }, method: "optimal", status: "proved", digest: "0".repeat(64) };
}

const rowWise = ({ hot, shardingType }: PlacementOption) => hot?.rows === 5 && shardingType === "row_wise";

async function rowsIn(options: RemapOptions, fits = rowWise, instance = instanceWith(HISTOGRAM)) {
  const into = mkdtempSync(join(folder, "out-"));
  const manifest = await writePlacementRemap(plan(fits, instance), into, { idsAreRanks: true, ...options });
  const rows: [part: number, index: number][] = [];
  for await (const { tiers, indices } of (await readRemap(into)).rowsOf("a")) {
    for (const [k, part] of tiers.entries()) rows.push([part, indices[k] as number]);
  }
  return { manifest, rows };
}

test("ids are not taken for ranks without a word", async () => {
  await expect(rowsIn({ idsAreRanks: false })).rejects.toThrow(
    "table a: expected to be told which row ids are read most",
  );
});

test("hot rows and the others are rows of the two tables of the exported plan, in the order of access", async () => {
  const { manifest, rows } = await rowsIn({});
  expect(rows).toEqual(Array.from({ length: 23 }, (_, id) => (id < 5 ? [0, id] : [1, id - 5])));
  expect(manifest.tierCodes).toEqual({ hot: 0, cold: 1 });
  expect(manifest.tables.map(({ name }) => name)).toEqual(["a"]);
  const [{ embeddingTables, order }] = manifest.tables as [(typeof manifest.tables)[number]];
  expect([order, embeddingTables.map(({ name, rows: own, bytes }) => [name, own, bytes])]).toEqual([
    "identity",
    [
      ["a_hot", 5, 5 * 8 * 4],
      ["a_cold", 18, 18 * 8 * 4],
    ],
  ]);
  const { "": tables = {} } = shardingPlan(plan(rowWise)).plan;
  expect(Object.keys(tables)).toEqual(["a_hot", "a_cold", "b"]);
});

test("a rank file says which rows are hot", async () => {
  const file = join(folder, "ranks.txt");
  writeFileSync(file, "22\n3\n9\n0\n14\n1\n");
  const { manifest, rows } = await rowsIn({ rankFiles: new Map([["a", file]]) });
  expect(manifest.tables[0]?.order).toBe("rank-file");
  expect([22, 3, 9, 0, 14, 1, 2].map((id) => rows[id])).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 0],
    [1, 1],
  ]);
  const other = new Map([["b", file]]);
  await expect(rowsIn({ rankFiles: other })).rejects.toThrow(
    /expected the rank file of a table \(a\), received one of "b"/,
  );
});

test("a table's counts say which rows are hot, those read alike by their ids", async () => {
  const file = join(folder, "counts.csv");
  const hot = [4, 7, 8, 19, 21];
  writeFileSync(file, Array.from({ length: 22 }, (_, id) => `${hot.includes(id) ? 50 : id % 2}\n`).join(""));
  const counted = await withCounts(instanceWith({ counts: { file, samples: 100 } }));
  const bins = [
    [5, 0.5],
    [8, 0.01],
    [10, 0],
  ];
  expect(counted.tables[0]?.access).toMatchObject({ kind: "histogram", bins });
  const { manifest, rows } = await rowsIn({ idsAreRanks: false }, rowWise, counted);
  expect(manifest.tables[0]?.order).toBe("counts");
  expect(rows.flatMap(([part, index], id) => (part === 0 ? [[id, index]] : []))).toEqual(hot.map((id, k) => [id, k]));
  expect([1, 22].map((id) => rows[id])).toEqual([
    [1, 0],
    [1, 17],
  ]);
  const none = join(folder, "histogram.csv");
  writeFileSync(none, "rows,accesses_per_row\n5,50\n18,1\n");
  const unordered = await withCounts(instanceWith({ counts: { file: none, samples: 100 } }));
  await expect(rowsIn({}, rowWise, unordered)).rejects.toThrow("give their order with --rank-file TABLE=FILE");
});

test("spread over row_wise blocks: every row where the simulation has it", async () => {
  const { rows } = await rowsIn({ indexOrder: "spread" });
  // 18 rows on 4 ranks are 5, 5, 5 and 3.
  const blockOf = blockOfRow([5, 5, 5, 3], "spread");
  for (const [id, [part, index]] of rows.entries()) {
    expect([id, part, id < 5 ? index : Math.floor(index / 5)]).toEqual([
      id,
      id < 5 ? 0 : 1,
      id < 5 ? id : blockOf(id - 5),
    ]);
  }
  const whole = ({ hot, shardingType }: PlacementOption) => hot?.rows === 5 && shardingType === "table_wise";
  expect((await rowsIn({ indexOrder: "spread" }, whole)).rows[20]).toEqual([1, 15]);
});

test("a plan without hot rows has nothing to remap", async () => {
  const none = ({ hot }: PlacementOption) => hot === undefined;
  await expect(rowsIn({}, none)).rejects.toThrow(InputError);
  await expect(rowsIn({}, none)).rejects.toThrow(/expected a plan with hot rows to remap, received one without/);
});
